package io.rpcboot.spring.autoconfigure.metrics;

import java.time.Duration;

import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.transport.Options;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of events of the JDK's Flight Recorder.
 *
 * @param enabled Whether recordings of the JDK's Flight Recorder contain slow calls and
 * connections; no cost without a recording.
 * @param slowCall Duration from which on a call is slow; 0 for all calls.
 * @since 0.1.0
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
