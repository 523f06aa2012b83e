package io.rpcboot.spring.observation;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of tracing.
 *
 * @param enabled Whether to observe calls. Unset: if there is a Tracer bean; true: if
 * there is an ObservationRegistry; false: never.
 */
@ConfigurationProperties(prefix = "rpc.tracing", ignoreUnknownFields = false)
record RpcTracingProperties(@Nullable Boolean enabled) {
}
