package io.rpcboot.internal.client.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.CallTable;
import org.jspecify.annotations.Nullable;

/**
 * Expires the asynchronous calls of a connection at their deadlines. A blocking caller
 * watches its deadline itself. One timer serves all calls: it fires at the earliest
 * deadline, at most every 10 ms. With more than 1,024 pending calls it visits only the
 * calls of the next 100 ms, and all calls every tenth time. Event loop only.
 */
public final class DeadlineTimer {

	private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/**
	 * With more than {@link #FEW} pending calls: a visit of all calls collects those
	 * whose deadline is in this time, so that the next visit is at least as far away.
	 */
	private static final long AHEAD_NANOS = 10 * MIN_PAUSE_NANOS;

	/** Number of pending calls up to which the timer visits all calls each time. */
	private static final int FEW = 1024;

	/** Time from now to a deadline that no call has; stands for "no deadline". */
	private static final long FAR_NANOS = Long.MAX_VALUE / 2;

	private final Connection connection;

	private final CallTable<ClientCall> pending;

	/** Calls that are blocked in the write queue and therefore not in the table. */
	private final Watched blocked = new Watched((call) -> call.state > ClientCall.QUEUED);

	/** Calls with a deadline up to {@link #nearNanos}. */
	private final Watched near = new Watched(ClientCall::isAbandoned);

	private long nearNanos = System.nanoTime();

	/** Earliest deadline of all other calls. */
	private long beyondNanos = this.nearNanos + FAR_NANOS;

	/** Null while the timer is not set. */
	private @Nullable Future<?> timer;

	/** Time at which the timer fires. */
	private long nextNanos;

	DeadlineTimer(Connection connection, CallTable<ClientCall> pending) {
		this.connection = connection;
		this.pending = pending;
	}

	/** Watches a call that was put into the table. */
	public void watch(ClientCall call) {
		sort(call);
		arm(call.deadlineNanos());
	}

	/** Watches a call that waits for window bytes in the write queue. */
	public void watchBlocked(ClientCall call) {
		if (call.isAsynchronous() && call.watchedBy != call.connection) {
			call.watchedBy = call.connection;
			this.blocked.add(call);
			watch(call);
		}
	}

	private void arm(long deadlineNanos) {
		if (this.timer != null && this.nextNanos - deadlineNanos <= MIN_PAUSE_NANOS) {
			return;
		}
		this.nextNanos = deadlineNanos;
		long delay = Math.max(MIN_PAUSE_NANOS, deadlineNanos - System.nanoTime());
		stop();
		this.timer = this.connection.loop().schedule(this::sweep, delay, TimeUnit.NANOSECONDS);
	}

	void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	private void sweep() {
		this.timer = null;
		long now = System.nanoTime();
		if (now - this.beyondNanos >= 0) {
			visitAll(now);
		}
		List<ClientCall> late = new ArrayList<>();
		long earliest = this.beyondNanos;
		this.near.purge();
		for (ClientCall call : this.near.calls) {
			long deadline = call.deadlineNanos();
			if (deadline - now <= 0) {
				late.add(call);
			}
			else if (deadline - earliest < 0) {
				earliest = deadline;
			}
		}
		late.forEach(ClientCall::expire);
		this.near.purge();
		if (earliest - now < FAR_NANOS / 2) {
			arm(Math.max(earliest - now, MIN_PAUSE_NANOS) + now);
		}
	}

	/** Finds the calls whose deadlines are near. */
	private void visitAll(long now) {
		this.nearNanos = now + ((this.pending.size() > FEW) ? AHEAD_NANOS : 0);
		this.beyondNanos = now + FAR_NANOS;
		this.near.calls.clear();
		this.blocked.purge();
		this.blocked.calls.forEach(this::sort);
		this.pending.forEach((call) -> {
			if (call.isAsynchronous()) {
				sort(call);
			}
		});
	}

	private void sort(ClientCall call) {
		long deadline = call.deadlineNanos();
		if (deadline - this.nearNanos <= 0) {
			this.near.add(call);
		}
		else if (deadline - this.beyondNanos < 0) {
			this.beyondNanos = deadline;
		}
	}

	/**
	 * A list of calls. When its size has doubled since the last purge, calls that no
	 * longer need to be watched are removed.
	 */
	private static final class Watched {

		private static final int MIN_PURGE = 64;

		private final List<ClientCall> calls = new ArrayList<>();

		private final Predicate<ClientCall> unneeded;

		private int purgeAt = MIN_PURGE;

		Watched(Predicate<ClientCall> unneeded) {
			this.unneeded = unneeded;
		}

		void add(ClientCall call) {
			if (this.calls.size() >= this.purgeAt) {
				purge();
			}
			this.calls.add(call);
		}

		void purge() {
			this.calls.removeIf(this.unneeded);
			this.purgeAt = Math.max(MIN_PURGE, 2 * this.calls.size());
		}

	}

}
