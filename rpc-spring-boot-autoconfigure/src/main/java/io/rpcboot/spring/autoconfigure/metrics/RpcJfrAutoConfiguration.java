package io.rpcboot.spring.autoconfigure.metrics;

import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of events of the JDK's Flight Recorder, if the JDK has it. Runs
 * after the meters, because these back off for other {@code RpcMetrics} beans.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RpcMetricsAutoConfiguration.class)
@ConditionalOnClass(name = "jdk.jfr.Event")
@ConditionalOnSwitch(value = "rpc.jfr.enabled", byDefault = true)
@EnableConfigurationProperties(RpcJfrProperties.class)
public final class RpcJfrAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JfrRpcMetrics rpcJfrMetrics(RpcJfrProperties properties) {
		return properties.toMetrics();
	}

}
