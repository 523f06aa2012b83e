package io.rpcboot.dashboard;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of the dashboard.
 *
 * @param enabled Whether to serve the dashboard if Actuator exposes it. Unset: true
 * unless a profile named 'prod' or 'production' is active.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "rpc.dashboard", ignoreUnknownFields = false)
public record RpcDashboardProperties(@Nullable Boolean enabled) {
}
