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
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Input of {@link Diagnostics}: the state of the engine at one moment, and the history of
 * the minutes before.
 *
 * @param now the moment
 * @param registry the registry, null for none
 * @param server the server, null for none
 * @param client the client, null for none
 * @param tls TLS of server and client
 * @param past values of the last minutes, empty without a history
 * @param methods the methods that were called, busiest first
 * @param failed failed calls, latest first
 * @param recentCalls recent calls of methods with many failures
 * @since 0.1.0
 */
public record DiagnosticSnapshot(Instant now, @Nullable OfRegistry registry, @Nullable OfServer server,
		@Nullable OfClient client, List<TlsDescriptor> tls, HistoryWindow past, List<MethodStats> methods,
		List<NotedCall> failed, Map<MethodStats, RecentCalls> recentCalls) {

	/** Time that counts as recent. */
	public static final Duration RECENT = Duration.ofSeconds(15);

	/**
	 * Recent calls of a method.
	 *
	 * @param calls calls
	 * @param errors failed calls
	 * @param newestCalls calls of the newest interval
	 * @param newestErrors failed calls of the newest interval
	 * @param failures failed calls of the last {@link HistoryWindow#LENGTH}
	 */
	public record RecentCalls(long calls, long errors, long newestCalls, long newestErrors, long failures) {

		/**
		 * Expected failures of the newest interval from which on their absence is no
		 * chance.
		 */
		private static final int EXPECTED_ERRORS = 5;

		/**
		 * Sums up a time series.
		 * @param series calls of the last {@link HistoryWindow#LENGTH}
		 * @param since start of the recent calls, in milliseconds since 1970
		 */
		public static RecentCalls of(MethodSeries series, long since) {
			long[] calls = series.calls();
			long[] errors = series.errors();
			int first = 0;
			while (first < calls.length && series.times()[first] <= since) {
				first++;
			}
			int newest = calls.length - 1;
			return new RecentCalls(Arrays.stream(calls, first, calls.length).sum(),
					Arrays.stream(errors, first, errors.length).sum(), (newest >= first) ? calls[newest] : 0,
					(newest >= first) ? errors[newest] : 0, Arrays.stream(errors).sum());
		}

		/**
		 * Returns true if failures have stopped: none in the newest interval although at
		 * least {@link #EXPECTED_ERRORS} were expected. Example: 30 of 100 calls failed;
		 * 17 newest calls without a failure are enough.
		 */
		boolean isOver() {
			return this.newestErrors == 0 && this.newestCalls * this.errors >= EXPECTED_ERRORS * this.calls;
		}

	}

	/**
	 * State of the registry.
	 *
	 * @param kind {@link io.rpcboot.registry.Registry#kind()}
	 * @param description kind and address
	 * @param state whether the registry can be reached
	 * @param since last change of the state, null if unknown
	 * @param problem why the registry cannot be used, empty for none
	 */
	public record OfRegistry(String kind, String description, RegistryState state, @Nullable Instant since,
			String problem) {
	}

	/**
	 * State of the server.
	 *
	 * @param connections its connections
	 * @param pool the threads that run calls
	 * @param services offered services
	 * @param presence registration as operators set it
	 */
	public record OfServer(List<ConnectionInfo> connections, PoolInfo pool, List<ServiceInfo> services,
			RegistrationInfo presence) {
	}

	/**
	 * State of the client.
	 *
	 * @param connections its connections
	 * @param references its references
	 * @param pendingCalls pending calls
	 * @param maxPendingCalls most pending calls
	 * @param queuedCalls calls that wait because {@code maxPendingCalls} is reached
	 */
	public record OfClient(List<ConnectionInfo> connections, List<ReferenceInfo> references, int pendingCalls,
			int maxPendingCalls, int queuedCalls) {
	}

}
