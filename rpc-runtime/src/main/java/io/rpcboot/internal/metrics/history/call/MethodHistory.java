package io.rpcboot.internal.metrics.history.call;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one method. A tracked method has durations of its own, and the tick counts its
 * calls; an untracked method counts its calls itself, and their durations go to those of
 * the side. There may be 10,000 of these objects, so they are small. Any thread.
 */
final class MethodHistory implements CallRecorder {

	private static final AtomicLongFieldUpdater<MethodHistory> CALLS = AtomicLongFieldUpdater
		.newUpdater(MethodHistory.class, "calls");

	private static final AtomicLongFieldUpdater<MethodHistory> ERRORS = AtomicLongFieldUpdater
		.newUpdater(MethodHistory.class, "errors");

	private final SideHistory side;

	private final MethodDescriptor method;

	/**
	 * Durations while the method is tracked, else null; written under the lock of the
	 * side.
	 */
	private volatile @Nullable Durations durations;

	/** Calls since the start, without those that were not drained yet. */
	private volatile long calls;

	/** Failed calls since the start. */
	private volatile long errors;

	/** Lower half of {@code calls} at the start of the window of rates. */
	private int callsBefore;

	/** Lower half of {@code calls} at the start of the next window. */
	private int callsNext;

	private int errorsBefore;

	private int errorsNext;

	MethodHistory(SideHistory side, MethodDescriptor method) {
		this.side = side;
		this.method = method;
	}

	/** Marks the method as never tracked, as if its first call were over. */
	MethodHistory unlisted() {
		this.calls = 1;
		return this;
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		add(status, nanos, 0, peer, null);
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
		add(status, nanos, details.waitedNanos(), peer, details);
	}

	private void add(RpcStatus status, long nanos, long waited, String peer, @Nullable CallDetails details) {
		int bucket = Buckets.of(nanos);
		Durations own = this.durations;
		if (own == null) {
			own = untracked(1);
		}
		own.took(nanos);
		own.add(bucket, 1);
		if (waited >= Durations.LEAST_WAIT) {
			own.waited(Math.min(waited, nanos));
		}
		if (status != RpcStatus.OK) {
			failed(status, nanos, waited, 1, peer, details);
		}
		if (this.side.noted.slow.admits(bucket)) {
			this.side.noted.slow(this.side.side, this.method, status, nanos, waited, peer, details);
		}
	}

	/**
	 * {@inheritDoc} Calls of a batch have similar durations, so consecutive calls of one
	 * bucket are added at once.
	 */
	@Override
	public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
		Durations own = this.durations;
		if (own == null) {
			own = untracked(calls);
		}
		int bucket = Buckets.of(nanos[0]);
		int alike = 0;
		int slowest = 0;
		long waits = 0;
		for (int i = 0; i < calls; i++) {
			int each = Buckets.of(nanos[i]);
			if (each != bucket) {
				own.add(bucket, alike);
				bucket = each;
				alike = 0;
			}
			alike++;
			slowest = (nanos[i] > nanos[slowest]) ? i : slowest;
			waits += (waited[i] >= Durations.LEAST_WAIT) ? Math.min(waited[i], nanos[i]) : 0;
		}
		own.add(bucket, alike);
		own.took(nanos[slowest]);
		if (waits > 0) {
			own.waited(waits);
		}
		if (status != RpcStatus.OK) {
			failed(status, nanos[slowest], waited[slowest], calls, peer, null);
		}
		if (this.side.noted.slow.admits(Buckets.of(nanos[slowest]))) {
			slow(status, nanos, waited, calls, peer);
		}
	}

	private void slow(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
		for (int i = 0; i < calls; i++) {
			if (this.side.noted.slow.admits(Buckets.of(nanos[i]))) {
				this.side.noted.slow(this.side.side, this.method, status, nanos[i], waited[i], peer, null);
			}
		}
	}

	/**
	 * Returns the durations for calls of an untracked method. Its first call starts
	 * tracking if there is a free place.
	 */
	private Durations untracked(int calls) {
		if (this.calls == 0) {
			this.side.track(this);
			Durations own = this.durations;
			if (own != null) {
				return own;
			}
		}
		count(calls);
		return this.side.rest;
	}

	private void failed(RpcStatus status, long nanos, long waited, int calls, String peer,
			@Nullable CallDetails details) {
		if (status == RpcStatus.DECLARED) {
			return;
		}
		ERRORS.getAndAdd(this, calls);
		this.side.errors[status.ordinal()].add(calls);
		for (int i = 0; i < calls && this.side.noted.failed.admits(status); i++) {
			this.side.noted.failed(this.side.side, this.method, status, nanos, waited, peer, details);
		}
	}

	/**
	 * Adds calls that were drained from its durations, or were added to those of the
	 * side.
	 */
	void count(long drained) {
		CALLS.getAndAdd(this, drained);
	}

	void track(@Nullable Durations durations) {
		this.durations = durations;
	}

	boolean isTracked() {
		return this.durations != null;
	}

	long calls() {
		return this.calls;
	}

	long errors() {
		return this.errors;
	}

	/** Returns the calls in the window of rates, exactly. */
	int recentCalls() {
		return (int) this.calls - this.callsBefore;
	}

	int recentErrors() {
		return (int) this.errors - this.errorsBefore;
	}

	/** Starts the next window of rates. */
	void shift() {
		this.callsBefore = this.callsNext;
		this.callsNext = (int) this.calls;
		this.errorsBefore = this.errorsNext;
		this.errorsNext = (int) this.errors;
	}

	/**
	 * Returns true if the descriptor means this method. References may have different
	 * descriptors of one method.
	 */
	boolean isOf(MethodDescriptor other) {
		return this.method.method().equals(other.method())
				|| this.method.name().equals(other.name()) && signature().equals(other.signature());
	}

	String service() {
		return this.method.service().toString();
	}

	String signature() {
		return this.method.signature();
	}

}
