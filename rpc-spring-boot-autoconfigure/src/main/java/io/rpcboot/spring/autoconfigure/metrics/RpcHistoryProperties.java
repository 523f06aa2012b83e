package io.rpcboot.spring.autoconfigure.metrics;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the history.
 *
 * @param enabled Whether to keep rates, percentiles, slow and failed calls of the last 15
 * minutes in memory; at most 2 MB.
 */
@ConfigurationProperties(prefix = "rpc.history", ignoreUnknownFields = false)
record RpcHistoryProperties(@DefaultValue("true") boolean enabled) {
}
