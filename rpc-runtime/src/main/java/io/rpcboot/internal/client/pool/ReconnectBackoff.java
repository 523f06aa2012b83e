package io.rpcboot.internal.client.pool;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * When an endpoint is tried again: after pauses that grow, and at once when calls ask for
 * it. Stands beside endpoint pool. Confined to the control thread.
 */
public final class ReconnectBackoff {

	/** Calls ask for an attempt at most once in this time. */
	static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int MAX_DOUBLINGS = 30;

	private final ClientResources client;

	private final Runnable connect;

	/** Attempts that wait for their time. */
	private final Queue<Retry> waiting = new ArrayDeque<>();

	/** Attempts that had waited for their time, since the last success. */
	private int made;

	/** When the latest attempt of any kind began. */
	private long latestNanos;

	/**
	 * Create the schedule of one endpoint.
	 * @param connect begins an attempt, and throws nothing
	 */
	ReconnectBackoff(ClientResources client, Runnable connect) {
		this.client = client;
		this.connect = connect;
	}

	private final class Retry implements Runnable {

		private @Nullable Future<?> timer;

		@Override
		public void run() {
			if (ReconnectBackoff.this.waiting.remove(this)) {
				ReconnectBackoff.this.made++;
				ReconnectBackoff.this.connect.run();
			}
		}

	}

	/** An attempt begins. */
	void begins() {
		this.latestNanos = this.client.nanoTime().getAsLong();
	}

	/** A connection has lived for long: pauses are short again. */
	void succeeded() {
		this.made = 0;
	}

	/** Try again after a pause. Returns the pause. */
	long later() {
		long min = Options.nanos(this.client.options().minBackoff);
		long max = Options.nanos(this.client.options().maxBackoff);
		long pause = (long) Math.min(max, min * Math.pow(2, Math.min(this.made, MAX_DOUBLINGS)));
		pause = (long) (pause * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
		Retry retry = new Retry();
		retry.timer = this.client.control().schedule(retry, pause, TimeUnit.NANOSECONDS);
		this.waiting.add(retry);
		return pause;
	}

	/**
	 * Try now what waits for its time, unless an attempt began a moment ago. Those that
	 * calls ask for do not make the pauses grow, for a server that is back must not be
	 * found late because many have asked.
	 */
	void now() {
		if (this.waiting.isEmpty() || this.client.nanoTime().getAsLong() - this.latestNanos < LEAST_NANOS) {
			return;
		}
		Future<?> timer = this.waiting.remove().timer;
		if (timer != null) {
			timer.cancel(false);
		}
		this.connect.run();
	}

}
