package io.rpcboot.internal.server.connection;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.rpcboot.internal.transport.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether a client takes its responses: drops expired ones while some are
 * blocked, and closes the connection if its client takes nothing while memory is short.
 * Event loop only, except where a method says "Any thread".
 */
public final class ResponseProgress {

	/** Interval of the search for expired responses while some are blocked. */
	private static final int STALE_MILLIS = 500;

	/**
	 * Ticks of 100 ms in a row without progress, while memory is short, after which the
	 * connection is closed. Other clients wait for its memory until then: less than a
	 * second, also on a busy event loop.
	 */
	private static final int MAX_STANDING_TICKS = 6;

	/**
	 * Ticks in a row without progress after which {@link #takesResults} becomes false.
	 */
	private static final int STANDING_TICKS = 4;

	/** Unsent bytes above which a client does not count as one that reads responses. */
	private static final int MAX_UNSENT = 64 * 1024;

	private final Connection connection;

	private final AtomicLong unsent;

	private final LongSupplier progress;

	private final BooleanSupplier dropExpired;

	private final Consumer<String> end;

	/**
	 * Ticks that the event loop has not handled. It may be late through no fault of the
	 * client.
	 */
	private final AtomicInteger pendingTicks = new AtomicInteger();

	private @Nullable Future<?> staleTimer;

	private int lastTick;

	private int standingTicks;

	private long progressAtTick = -1;

	/**
	 * True if the client has raised its window after it received responses, and has made
	 * progress since. Written by the event loop.
	 */
	private volatile boolean takesResults;

	/**
	 * Creates a watch.
	 * @param unsent bytes of responses that wait or are being written
	 * @param progress returns a number that changes while the client takes responses
	 * @param dropExpired drops expired responses and returns true if others are blocked
	 * @param end closes the connection for a reason
	 */
	public ResponseProgress(Connection connection, AtomicLong unsent, LongSupplier progress,
			BooleanSupplier dropExpired, Consumer<String> end) {
		this.connection = connection;
		this.unsent = unsent;
		this.progress = progress;
		this.dropExpired = dropExpired;
		this.end = end;
	}

	/** Drops blocked responses at their deadlines, from now on until none is blocked. */
	public void watchBlocked() {
		if (this.staleTimer == null) {
			this.staleTimer = this.connection.loop().schedule(this::dropStale, STALE_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	private void dropStale() {
		this.staleTimer = null;
		if (this.dropExpired.getAsBoolean()) {
			watchBlocked();
		}
	}

	/**
	 * Checks the progress of the client while memory is short, and closes the connection
	 * after MAX_STANDING_TICKS without progress. Ticks that the event loop handles
	 * together count as one, because it neither read nor wrote between them. Any thread,
	 * once in each tick of 100 ms.
	 */
	public void relieve(int tick) {
		if (this.unsent.get() > 0 && this.pendingTicks.getAndIncrement() == 0) {
			this.connection.execute(() -> relieveNow(tick));
		}
	}

	private void relieveNow(int tick) {
		int ticks = this.pendingTicks.getAndSet(0);
		long waiting = this.unsent.get();
		long now = this.progress.getAsLong();
		boolean stands = waiting > 0 && now == this.progressAtTick && tick == this.lastTick + 1;
		this.standingTicks = stands ? this.standingTicks + 1 : 0;
		this.takesResults &= this.standingTicks < STANDING_TICKS;
		this.lastTick = tick + ticks - 1;
		this.progressAtTick = now;
		if (this.standingTicks >= MAX_STANDING_TICKS) {
			this.end.accept(
					"rpc.server.memory.limit: memory is short, and its client takes none of the %d bytes of results that wait"
						.formatted(waiting));
		}
	}

	/** Notes that the client has raised its window after it received responses. */
	public void onResultsTaken() {
		this.takesResults = true;
	}

	/**
	 * Returns true if the client has shown that it reads its responses and few of them
	 * wait. A connection and a request alone show nothing. Any thread.
	 */
	public boolean takesResults() {
		return this.takesResults && this.unsent.get() <= MAX_UNSENT;
	}

	/** Stops the timer: the connection is closed. */
	public void stop() {
		if (this.staleTimer != null) {
			this.staleTimer.cancel(false);
		}
	}

}
