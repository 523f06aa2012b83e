package io.rpcboot.spring.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Findings} look at: how things stand at one moment, and what the history
 * knows of the minutes before.
 *
 * @param now the moment
 * @param registry the registry, null if there is none
 * @param server the server, null if there is none
 * @param client the client, null if there is none
 * @param past the values of the last minutes; it knows nothing without a history
 * @param methods the methods that were called, busiest first
 * @param failed calls that failed lately, the latest first
 */
record Situation(Instant now, @Nullable OfRegistry registry, @Nullable OfServer server, @Nullable OfClient client,
		Past past, List<MethodStats> methods, List<NotedCall> failed) {

	/**
	 * The registry.
	 *
	 * @param description what kind, and where
	 * @param state whether it can be reached
	 * @param since when that changed last, null if it is not known
	 */
	record OfRegistry(String description, RegistryState state, @Nullable Instant since) {
	}

	/**
	 * The server.
	 *
	 * @param connections its connections
	 * @param pool the threads that run calls
	 * @param services what it offers
	 */
	record OfServer(List<ConnectionInfo> connections, PoolInfo pool, List<ServiceInfo> services) {
	}

	/**
	 * The client.
	 *
	 * @param connections its connections
	 * @param references what it can call
	 * @param pendingCalls calls under way
	 * @param maxPendingCalls most calls that may be under way
	 * @param queuedCalls calls that wait because as many are under way
	 * @param silences for how long servers have sent nothing although calls are pending,
	 * by remote address
	 */
	record OfClient(List<ConnectionInfo> connections, List<ReferenceInfo> references, int pendingCalls,
			int maxPendingCalls, int queuedCalls, Map<String, Duration> silences) {
	}

}
