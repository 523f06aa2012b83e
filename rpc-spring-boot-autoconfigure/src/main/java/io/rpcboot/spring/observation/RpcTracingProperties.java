package io.rpcboot.spring.observation;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of traces.
 *
 * @param enabled Whether calls are observed, for their traces: with a Tracer bean unless
 * set; true for whenever there is an ObservationRegistry, false for never.
 */
@ConfigurationProperties(prefix = "rpc.tracing", ignoreUnknownFields = false)
record RpcTracingProperties(@Nullable Boolean enabled) {
}
