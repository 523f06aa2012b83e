package io.rpcboot.hostile.victim;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How a victim stands after an attack.
 *
 * @param after its last figures, null if it does not answer
 * @param millis from the end of the attack until its memory was as before, -1 if it was
 * not in time
 */
public record Recovery(Figures after, long millis) {

	/** From the end of an attack. */
	static final Duration LONGEST = Duration.ofSeconds(5);

	/** What may come and go by chance. */
	private static final long TOLERANCE = 5 * 1024 * 1024;

	/** What each thread of the engine may keep for itself. */
	private static final long OF_A_THREAD = 64 * 1024;

	/** Look again and again until memory is as before. */
	public static Recovery await(VictimProcess victim, Figures before, long endNanos) {
		try {
			Figures after = victim.figures();
			while (!isBack(before, after) && System.nanoTime() - endNanos < LONGEST.toNanos()) {
				after = victim.figures();
			}
			long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endNanos);
			return new Recovery(after, isBack(before, after) ? millis : -1);
		}
		catch (AssertionError ex) {
			return new Recovery(null, -1);
		}
	}

	/** Whether both kinds of memory are, but for what more threads keep. */
	public static boolean isBack(Figures before, Figures after) {
		return isHeapBack(before, after) && isDirectBack(before, after);
	}

	public static boolean isHeapBack(Figures before, Figures after) {
		long moreThreads = Math.max(0, after.threads().size() - before.threads().size());
		return after.heap() > 0 && after.heap() - before.heap() <= TOLERANCE + moreThreads * OF_A_THREAD;
	}

	public static boolean isDirectBack(Figures before, Figures after) {
		return after.direct() - before.direct() <= TOLERANCE;
	}

}
