package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.diagnostics.LivenessPublisher;
import io.rpcboot.spring.autoconfigure.diagnostics.NettyVersionCheck;
import io.rpcboot.spring.autoconfigure.diagnostics.StartupReport;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.properties.MisspelledPropertiesCheck;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.lifecycle.RpcClientWarmUp;
import io.rpcboot.spring.lifecycle.RpcClients;
import io.rpcboot.spring.lifecycle.RpcReferenceConfiguration;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.reference.RpcReferences;
import io.rpcboot.transport.RpcConnectionListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * The client, and injection of references.
 */
@AutoConfiguration(after = { RpcRegistryAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
		RpcSerializationAutoConfiguration.class })
@EnableConfigurationProperties(RpcClientProperties.class)
@Import({ RpcReferenceConfiguration.class, MisspelledPropertiesCheck.class, NettyVersionCheck.class,
		LivenessPublisher.class })
public final class RpcClientAutoConfiguration {

	// made for the first reference: an application without one has no client
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	RpcClient rpcClient(RpcClientProperties properties, Environment environment, ObjectProvider<Registry> registry,
			SerializerCatalog serializers, ObjectProvider<RpcMetrics> metrics,
			ObjectProvider<RpcConnectionListener> listeners, ObjectProvider<RpcClientInterceptor> interceptors,
			ObjectProvider<RpcClientBuilderCustomizer> customizers, ConfigurableListableBeanFactory beanFactory) {
		if (!properties.enabled()) {
			throw ClientDisabledGuard.refusal("a bean asks for an RpcClient");
		}
		return OptionToPropertyNames.under("rpc.client.", () -> {
			RpcClientBuilder builder = RpcClient.builder();
			properties.applyTo(builder, environment.getProperty("rpc.server.zone", ""));
			LoadBalancerBeans.applyTo(builder, beanFactory);
			TimeoutUnitCheck.warnOf("rpc.client.timeout", properties.timeout());
			builder.applicationName(ApplicationName.of(environment));
			registry.ifAvailable(builder::registry);
			builder.adviceWithoutInstance(
					new LocalServiceAdvice(beanFactory, registry.getIfAvailable() instanceof InMemoryRegistry));
			builder.serializer(serializers.get("rpc.client.serializer", properties.serializer()));
			builder.metrics(RpcMetrics.all(metrics.orderedStream().toList()));
			listeners.orderedStream().forEach(builder::connectionListener);
			interceptors.orderedStream().forEach(builder::interceptor);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return builder.build();
		});
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
	@Order(0)
	ReferencePropertiesCustomizer rpcReferencePropertiesCustomizer(ReferenceEntries entries,
			SerializerCatalog serializers, ClientDefaults defaults, ConfigurableListableBeanFactory beanFactory) {
		return new ReferencePropertiesCustomizer(entries, serializers, defaults, new PolicyBeans(beanFactory));
	}

	@Bean
	ReferencePropertiesCheck rpcReferencePropertiesCheck(RpcClientProperties properties, ReferenceEntries entries,
			ReferencePropertiesCustomizer customizer, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		return new ReferencePropertiesCheck(entries, properties.allowUnknownReferences(),
				new RpcReferences(beanFactory), environment);
	}

}
