package io.rpcboot.samples.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Begins and ends a scene by turns while a few shoppers call all the time, and prints
 * each change.
 */
final class Stage implements AutoCloseable {

	private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();

	private final PrintStream out;

	private final Show show;

	private final Scene scene;

	private final Crowd shoppers;

	private boolean on;

	Stage(PrintStream out, Show show, Scene scene, Crowd shoppers) {
		this.out = out;
		this.show = show;
		this.scene = scene;
		this.shoppers = shoppers;
	}

	/**
	 * Starts the turns. Does not wait.
	 * @param turn time before the scene, its duration, and the time until it repeats
	 */
	void open(Duration turn) {
		this.out.printf("Show: %s, in turns of %s s%n", this.show.value(), turn.toSeconds());
		this.shoppers.begin();
		this.turns.scheduleWithFixedDelay(this::next, turn.toMillis(), turn.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void next() {
		this.on = !this.on;
		if (this.on) {
			this.out.println("Show: " + this.show.begins());
			run(this.scene.begin());
		}
		else {
			run(this.scene.end());
			this.out.println("Show: " + this.show.ends());
		}
	}

	private void run(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException ex) {
			// the next turn follows
			this.out.println("Show: " + ex);
		}
	}

	/** Stops the turns and the shoppers. Waits for a running step. */
	@Override
	public void close() {
		this.turns.shutdownNow();
		this.shoppers.end();
		try {
			this.turns.awaitTermination(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
