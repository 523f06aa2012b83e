package io.rpcboot.metrics.history;

import java.util.Arrays;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.metrics.history.call.Buckets;
import io.rpcboot.internal.metrics.history.call.SideHistory;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;

/**
 * Values of one side that come from its recorders. Guarded by the lock of the history.
 */
final class SideValues {

	private final SideHistory calls;

	private final Names names;

	private final int[] counts = new int[Buckets.COUNT];

	/** Failed calls at the previous tick, by status. */
	private final long[] errorsBefore = new long[RpcStatus.values().length];

	/** Counts of the transport at the previous tick. */
	private final long[] before = new long[TransportHistory.COUNTERS];

	SideValues(SideHistory calls) {
		this.calls = calls;
		this.names = (calls.side == Side.CLIENT) ? Names.CLIENT : Names.SERVER;
	}

	void tick(double seconds, @Nullable TransportHistory transport, Values values) {
		Arrays.fill(this.counts, 0);
		long longest = this.calls.tick(this.counts);
		if (this.calls.isUsed()) {
			putCalls(seconds, longest, values);
			putErrors(seconds, values);
		}
		if (transport != null) {
			values.put(this.names.connections, transport.connections());
			putFlushes(seconds, transport, values);
			if (this.calls.side == Side.CLIENT) {
				values.put(HistoryValue.CONNECTS, rise(transport, TransportHistory.CONNECTS) / seconds);
				values.put(HistoryValue.CONNECT_FAILURES, rise(transport, TransportHistory.CONNECT_FAILURES) / seconds);
			}
		}
	}

	private void putCalls(double seconds, long longest, Values values) {
		long ended = 0;
		for (int count : this.counts) {
			ended += count;
		}
		values.put(this.names.calls, ended / seconds);
		values.put(this.names.p50, millis(Buckets.percentile(this.counts, ended, 0.5), longest));
		values.put(this.names.p99, millis(Buckets.percentile(this.counts, ended, 0.99), longest));
		values.put(this.names.max, (ended > 0) ? longest / 1e6 : Double.NaN);
	}

	private static double millis(int bucket, long longest) {
		return (bucket < 0) ? Double.NaN : Buckets.duration(bucket, longest) / 1e6;
	}

	private void putErrors(double seconds, Values values) {
		long failed = 0;
		for (RpcStatus status : RpcStatus.values()) {
			long sum = this.calls.errors[status.ordinal()].sum();
			long since = sum - this.errorsBefore[status.ordinal()];
			this.errorsBefore[status.ordinal()] = sum;
			failed += since;
			if (sum > 0) {
				values.put(this.names.errors, status, since / seconds);
			}
		}
		values.put(this.names.errors, failed / seconds);
	}

	private void putFlushes(double seconds, TransportHistory transport, Values values) {
		double flushes = 0;
		for (FlushReason reason : FlushReason.values()) {
			double since = rise(transport, reason.ordinal());
			flushes += since;
			values.put(this.names.flushes, reason, since / seconds);
		}
		values.put(this.names.flushes, flushes / seconds);
		double messages = rise(transport, TransportHistory.MESSAGES);
		values.put(this.names.batch, (flushes > 0) ? messages / flushes : Double.NaN);
		values.put(this.names.stalls, rise(transport, TransportHistory.STALLS) / seconds);
	}

	/** Returns by how much a count has risen since the previous tick. */
	private double rise(TransportHistory transport, int counter) {
		long sum = transport.sum(counter);
		long rise = sum - this.before[counter];
		this.before[counter] = sum;
		return rise;
	}

	/** The values of a side. */
	private record Names(HistoryValue calls, HistoryValue errors, HistoryValue p50, HistoryValue p99, HistoryValue max,
			HistoryValue connections, HistoryValue batch, HistoryValue flushes, HistoryValue stalls) {

		static final Names CLIENT = new Names(HistoryValue.CLIENT_CALLS, HistoryValue.CLIENT_ERRORS,
				HistoryValue.CLIENT_P50, HistoryValue.CLIENT_P99, HistoryValue.CLIENT_MAX,
				HistoryValue.CLIENT_CONNECTIONS, HistoryValue.CLIENT_BATCH, HistoryValue.CLIENT_FLUSHES,
				HistoryValue.CLIENT_STALLS);

		static final Names SERVER = new Names(HistoryValue.SERVER_CALLS, HistoryValue.SERVER_ERRORS,
				HistoryValue.SERVER_P50, HistoryValue.SERVER_P99, HistoryValue.SERVER_MAX,
				HistoryValue.SERVER_CONNECTIONS, HistoryValue.SERVER_BATCH, HistoryValue.SERVER_FLUSHES,
				HistoryValue.SERVER_STALLS);

	}

}
