package io.rpcboot.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of the receivers of metrics: Micrometer, and the history in the
 * process.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@EnableConfigurationProperties({ RpcMetricsProperties.class, RpcHistoryProperties.class })
public final class RpcMetricsAutoConfiguration {

	// lazy: created by the first bean that reports to it or reads it
	@Bean(initMethod = "start")
	@Lazy
	@ConditionalOnMissingBean
	@ConditionalOnSwitch(value = "rpc.history.enabled", byDefault = true)
	RpcHistory rpcHistory() {
		return RpcHistory.builder().build();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class Meters {

		// the history does not count as the application's own metrics
		@Bean
		@ConditionalOnMissingBean(value = RpcMetrics.class, ignored = RpcHistory.class)
		MicrometerRpcMetrics rpcMetrics(MeterRegistry registry, RpcMetricsProperties properties) {
			return properties.toMetrics(registry);
		}

	}

}
