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
	 * @param quiet time before the first turn and between two
	 * @param turn how long the scene lasts
	 */
	void open(Duration quiet, Duration turn) {
		this.out.printf("Show: %s, after %d s for %d s, and so on%n", this.show.value(), quiet.toSeconds(),
				turn.toSeconds());
		this.shoppers.begin();
		long period = quiet.plus(turn).toMillis();
		this.turns.scheduleAtFixedRate(this::begin, quiet.toMillis(), period, TimeUnit.MILLISECONDS);
		this.turns.scheduleAtFixedRate(this::end, period, period, TimeUnit.MILLISECONDS);
	}

	private void begin() {
		this.out.println("Show: " + this.show.begins());
		this.on = true;
		run(this.scene.begin());
	}

	private void end() {
		if (this.on) {
			run(this.scene.end());
			this.on = false;
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
