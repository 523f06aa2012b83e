package io.rpcboot.internal.transport.flow;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.rpcboot.internal.memory.UnusedGrant;
import io.rpcboot.internal.transport.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose other side has memory of this one and does not use it, while
 * others need it: a body that comes too slowly, one that was asked for and does not
 * begin, or what is left when a smaller one has come. Event loop only.
 */
public final class MinDataRateMonitor {

	/** Any rate will do for so long. */
	private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Time to begin a body that was asked for: two round trips across the world, a packet
	 * that is lost twice, or a pause of the collector. Others wait meanwhile.
	 */
	private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final Connection connection;

	private final long bytesPerSecond;

	private final UnusedGrant lease;

	private final Consumer<String> end;

	private final LongSupplier clock;

	private long owedSinceNanos;

	/** What was owed at the last look. */
	private long lastOwed;

	private long nextLookNanos;

	private @Nullable Future<?> timer;

	/**
	 * Create a watch.
	 * @param connection the connection
	 * @param bytesPerSecond least rate of a body after its first second, 0 for any
	 * @param lease what the other side does not use yet, and whether others need it
	 * @param end ends the connection
	 */
	public MinDataRateMonitor(Connection connection, long bytesPerSecond, UnusedGrant lease, Consumer<String> end) {
		this(connection, bytesPerSecond, lease, end, System::nanoTime);
	}

	MinDataRateMonitor(Connection connection, long bytesPerSecond, UnusedGrant lease, Consumer<String> end,
			LongSupplier clock) {
		this.connection = connection;
		this.bytesPerSecond = bytesPerSecond;
		this.lease = lease;
		this.end = end;
		this.clock = clock;
	}

	/** A large body has begun, or memory for one was granted. */
	public void watch() {
		if (this.bytesPerSecond > 0 && this.timer == null) {
			this.owedSinceNanos = this.clock.getAsLong();
			lookLater();
		}
	}

	private void lookLater() {
		this.nextLookNanos = this.clock.getAsLong() + LOOK_NANOS;
		this.timer = this.connection.loop().schedule(this::check, LOOK_NANOS, TimeUnit.NANOSECONDS);
	}

	private void check() {
		this.timer = null;
		long now = this.clock.getAsLong();
		boolean inBody = this.connection.isInBody();
		long nowOwed = this.lease.owed();
		if (!inBody && nowOwed == 0) {
			return;
		}
		boolean late = now - this.nextLookNanos > LOOK_NANOS; // what has come meanwhile
																// may not be read yet
		// one body for what was asked for, and not a small one now and then
		boolean uses = inBody && !this.lease.isPartlyPaid();
		if (late || uses || nowOwed != this.lastOwed) {
			this.owedSinceNanos = now;
			this.lastOwed = nowOwed;
		}
		boolean wanted = !late && this.lease.isWanted();
		if (wanted && this.connection.isBodySlow(now, GRACE_NANOS, this.bytesPerSecond)) {
			this.end.accept("memory.least-rate: a body comes with less than %d bytes in a second"
				.formatted(this.bytesPerSecond));
		}
		else if (wanted && now - this.owedSinceNanos > BEGIN_NANOS) {
			this.end.accept("memory.least-rate: a body that memory was asked for does not come");
		}
		else {
			lookLater();
		}
	}

	/** The connection is closed. */
	public void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
