package io.rpcboot.internal.server.connection;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.rpcboot.internal.transport.connection.Connection.Timers;
import org.jspecify.annotations.Nullable;

/**
 * Has a connection replaced that is old enough, so that load moves behind a balancer that
 * knows connections and no calls. Its client is told, and has time to open another one;
 * calls go on meanwhile. When none is under way and none comes any more, or that time is
 * over, later calls are refused; when none is under way then, the connection ends. Event
 * loop only.
 */
final class MaxConnectionAge {

	/**
	 * Ages differ by this part of it, as with gRPC: those that began together do not end
	 * so.
	 */
	static final double JITTER = 0.1;

	/** For a client to open another connection and to leave this one. */
	static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(30);

	private static final long LONGEST_QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final long SHORTEST_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int QUIET_PART = 10;

	private final Old connection;

	private final Timers timers;

	private final LongSupplier nanoTime;

	private final long ageNanos;

	private final long graceNanos;

	private final long quietNanos;

	private @Nullable Future<?> timer;

	/** When its client was told. */
	private long toldNanos;

	private long lastCall;

	private Phase phase = Phase.YOUNG;

	/**
	 * Create the age of a connection.
	 * @param ageNanos after which it is to be replaced, 0 for never
	 * @param graceNanos how long calls may be under way after that
	 */
	MaxConnectionAge(Old connection, Timers timers, long ageNanos, long graceNanos, LongSupplier nanoTime) {
		this.connection = connection;
		this.timers = timers;
		this.nanoTime = nanoTime;
		this.ageNanos = ageNanos;
		this.graceNanos = graceNanos;
		this.quietNanos = Math.max(SHORTEST_QUIET_NANOS, Math.min(LONGEST_QUIET_NANOS, ageNanos / QUIET_PART));
	}

	private enum Phase {

		YOUNG, TOLD, REFUSING

	}

	/** A connection that may be old. */
	interface Old {

		/** Whether the server would take a connection in its place. */
		boolean mayBeReplaced();

		/** Whether a shutdown has told the client to go away. */
		boolean isLeaving();

		/** Whether calls are under way. */
		boolean isBusy();

		/** The last call that has come. */
		long lastCall();

		/** Tell the client to open another connection. */
		void requestReplacement();

		/** Refuse every later call, and tell the client. */
		void announceGoAway();

		/** End it; nothing is lost by that. */
		void closeGracefully();

		/** End it although calls are under way. */
		void end(String why);

	}

	/** The connection takes calls. */
	void begins(DoubleSupplier random) {
		if (this.ageNanos > 0) {
			later(this.ageNanos * (1 - JITTER + 2 * JITTER * random.getAsDouble()));
		}
	}

	private void later(double nanos) {
		this.timer = this.timers.schedule(this::look, (long) nanos, TimeUnit.NANOSECONDS);
	}

	private void look() {
		if (this.connection.isLeaving() && this.phase != Phase.REFUSING) {
			return;
		}
		boolean ended = switch (this.phase) {
			case YOUNG -> tell();
			case TOLD -> refuse();
			case REFUSING -> end();
		};
		if (!ended) {
			later(this.quietNanos);
		}
	}

	private boolean tell() {
		if (this.connection.mayBeReplaced()) {
			this.phase = Phase.TOLD;
			this.toldNanos = this.nanoTime.getAsLong();
			this.lastCall = this.connection.lastCall();
			this.connection.requestReplacement();
		}
		return false;
	}

	private boolean refuse() {
		long last = this.connection.lastCall();
		boolean isQuiet = last == this.lastCall && !this.connection.isBusy();
		this.lastCall = last;
		if (isQuiet || sinceTold() >= Math.min(LEAVE_NANOS, this.graceNanos)) {
			this.phase = Phase.REFUSING;
			this.connection.announceGoAway();
		}
		return false;
	}

	private boolean end() {
		if (!this.connection.isBusy()) {
			this.connection.closeGracefully();
			return true;
		}
		if (sinceTold() >= this.graceNanos) {
			this.connection.end("calls are under way at the end of connection-max-age-grace, which is "
					+ Duration.ofNanos(this.graceNanos));
			return true;
		}
		return false;
	}

	private long sinceTold() {
		return this.nanoTime.getAsLong() - this.toldNanos;
	}

	/** Whether its client was told to open another one. */
	boolean isOld() {
		return this.phase != Phase.YOUNG;
	}

	/** The connection is closed. */
	void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
