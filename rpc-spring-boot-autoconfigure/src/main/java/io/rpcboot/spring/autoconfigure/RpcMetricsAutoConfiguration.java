package io.rpcboot.spring.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Reports calls, connections and flushes to Micrometer.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@EnableConfigurationProperties(RpcMetricsProperties.class)
public final class RpcMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(RpcMetrics.class)
	MicrometerRpcMetrics rpcMetrics(MeterRegistry registry, RpcMetricsProperties properties) {
		return properties.toMetrics(registry);
	}

}
