package io.rpcboot.internal.server.connection;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.rpcboot.internal.transport.connection.Connection.Timers;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a connection at a maximum age, so that load moves behind a balancer that
 * balances connections and not calls (gRPC: MAX_CONNECTION_AGE). Three steps: request the
 * client to open another connection; once no call arrives and none is in flight, or after
 * {@link #LEAVE_NANOS}, reject later calls; once no call is in flight, or after the grace
 * period, close. Event loop only.
 */
public final class MaxConnectionAge {

	/**
	 * Jitter as a fraction of the age, as in gRPC: connections that start together end
	 * apart.
	 */
	static final double JITTER = 0.1;

	/** Reason why a connection ends that is old. */
	public static final String AGED = "the connection is as old as it may become; the server goes on";

	/** Time for the client to move its calls to another connection. */
	static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(30);

	/** Longest interval of the checks. */
	private static final long LONGEST_QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Shortest interval of the checks. */
	private static final long SHORTEST_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Interval of the checks: age / QUIET_PART, within both bounds. */
	private static final int QUIET_PART = 10;

	private final AgingConnection connection;

	private final Timers timers;

	private final LongSupplier nanoTime;

	private final long ageNanos;

	private final long graceNanos;

	private final long quietNanos;

	private @Nullable Future<?> timer;

	/** Time of the request to the client. */
	private long requestedNanos;

	/** Call id at the last check. */
	private long lastCall;

	private Phase phase = Phase.YOUNG;

	/** Reason of an end that does not depend on the age; null without one. */
	private @Nullable String ended;

	private boolean expired;

	/**
	 * Creates the age of a connection.
	 * @param ageNanos maximum age, 0 for no limit
	 * @param graceNanos longest time for calls in flight after that
	 */
	public MaxConnectionAge(AgingConnection connection, Timers timers, long ageNanos, long graceNanos,
			LongSupplier nanoTime) {
		this.connection = connection;
		this.timers = timers;
		this.nanoTime = nanoTime;
		this.ageNanos = ageNanos;
		this.graceNanos = graceNanos;
		this.quietNanos = Math.max(SHORTEST_QUIET_NANOS, Math.min(LONGEST_QUIET_NANOS, ageNanos / QUIET_PART));
	}

	private enum Phase {

		YOUNG, LEAVING, REJECTING

	}

	/** Connection whose age is limited. */
	public interface AgingConnection {

		/** Returns true if the server accepts one more connection. */
		boolean mayBeReplaced();

		/** Returns true if later calls are rejected already. */
		boolean isLeaving();

		/** Returns true while calls are in flight. */
		boolean isBusy();

		/** Returns the highest call id that has arrived. */
		long lastCall();

		/** Requests the client to open another connection. */
		void requestReplacement();

		/** Rejects later calls and sends GO_AWAY. */
		void announceGoAway();

		/** Closes when all frames are written. */
		void closeGracefully();

		/** Closes although calls are in flight. */
		void closeWithError(String why);

	}

	/** Starts the timer: the connection accepts calls. */
	public void begins(DoubleSupplier random) {
		if (this.ageNanos > 0) {
			later(this.ageNanos * (1 - JITTER + 2 * JITTER * random.getAsDouble()));
		}
	}

	/** Replaces the connection now, whatever its age is. Idempotent. */
	public void expire() {
		if (!this.expired) {
			this.expired = true;
			if (this.phase == Phase.YOUNG) {
				stop();
				check();
			}
		}
	}

	/**
	 * Rejects later calls at once, and closes when no call is in flight or after the
	 * grace period.
	 * @param why the reason
	 */
	public void end(String why) {
		if (this.connection.isLeaving()) {
			return;
		}
		stop();
		this.ended = why;
		this.phase = Phase.REJECTING;
		this.requestedNanos = this.nanoTime.getAsLong();
		this.connection.announceGoAway();
		later(this.quietNanos);
	}

	private void later(double nanos) {
		this.timer = this.timers.schedule(this::check, (long) nanos, TimeUnit.NANOSECONDS);
	}

	private void check() {
		if (this.connection.isLeaving() && this.phase != Phase.REJECTING) {
			return;
		}
		boolean ended = switch (this.phase) {
			case YOUNG -> requestReplacement();
			case LEAVING -> reject();
			case REJECTING -> close();
		};
		if (!ended) {
			later(this.quietNanos);
		}
	}

	private boolean requestReplacement() {
		if (this.connection.mayBeReplaced()) {
			this.phase = Phase.LEAVING;
			this.requestedNanos = this.nanoTime.getAsLong();
			this.lastCall = this.connection.lastCall();
			this.connection.requestReplacement();
		}
		return false;
	}

	private boolean reject() {
		long last = this.connection.lastCall();
		boolean isQuiet = last == this.lastCall && !this.connection.isBusy();
		this.lastCall = last;
		if (isQuiet || sinceRequest() >= Math.min(LEAVE_NANOS, this.graceNanos)) {
			this.phase = Phase.REJECTING;
			this.connection.announceGoAway();
		}
		return false;
	}

	private boolean close() {
		if (!this.connection.isBusy()) {
			this.connection.closeGracefully();
			return true;
		}
		if (sinceRequest() >= this.graceNanos) {
			this.connection
				.closeWithError("calls are in flight at the end of rpc.server.connection-max-age-grace, which is "
						+ Duration.ofNanos(this.graceNanos));
			return true;
		}
		return false;
	}

	private long sinceRequest() {
		return this.nanoTime.getAsLong() - this.requestedNanos;
	}

	/** Returns true once the client was requested to open another connection. */
	public boolean isOld() {
		return this.phase != Phase.YOUNG && this.ended == null;
	}

	/** Returns the reason why the connection ends, null if it does not. */
	public @Nullable String whyEnding() {
		return isOld() ? AGED : this.ended;
	}

	/** Stops the timer: the connection is closed. */
	public void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
