package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.diagnostics.LibraryVersionCheck;
import io.rpcboot.spring.autoconfigure.diagnostics.LivenessPublisher;
import io.rpcboot.spring.autoconfigure.diagnostics.NettyVersionCheck;
import io.rpcboot.spring.autoconfigure.diagnostics.StartupReport;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.properties.MisspelledPropertiesCheck;
import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.lifecycle.RpcClientWarmUp;
import io.rpcboot.spring.lifecycle.RpcClients;
import io.rpcboot.spring.lifecycle.RpcReferenceConfiguration;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.reference.RpcReferences;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the client and of the injection of references. The client is
 * created with the first reference: an application without references has none.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RpcRegistryAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
		RpcSerializationAutoConfiguration.class })
@EnableConfigurationProperties(RpcClientProperties.class)
@Import({ RpcReferenceConfiguration.class, RpcClientFactory.class, MisspelledPropertiesCheck.class,
		NettyVersionCheck.class, LibraryVersionCheck.class, LivenessPublisher.class })
public final class RpcClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(RpcClient.class)
	ReloadableProperties<RpcClientProperties> rpcReloadableClientProperties(RpcClientProperties properties,
			ObjectProvider<RpcClientFactory> factory, ReferencePropertiesCustomizer customizer,
			ConfigurableListableBeanFactory beanFactory, Environment environment) {
		ClientReload reload = new ClientReload(factory, customizer, beanFactory, environment);
		return new ReloadableProperties<>(properties, environment, ClientReload::takes,
				(before, next, changed, reason) -> reload.apply(next));
	}

	@Bean
	@ConditionalOnMissingBean(RpcClient.class)
	ClientTlsCheck rpcClientTlsCheck(RpcClientProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<RpcClient> client) {
		return new ClientTlsCheck(properties, environment, new RpcReferences(beanFactory), client);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	RpcClient rpcClient(RpcClientFactory factory) {
		return factory.create();
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@ConditionalOnSwitch(value = "rpc.client.enabled", is = false, byDefault = true)
	ClientDisabledGuard disabledRpcClient() {
		return new ClientDisabledGuard();
	}

	@Bean
	StartupReport rpcStartReport(ConfigurableListableBeanFactory beanFactory, ObjectProvider<RpcServer> servers,
			ObjectProvider<Registry> registry, ApplicationContext context) {
		return new StartupReport(new RpcClients(beanFactory), servers, registry, context);
	}

	@Bean
	RpcClientWarmUp rpcClientWarmUp(ConfigurableListableBeanFactory beanFactory, RpcClientProperties properties,
			StartupReport report) {
		return new RpcClientWarmUp(new RpcClients(beanFactory), properties.warmUp(), report::isNamedWhenReady);
	}

	@Bean
	ReferenceEntries rpcReferenceEntries(RpcClientProperties properties, ConfigurableListableBeanFactory beanFactory) {
		return new ReferenceEntries(properties, new RpcReferences(beanFactory)::declared);
	}

	@Bean
	ClientDefaults rpcClientDefaults(ObjectProvider<RpcClient> client) {
		return new ClientDefaults(client);
	}

	@Bean
	TlsBundles rpcClientTls(RpcClientProperties properties, ObjectProvider<SslBundles> bundles,
			ConfigurableListableBeanFactory beanFactory) {
		RpcClients clients = new RpcClients(beanFactory);
		return new TlsBundles(bundles.getIfAvailable(DefaultSslBundleRegistry::new), properties.ssl()::applyTo,
				(before, next) -> {
					clients.inUse().forEach((client) -> client.renewTls(before, next));
					beanFactory.getBeanProvider(RpcRelay.class).forEach((relay) -> relay.renewTls(before, next));
				});
	}

	@Bean
	@Order(0)
	ReferencePropertiesCustomizer rpcReferencePropertiesCustomizer(ReferenceEntries entries,
			@Qualifier("rpcClientTls") TlsBundles tls, SerializerCatalog serializers, ClientDefaults defaults,
			ConfigurableListableBeanFactory beanFactory) {
		return new ReferencePropertiesCustomizer(entries, tls, serializers, defaults, new PolicyBeans(beanFactory));
	}

	@Bean
	@Lazy
	RelayTargets rpcRelayTargets(RpcClientFactory factory, RpcClientProperties properties,
			ReferencePropertiesCustomizer customizer) {
		return new RelayTargets(factory, properties, customizer);
	}

	@Bean
	ReferencePropertiesCheck rpcReferencePropertiesCheck(RpcClientProperties properties, ReferenceEntries entries,
			ReferencePropertiesCustomizer customizer, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		return new ReferencePropertiesCheck(entries, properties.allowUnknownReferences(),
				new RpcReferences(beanFactory), environment);
	}

}
