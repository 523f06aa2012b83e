package io.rpcboot.internal.transport.connection;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.rpcboot.internal.memory.UnusedGrant;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose peer was granted memory and does not use it while others need
 * it: a body that arrives too slowly, a requested body that does not begin, or the rest
 * of a request after a smaller body. Event loop only.
 * <p>
 * The rate of a body is kept by a token bucket: received bytes fill it up to the burst,
 * the clock drains it by the least rate, and a body is too slow when it is empty. So
 * bytes that arrived long ago buy no silence: a body stands still for a second, however
 * much of it has arrived.
 * <p>
 * Bytes of the peer may be unread because the event loop had no time, for example during
 * a garbage collection. So checks become short before the bucket is empty, and a short
 * check that is late counts as one in time: the loop has read between two of them.
 */
public final class MinDataRateMonitor {

	/**
	 * Time to begin a requested body: enough for two round trips across the world, a
	 * packet that is lost twice, or a pause of the garbage collector.
	 */
	private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Interval while the bucket has tokens for less than CHECK_NANOS. */
	private static final long SHORT_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * Tokens that remain at least after a check that was late, in seconds of the least
	 * rate.
	 */
	private static final double TOKENS_IF_LATE = 0.2;

	/** Tokens of a new body, in seconds of the least rate. */
	private static final double FIRST_TOKENS = 1;

	/** Capacity of the bucket: the first tokens and those of one check. */
	private static final double BURST = 1.25;

	private static final double NANOS_PER_SECOND = 1e9;

	private final Connection connection;

	private final long bytesPerSecond;

	private final UnusedGrant unused;

	private final Consumer<String> end;

	private final LongSupplier clock;

	private long owedSinceNanos;

	/** Number of the unused grant at the last check, 0 for none. */
	private long lastOwed;

	private long nextCheckNanos;

	/** True if the next check comes after SHORT_CHECK_NANOS. */
	private boolean isShort;

	/** Bytes that the body may still fall behind. */
	private double tokens;

	/** Begin of the body of the last check. */
	private long bodyBeganNanos;

	/** Bytes of that body at the last check. */
	private int bodyBytes;

	private long checkedNanos;

	private final Held smallBody = new Held();

	private final Held openRequest = new Held();

	private @Nullable Future<?> timer;

	/**
	 * Creates a monitor.
	 * @param connection the connection
	 * @param bytesPerSecond smallest rate of a body after its first second, 0 for any
	 * @param unused grant that the peer does not use yet
	 * @param end closes the connection
	 */
	public MinDataRateMonitor(Connection connection, long bytesPerSecond, UnusedGrant unused, Consumer<String> end) {
		this(connection, bytesPerSecond, unused, end, System::nanoTime);
	}

	MinDataRateMonitor(Connection connection, long bytesPerSecond, UnusedGrant unused, Consumer<String> end,
			LongSupplier clock) {
		this.connection = connection;
		this.bytesPerSecond = bytesPerSecond;
		this.unused = unused;
		this.end = end;
		this.clock = clock;
	}

	/** Starts checks when a large body begins or memory for one is granted. */
	public void watch() {
		if (this.bytesPerSecond > 0 && this.timer == null) {
			this.owedSinceNanos = this.clock.getAsLong();
			checkLater();
		}
	}

	private void checkLater() {
		long nanos = this.isShort ? SHORT_CHECK_NANOS : CHECK_NANOS;
		this.nextCheckNanos = this.clock.getAsLong() + nanos;
		this.timer = this.connection.loop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
	}

	private void check() {
		this.timer = null;
		long now = this.clock.getAsLong();
		boolean inBody = this.connection.isInBody();
		long nowOwed = this.unused.owed();
		long body = this.unused.smallBody();
		long request = this.unused.openRequest();
		if (!inBody && nowOwed == 0 && body == 0 && request == 0) {
			return;
		}
		boolean late = now - this.nextCheckNanos > CHECK_NANOS; // received bytes may
																// be unread
		// the requested body, not a small one now and then
		boolean uses = inBody && !this.unused.isPartlyPaid();
		if (late || uses || nowOwed != this.lastOwed) {
			this.owedSinceNanos = now;
			this.lastOwed = nowOwed;
		}
		boolean wanted = !late && this.unused.isWanted();
		if (isSlow(now, inBody, wanted)) {
			this.end.accept("memory.least-rate: a body arrives with less than %d bytes per second"
				.formatted(this.bytesPerSecond));
		}
		else if (isHeld(body, request, late)) {
			this.end.accept(
					"memory.least-rate: a message lacks its end after the time that it takes with %d bytes per second"
						.formatted(this.bytesPerSecond));
		}
		else if (wanted && nowOwed != 0 && now - this.owedSinceNanos > BEGIN_NANOS) {
			this.end.accept("memory.least-rate: a requested body does not arrive");
		}
		else {
			checkLater();
		}
	}

	/**
	 * Returns true if a small body, or a request without one, has been the oldest for a
	 * second and the time that all bodies of the connection take at the least rate.
	 * Checks in time are counted, so that bytes that wait in the socket are no fault of
	 * the peer.
	 */
	private boolean isHeld(long body, long request, boolean late) {
		boolean isWanted = this.unused.isWanted();
		long nanos = late ? 0 : this.isShort ? SHORT_CHECK_NANOS : CHECK_NANOS;
		double most = (FIRST_TOKENS + (double) this.unused.smallBytes() / this.bytesPerSecond) * NANOS_PER_SECOND;
		this.smallBody.check(body, isWanted, nanos);
		this.openRequest.check(request, isWanted, nanos);
		return Math.max(this.smallBody.nanos, this.openRequest.nanos) > most;
	}

	/** Time for which the oldest of a kind has been the same while memory was short. */
	private static final class Held {

		/** Its number at the last check, 0 for none. */
		private long number;

		private long nanos;

		void check(long current, boolean isWanted, long passed) {
			boolean isSame = current != 0 && current == this.number && isWanted;
			this.nanos = isSame ? this.nanos + passed : 0;
			this.number = current;
		}

	}

	/** Fills and drains the bucket. Returns true if it is empty while memory is short. */
	private boolean isSlow(long now, boolean inBody, boolean wanted) {
		if (!inBody) {
			this.isShort = false;
			return false;
		}
		long began = this.connection.bodyBeganNanos();
		int received = this.connection.bodyBytes();
		if (began != this.bodyBeganNanos || received < this.bodyBytes) { // another body
			this.bodyBeganNanos = began;
			this.bodyBytes = 0;
			this.checkedNanos = began;
			this.tokens = FIRST_TOKENS * this.bytesPerSecond;
		}
		double filled = Math.min(BURST * this.bytesPerSecond, this.tokens + received - this.bodyBytes);
		long elapsed = now - this.checkedNanos;
		long counted = this.isShort ? Math.min(elapsed, SHORT_CHECK_NANOS) : elapsed;
		double left = filled - counted / NANOS_PER_SECOND * this.bytesPerSecond;
		boolean late = !this.isShort && now - this.nextCheckNanos > SHORT_CHECK_NANOS;
		this.tokens = wanted && !late ? left : Math.max(late ? TOKENS_IF_LATE * this.bytesPerSecond : 0, left);
		this.isShort = wanted && this.tokens <= CHECK_NANOS / NANOS_PER_SECOND * this.bytesPerSecond;
		this.bodyBytes = received;
		this.checkedNanos = now;
		return this.tokens < 0;
	}

	/** Stops the checks when the connection is closed. */
	public void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
