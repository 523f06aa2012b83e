package io.rpcboot.internal.transport;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose other side has memory of this one and does not use it: a body
 * that comes too slowly, or one that was asked for and does not begin. Event loop only.
 */
public final class LeastRate {

	/** Any rate will do for so long. */
	private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final Connection connection;

	private final long bytesPerSecond;

	private final LongSupplier owed;

	private final Consumer<String> end;

	private long owedSinceNanos;

	/** What was owed at the last look. */
	private long lastOwed;

	private long nextLookNanos;

	private @Nullable Future<?> timer;

	/**
	 * Create a watch.
	 * @param connection the connection
	 * @param bytesPerSecond least rate of a body after its first second, 0 for any
	 * @param owed which lease the other side does not use yet: another number for each, 0
	 * for none
	 * @param end ends the connection
	 */
	public LeastRate(Connection connection, long bytesPerSecond, LongSupplier owed, Consumer<String> end) {
		this.connection = connection;
		this.bytesPerSecond = bytesPerSecond;
		this.owed = owed;
		this.end = end;
	}

	/** A large body has begun, or memory for one was granted. */
	public void watch() {
		if (this.bytesPerSecond > 0 && this.timer == null) {
			this.owedSinceNanos = System.nanoTime();
			lookLater();
		}
	}

	private void lookLater() {
		this.nextLookNanos = System.nanoTime() + LOOK_NANOS;
		this.timer = this.connection.loop().schedule(this::look, LOOK_NANOS, TimeUnit.NANOSECONDS);
	}

	private void look() {
		this.timer = null;
		long now = System.nanoTime();
		boolean inBody = this.connection.isInBody();
		long nowOwed = this.owed.getAsLong();
		if (!inBody && nowOwed == 0) {
			return;
		}
		boolean late = now - this.nextLookNanos > LOOK_NANOS; // what has come meanwhile
																// may not be read yet
		if (late || inBody || nowOwed != this.lastOwed) {
			this.owedSinceNanos = now;
			this.lastOwed = nowOwed;
		}
		if (!late && this.connection.isBodySlow(now, GRACE_NANOS, this.bytesPerSecond)) {
			this.end.accept("memory.least-rate: a body comes with less than %d bytes in a second"
				.formatted(this.bytesPerSecond));
		}
		else if (now - this.owedSinceNanos > GRACE_NANOS) {
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
