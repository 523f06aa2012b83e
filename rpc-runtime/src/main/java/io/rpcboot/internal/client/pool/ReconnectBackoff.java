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
 * Schedules connection attempts to an endpoint: pause = min(maxBackoff, minBackoff *
 * 2^rounds) * (0.8 to 1.2), with rounds = rounds of attempts since a connection lived for
 * 5 s. One round is one attempt of each connection that the pool lacks: with minBackoff =
 * 100 ms the third round follows the second after 400 ms, however many connections there
 * are. Calls without a connection bring an attempt forward. Control thread only.
 */
public final class ReconnectBackoff {

	/** Minimum interval of attempts that calls bring forward. */
	static final long MIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int MAX_DOUBLINGS = 30;

	private final ClientResources client;

	private final Runnable connect;

	/** Scheduled attempts. */
	private final Queue<Retry> waiting = new ArrayDeque<>();

	/**
	 * Rounds whose first attempt was made when it was due, since the last success.
	 */
	private int rounds;

	/** Start of the latest attempt. */
	private long latestNanos;

	/**
	 * Create the schedule of one endpoint.
	 * @param connect begins an attempt; must not throw
	 */
	ReconnectBackoff(ClientResources client, Runnable connect) {
		this.client = client;
		this.connect = connect;
	}

	private final class Retry implements Runnable {

		/** Rounds before this attempt. */
		private final int round;

		private @Nullable Future<?> timer;

		Retry(int round) {
			this.round = round;
		}

		@Override
		public void run() {
			if (ReconnectBackoff.this.waiting.remove(this)) {
				begins(this.round);
				ReconnectBackoff.this.connect.run();
			}
		}

	}

	/** Counts a round at the first of its attempts. */
	private void begins(int round) {
		if (this.rounds == round) {
			this.rounds++;
		}
	}

	/** Notes the start of an attempt. */
	void begins() {
		this.latestNanos = this.client.nanoTime().getAsLong();
	}

	/** Resets the pauses after a connection that lived for 5 s. */
	void succeeded() {
		this.rounds = 0;
	}

	/** Schedules an attempt and returns the pause before it. */
	long later() {
		long min = Options.nanos(this.client.options().minBackoff);
		long max = Options.nanos(this.client.options().maxBackoff);
		long pause = (long) Math.min(max, min * Math.pow(2, Math.min(this.rounds, MAX_DOUBLINGS)));
		pause = (long) (pause * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
		Retry retry = new Retry(this.rounds);
		retry.timer = this.client.control().schedule(retry, pause, TimeUnit.NANOSECONDS);
		this.waiting.add(retry);
		return pause;
	}

	/**
	 * Makes the next scheduled attempt now, unless one began less than 100 ms ago. Such
	 * an attempt does not lengthen the pauses, so that a server that returns is found
	 * soon even if many calls asked for it.
	 */
	void now() {
		if (this.waiting.isEmpty() || this.client.nanoTime().getAsLong() - this.latestNanos < MIN_INTERVAL_NANOS) {
			return;
		}
		Future<?> timer = this.waiting.remove().timer;
		if (timer != null) {
			timer.cancel(false);
		}
		this.connect.run();
	}

}
