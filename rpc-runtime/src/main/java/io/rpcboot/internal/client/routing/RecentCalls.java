package io.rpcboot.internal.client.routing;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.Calls;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.client.outlier.CallCounts;

/**
 * Calls of a reference at one instance in the last 30 to 60 seconds, or since the last
 * {@link #read}, if that is longer: two windows of 30 s, of which one is being filled.
 * Connections count from the first {@link #read} on. Control thread.
 */
final class RecentCalls {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

	private static final int COUNTS = ConnectionStats.STATUSES + CallCounts.BUCKETS;

	/** Counts already added, by the counters of each connection. */
	private final Map<CallCounts, int[]> seen = new IdentityHashMap<>();

	/** Sums since the first look. */
	private final long[] sums = new long[COUNTS];

	/** Sums at the start of the window. */
	private long[] before = new long[COUNTS];

	/** Sums at the start of the next window. */
	private long[] next = new long[COUNTS];

	private long beforeNanos;

	private long nextNanos;

	RecentCalls(long nowNanos) {
		this.beforeNanos = nowNanos;
		this.nextNanos = nowNanos;
	}

	/**
	 * Adds the calls since the last look.
	 * @param connections connections of the instance; those that have ended are forgotten
	 * @param reference number of the reference
	 */
	void read(ClientConnection[] connections, int reference, long nowNanos) {
		Map<CallCounts, int[]> current = new IdentityHashMap<>();
		for (ClientConnection each : connections) {
			ConnectionStats load = each.load;
			load.countsCalls = true;
			load.compared = true;
			CallCounts counts = load.countsOf(reference);
			if (counts != null) {
				current.put(counts, this.seen.getOrDefault(counts, new int[COUNTS]));
			}
		}
		this.seen.forEach(this::add); // a closed connection was counted for the last time
		current.forEach((counts, marks) -> {
			if (!this.seen.containsKey(counts)) {
				add(counts, marks);
			}
		});
		this.seen.clear();
		this.seen.putAll(current);
		if (nowNanos - this.nextNanos >= WINDOW_NANOS) {
			this.before = this.next;
			this.beforeNanos = this.nextNanos;
			this.next = this.sums.clone();
			this.nextNanos = nowNanos;
		}
	}

	private void add(CallCounts counts, int[] marks) {
		for (int i = 0; i < COUNTS; i++) {
			int now = counts.get(i);
			this.sums[i] += now - marks[i];
			marks[i] = now;
		}
	}

	Calls describe(long nowNanos) {
		long[] recent = new long[COUNTS];
		Arrays.setAll(recent, (i) -> this.sums[i] - this.before[i]);
		Map<RpcStatus, Long> failures = new EnumMap<>(RpcStatus.class);
		long calls = 0;
		for (int i = 0; i < ConnectionStats.STATUSES; i++) {
			calls += recent[i];
			RpcStatus status = (i < ConnectionStats.STATUSES - 1) ? RpcStatus.values()[i] : RpcStatus.INTERNAL;
			if (recent[i] > 0 && status != RpcStatus.OK && status != RpcStatus.DECLARED) {
				failures.merge(status, recent[i], Long::sum);
			}
		}
		long[] latencies = Arrays.copyOfRange(recent, ConnectionStats.STATUSES, COUNTS);
		long window = Math.max(1, nowNanos - this.beforeNanos);
		return new Calls(calls, calls * 1e9 / window, CallCounts.percentileNanos(latencies, 0.5),
				CallCounts.percentileNanos(latencies, 0.99), failures);
	}

}
