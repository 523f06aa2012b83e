package io.rpcboot.registry.zookeeper;

import java.util.List;

import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Util;
import org.jspecify.annotations.Nullable;

import io.rpcboot.registry.zookeeper.ZooKeeperTls.Store;

/**
 * Configuration of ZooKeeper's client for one registry; system properties apply to
 * everything that is not set.
 */
final class ClientConfigs {

	private static final String NETTY_SOCKET = "org.apache.zookeeper.ClientCnxnSocketNetty";

	private ClientConfigs() {
	}

	static ZKClientConfig of(ZooKeeperSecurity security) {
		ZKClientConfig config = new ZKClientConfig();
		Boolean sasl = security.sasl();
		if (sasl != null) {
			config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, sasl.toString());
		}
		// a system property may name the section that is used by default
		if (sasl != null || !security.loginContext().equals(ZooKeeperSecurity.DEFAULT_LOGIN_CONTEXT)) {
			config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, security.loginContext());
		}
		if (!security.serverPrincipal().isEmpty()) {
			config.setProperty(ZKClientConfig.ZOOKEEPER_SERVER_PRINCIPAL, security.serverPrincipal());
		}
		ZooKeeperTls tls = security.tls();
		if (tls != null) {
			encrypt(config, tls);
		}
		return config;
	}

	private static void encrypt(ZKClientConfig config, ZooKeeperTls tls) {
		config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
		config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, NETTY_SOCKET);
		try (X509Util names = new ClientX509Util()) {
			set(config, tls.trustStore(), names.getSslTruststoreLocationProperty(),
					names.getSslTruststorePasswdProperty(), names.getSslTruststoreTypeProperty());
			set(config, tls.keyStore(), names.getSslKeystoreLocationProperty(), names.getSslKeystorePasswdProperty(),
					names.getSslKeystoreTypeProperty());
			set(config, names.getSslEnabledProtocolsProperty(), tls.protocols());
			set(config, names.getSslCipherSuitesProperty(), tls.ciphers());
		}
	}

	private static void set(ZKClientConfig config, @Nullable Store store, String location, String password,
			String type) {
		if (store != null) {
			config.setProperty(location, store.file().toString());
			config.setProperty(password, store.password());
			config.setProperty(type, store.type());
		}
	}

	private static void set(ZKClientConfig config, String name, List<String> values) {
		if (!values.isEmpty()) {
			config.setProperty(name, String.join(",", values));
		}
	}

}
