package io.rpcboot.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.transport.CallTable;
import io.rpcboot.internal.transport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Ends the asynchronous calls of a connection when their time is over; a blocking caller
 * looks at the clock itself. One timer for all: it is set for the earliest deadline, but
 * never closer than ten milliseconds to the one before. Event loop only.
 */
final class PendingTimeouts {

	private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int MIN_PURGE = 64;

	private final Connection connection;

	private final CallTable<ClientCall> pending;

	private final ArrayDeque<ClientCall> held = new ArrayDeque<>();

	private int purgeAt = MIN_PURGE;

	/** A timer that is not the latest does nothing. */
	private int latestTimer;

	private boolean armed;

	private @Nullable Future<?> timer;

	private long nextNanos;

	PendingTimeouts(Connection connection, CallTable<ClientCall> pending) {
		this.connection = connection;
		this.pending = pending;
	}

	/** A call was entered into the table. */
	void watch(ClientCall call) {
		arm(call.deadlineNanos());
	}

	/** A call waits for a grant or for the socket and is in no table. */
	void watchHeld(ClientCall call) {
		if (!call.isAsynchronous() || call.watchedBy == call.connection) {
			return;
		}
		call.watchedBy = call.connection;
		if (this.held.size() >= this.purgeAt) {
			this.held.removeIf((other) -> other.state > ClientCall.QUEUED);
			this.purgeAt = Math.max(MIN_PURGE, 2 * this.held.size());
		}
		this.held.add(call);
		arm(call.deadlineNanos());
	}

	private void arm(long deadlineNanos) {
		if (this.armed && this.nextNanos - deadlineNanos <= MIN_PAUSE_NANOS) {
			return;
		}
		this.armed = true;
		this.nextNanos = deadlineNanos;
		long delay = Math.max(MIN_PAUSE_NANOS, deadlineNanos - System.nanoTime());
		int timer = ++this.latestTimer;
		this.timer = this.connection.loop().schedule(() -> {
			if (timer == this.latestTimer) {
				sweep();
			}
		}, delay, TimeUnit.NANOSECONDS);
	}

	/** The connection is closed. */
	void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	private void sweep() {
		this.armed = false;
		long now = System.nanoTime();
		this.held.removeIf((call) -> call.state > ClientCall.QUEUED);
		List<ClientCall> watched = new ArrayList<>(this.held);
		this.pending.forEach((call) -> {
			if (call.isAsynchronous()) {
				watched.add(call);
			}
		});
		List<ClientCall> late = new ArrayList<>();
		long earliest = Long.MAX_VALUE;
		for (ClientCall call : watched) {
			long remaining = call.deadlineNanos() - now;
			if (remaining <= 0) {
				late.add(call);
			}
			else {
				earliest = Math.min(earliest, remaining);
			}
		}
		late.forEach(ClientCall::expire);
		if (earliest != Long.MAX_VALUE) {
			arm(now + Math.max(earliest, MIN_PAUSE_NANOS));
		}
	}

}
