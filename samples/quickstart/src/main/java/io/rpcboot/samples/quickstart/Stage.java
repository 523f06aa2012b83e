package io.rpcboot.samples.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets a scene begin and end by turns, beside a few shoppers who call all the time, and
 * says so.
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
	 * Open the stage. Does not wait.
	 * @param turn time before the scene, time that it lasts, time until it comes again
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
			// the next turn comes all the same
			this.out.println("Show: " + ex);
		}
	}

	/** End the scene and send the shoppers home. Waits for a step that is under way. */
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
