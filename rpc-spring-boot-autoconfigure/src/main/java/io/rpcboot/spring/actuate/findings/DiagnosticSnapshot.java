package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.metrics.history.MethodSeries;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Diagnostics} look at: how things stand at one moment, and what the history
 * knows of the minutes before.
 *
 * @param now the moment
 * @param registry the registry, null if there is none
 * @param server the server, null if there is none
 * @param client the client, null if there is none
 * @param past the values of the last minutes; it knows nothing without a history
 * @param methods the methods that were called, busiest first
 * @param failed calls that failed lately, the latest first
 * @param lately what methods that may fail did in the last moments, as far as it is known
 */
public record DiagnosticSnapshot(Instant now, @Nullable OfRegistry registry, @Nullable OfServer server,
		@Nullable OfClient client, HistoryWindow past, List<MethodStats> methods, List<NotedCall> failed,
		Map<MethodStats, Lately> lately) {

	/** How long the last moments are. */
	public static final Duration LATELY = Duration.ofSeconds(15);

	/**
	 * A method in the last moments.
	 *
	 * @param calls its calls
	 * @param errors those of them that failed
	 * @param newestCalls its calls in the newest interval
	 * @param newestErrors those of them that failed
	 */
	public record Lately(long calls, long errors, long newestCalls, long newestErrors) {

		/** So many failures in an interval are not left out by chance. */
		private static final int EXPECTED_ERRORS = 5;

		public static Lately of(MethodSeries series) {
			int newest = series.calls().length - 1;
			return new Lately(Arrays.stream(series.calls()).sum(), Arrays.stream(series.errors()).sum(),
					(newest >= 0) ? series.calls()[newest] : 0, (newest >= 0) ? series.errors()[newest] : 0);
		}

		/** Whether it fails no longer. */
		boolean isOver() {
			return this.newestErrors == 0 && this.newestCalls * this.errors >= EXPECTED_ERRORS * this.calls;
		}

	}

	/**
	 * The registry.
	 *
	 * @param kind {@link io.rpcboot.registry.Registry#kind()}
	 * @param description what kind, and where
	 * @param state whether it can be reached
	 * @param since when that changed last, null if it is not known
	 * @param problem what else is wrong, empty for nothing
	 */
	public record OfRegistry(String kind, String description, RegistryState state, @Nullable Instant since,
			String problem) {
	}

	/**
	 * The server.
	 *
	 * @param connections its connections
	 * @param pool the threads that run calls
	 * @param services what it offers
	 * @param presence what an operator has made of it
	 */
	public record OfServer(List<ConnectionInfo> connections, PoolInfo pool, List<ServiceInfo> services,
			RegistrationInfo presence) {
	}

	/**
	 * The client.
	 *
	 * @param connections its connections
	 * @param references what it can call
	 * @param pendingCalls calls under way
	 * @param maxPendingCalls most calls that may be under way
	 * @param queuedCalls calls that wait because as many are under way
	 */
	public record OfClient(List<ConnectionInfo> connections, List<ReferenceInfo> references, int pendingCalls,
			int maxPendingCalls, int queuedCalls) {
	}

}
