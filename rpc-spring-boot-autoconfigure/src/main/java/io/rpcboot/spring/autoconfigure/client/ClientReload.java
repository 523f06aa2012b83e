package io.rpcboot.spring.autoconfigure.client;

import java.util.Set;

import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.spring.reference.RpcReferences;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.Environment;

/**
 * Applies changed properties to the client of a context and to its references, all of
 * them or none.
 */
final class ClientReload {

	/** Name of the bean of the client. */
	private static final String CLIENT = "rpcClient";

	/** Last elements of names, or the first ones of groups, in lower case. */
	private static final Set<String> OF_CLIENT = Set.of("timeout", "waitforinstance", "loadbalancer", "retry",
			"ejection");

	private static final Set<String> OF_REFERENCE = Set.of("timeout", "waitforinstance", "retry", "ejection",
			"methods");

	private final ObjectProvider<RpcClientFactory> factory;

	private final ReferencePropertiesCustomizer customizer;

	private final ConfigurableListableBeanFactory beanFactory;

	private final Environment environment;

	ClientReload(ObjectProvider<RpcClientFactory> factory, ReferencePropertiesCustomizer customizer,
			ConfigurableListableBeanFactory beanFactory, Environment environment) {
		this.factory = factory;
		this.customizer = customizer;
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	/** Returns true for a property {@code rpc.client.*} that is applied. */
	static boolean takes(ConfigurationPropertyName name) {
		String first = name.getElement(2, Form.UNIFORM);
		boolean single = first.equals("references") || first.equals("services");
		return !single ? OF_CLIENT.contains(first)
				: name.getNumberOfElements() > 4 && OF_REFERENCE.contains(name.getElement(4, Form.UNIFORM));
	}

	/**
	 * Applies the properties as a start would; without a client they are checked only.
	 */
	void apply(RpcClientProperties next) {
		RpcClientBuilder builder = this.factory.getObject().builder(next);
		RpcReferences references = new RpcReferences(this.beanFactory);
		ReferenceEntries entries = new ReferenceEntries(next, references::declared);
		new ReferencePropertiesCheck(entries, next.allowUnknownReferences(), references, this.environment)
			.afterSingletonsInstantiated();
		this.customizer.replace(entries, builder::resilience, () -> {
			if (this.beanFactory.containsSingleton(CLIENT)) {
				RpcClient client = this.beanFactory.getBean(CLIENT, RpcClient.class);
				references.reconfigure((options) -> client.reconfigure(builder, options));
			}
		});
	}

}
