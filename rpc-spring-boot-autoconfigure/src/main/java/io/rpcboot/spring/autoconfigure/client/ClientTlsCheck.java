package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.Ssl;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.reference.RpcReferences;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Rejects settings of TLS of a client whose connections all use clear text: neither it
 * nor one of its references has a bundle.
 */
final class ClientTlsCheck implements SmartInitializingSingleton {

	private final RpcClientProperties properties;

	private final Environment environment;

	private final RpcReferences references;

	private final ObjectProvider<RpcClient> client;

	ClientTlsCheck(RpcClientProperties properties, Environment environment, RpcReferences references,
			ObjectProvider<RpcClient> client) {
		this.properties = properties;
		this.environment = environment;
		this.references = references;
		this.client = client;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Ssl ssl = this.properties.ssl();
		boolean hasMode = TlsBundles.isSet(this.environment, RpcClientFactory.PREFIX + "ssl.mode");
		if (!ssl.bundle().isEmpty() || !(ssl.verifyApplication() || hasMode) || !this.properties.enabled()) {
			return;
		}
		if (this.references.declared().isEmpty() || this.references.haveTls()
				|| !this.client.getObject().tls().isEmpty()) {
			return;
		}
		throw ssl.verifyApplication() ? TlsBundles.missing(RpcClientFactory.PREFIX, "ssl.verify-application", true)
				: TlsBundles.missing(RpcClientFactory.PREFIX, "ssl.mode", ssl.mode());
	}

}
