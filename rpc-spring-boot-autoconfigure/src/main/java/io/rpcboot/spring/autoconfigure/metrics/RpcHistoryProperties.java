package io.rpcboot.spring.autoconfigure.metrics;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the history.
 *
 * @param enabled Whether the process keeps what happened in the last 15 minutes: rates,
 * percentiles, slow and failed calls; at most 2 MB.
 */
@ConfigurationProperties(prefix = "rpc.history", ignoreUnknownFields = false)
record RpcHistoryProperties(@DefaultValue("true") boolean enabled) {
}
