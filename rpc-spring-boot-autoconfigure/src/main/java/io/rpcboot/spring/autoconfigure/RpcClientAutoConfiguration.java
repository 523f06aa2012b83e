package io.rpcboot.spring.autoconfigure;

import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.spring.RpcClientWarmUp;
import io.rpcboot.spring.RpcReferenceConfiguration;
import io.rpcboot.transport.RpcConnectionListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * The client, and injection of references.
 */
@AutoConfiguration(after = { RpcRegistryAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
		RpcSerializationAutoConfiguration.class })
@EnableConfigurationProperties(RpcClientProperties.class)
@Import({ RpcReferenceConfiguration.class, NettyVersionCheck.class, RpcLiveness.class })
public final class RpcClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RpcClient rpcClient(RpcClientProperties properties, Environment environment, ObjectProvider<Registry> registry,
			SerializerCatalog serializers, ObjectProvider<RpcMetrics> metrics,
			ObjectProvider<RpcConnectionListener> listeners, ObjectProvider<RpcClientBuilderCustomizer> customizers) {
		return OptionNames.under("rpc.client.", () -> {
			RpcClientBuilder builder = RpcClient.builder();
			properties.applyTo(builder);
			builder.applicationName(environment.getProperty("spring.application.name", ""));
			registry.ifAvailable(builder::registry);
			builder.serializer(serializers.get("rpc.client.serializer", properties.serializer()));
			metrics.ifAvailable(builder::metrics);
			listeners.orderedStream().forEach(builder::connectionListener);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return builder.build();
		});
	}

	@Bean
	RpcClientWarmUp rpcClientWarmUp(ObjectProvider<RpcClient> clients, RpcClientProperties properties) {
		return new RpcClientWarmUp(clients, properties.warmUp());
	}

	@Bean
	@Order(0)
	ReferencePropertiesCustomizer rpcReferencePropertiesCustomizer(RpcClientProperties properties,
			SerializerCatalog serializers, ObjectProvider<RpcClient> client) {
		return new ReferencePropertiesCustomizer(properties, serializers, () -> client.getObject().batching());
	}

}
