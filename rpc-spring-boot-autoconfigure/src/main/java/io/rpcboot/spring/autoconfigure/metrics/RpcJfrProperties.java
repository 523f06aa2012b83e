package io.rpcboot.spring.autoconfigure.metrics;

import java.time.Duration;

import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.transport.Options;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of what recordings of the JDK's Flight Recorder hold.
 *
 * @param enabled Whether recordings of the JDK's Flight Recorder hold slow calls and
 * connections; without a recording nothing is made.
 * @param slowCall Calls that take this long are slow; 0 for all calls.
 */
@ConfigurationProperties(prefix = "rpc.jfr", ignoreUnknownFields = false)
public record RpcJfrProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1s") Duration slowCall) {

	JfrRpcMetrics toMetrics() {
		return OptionToPropertyNames.under("rpc.jfr.", () -> {
			Options.require(!this.slowCall.isNegative(), "slow-call", this.slowCall, "0 or more");
			return new JfrRpcMetrics(this.slowCall);
		});
	}

}
