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
 * Ends the asynchronous calls of a connection when their time is over; a blocking caller
 * looks at the clock itself. One timer for all: it is set for the earliest deadline, but
 * never closer than ten milliseconds to the one before. Of many calls each look meets
 * only those whose time is over soon, and every tenth meets all. Event loop only.
 */
final class DeadlineTimer {

	private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** So far ahead a look at all calls sees, that the next looks need not... */
	private static final long AHEAD_NANOS = 10 * MIN_PAUSE_NANOS;

	/** ... if they are more than this. */
	private static final int FEW = 1024;

	/** Later than any call ends. */
	private static final long FAR_NANOS = Long.MAX_VALUE / 2;

	private final Connection connection;

	private final CallTable<ClientCall> pending;

	/** Those in no table. */
	private final Watched held = new Watched((call) -> call.state > ClientCall.QUEUED);

	/** Those that end by {@link #seenNanos}; of the others none ends before the next. */
	private final Watched near = new Watched(ClientCall::isAbandoned);

	private long seenNanos = System.nanoTime();

	private long beyondNanos = this.seenNanos + FAR_NANOS;

	/** Null while none is set. */
	private @Nullable Future<?> timer;

	private long nextNanos;

	DeadlineTimer(Connection connection, CallTable<ClientCall> pending) {
		this.connection = connection;
		this.pending = pending;
	}

	/** A call was entered into the table. */
	void watch(ClientCall call) {
		sort(call);
		arm(call.deadlineNanos());
	}

	/** A call waits for a grant or for the socket and is in no table. */
	void watchHeld(ClientCall call) {
		if (call.isAsynchronous() && call.watchedBy != call.connection) {
			call.watchedBy = call.connection;
			this.held.add(call);
			watch(call);
		}
	}

	private void arm(long deadlineNanos) {
		if (this.timer != null && this.nextNanos - deadlineNanos <= MIN_PAUSE_NANOS) {
			return;
		}
		this.nextNanos = deadlineNanos;
		long delay = Math.max(MIN_PAUSE_NANOS, deadlineNanos - System.nanoTime());
		stop(); // the one before may be for much later
		this.timer = this.connection.loop().schedule(this::sweep, delay, TimeUnit.NANOSECONDS);
	}

	/** The connection is closed. */
	void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	private void sweep() {
		this.timer = null;
		long now = System.nanoTime();
		if (now - this.beyondNanos >= 0) {
			lookAtAll(now);
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

	/** Find those that end soon. */
	private void lookAtAll(long now) {
		this.seenNanos = now + ((this.pending.size() > FEW) ? AHEAD_NANOS : 0);
		this.beyondNanos = now + FAR_NANOS;
		this.near.calls.clear();
		this.held.purge();
		this.held.calls.forEach(this::sort);
		this.pending.forEach((call) -> {
			if (call.isAsynchronous()) {
				sort(call);
			}
		});
	}

	private void sort(ClientCall call) {
		long deadline = call.deadlineNanos();
		if (deadline - this.seenNanos <= 0) {
			this.near.add(call);
		}
		else if (deadline - this.beyondNanos < 0) {
			this.beyondNanos = deadline;
		}
	}

	/** Calls that do not say when they leave. */
	private static final class Watched {

		private static final int MIN_PURGE = 64;

		private final List<ClientCall> calls = new ArrayList<>();

		private final Predicate<ClientCall> hasLeft;

		private int purgeAt = MIN_PURGE;

		Watched(Predicate<ClientCall> hasLeft) {
			this.hasLeft = hasLeft;
		}

		void add(ClientCall call) {
			if (this.calls.size() >= this.purgeAt) {
				purge();
			}
			this.calls.add(call);
		}

		void purge() {
			this.calls.removeIf(this.hasLeft);
			this.purgeAt = Math.max(MIN_PURGE, 2 * this.calls.size());
		}

	}

}
