package io.rpcboot.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.transport.Options;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of metrics.
 *
 * @param maxMethods Most methods with their own meters, client and server together;
 * further methods are combined as 'other'.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "rpc.metrics", ignoreUnknownFields = false)
public record RpcMetricsProperties(@DefaultValue("2000") int maxMethods) {

	MicrometerRpcMetrics toMetrics(MeterRegistry registry) {
		return OptionToPropertyNames.under("rpc.metrics.", () -> {
			Options.require(this.maxMethods >= 1, "max-methods", this.maxMethods, "1 or more");
			return new MicrometerRpcMetrics(registry, this.maxMethods);
		});
	}

}
