package io.rpcboot.benchmarks.fork;

import java.util.Arrays;
import java.util.Locale;

/**
 * A load in one word, as it is told to a client process.
 *
 * @param mode who calls and how
 * @param callers threads that call
 * @param inFlight asynchronous calls in flight over all callers; 0 where callers wait
 * @param rate calls per second over all callers, begun on time whatever the answers do; 0
 * for as many as possible
 * @param bodyBytes size of the body of an echo; 0 for what the call itself sends
 */
public record LoadSpec(Mode mode, int callers, int inFlight, int rate, int bodyBytes) {

	private static final int KIB = 1024;

	/** Who calls and how. */
	public enum Mode {

		/** Platform threads that wait for each answer. */
		BLOCKING,

		/** Virtual threads that wait for each answer; from Java 21. */
		VIRTUAL,

		/** Platform threads that do not wait. */
		ASYNC,

		/** Platform threads that never look how many calls are under way. */
		FIRE,

		/** One call that sleeps and 99 that do not, again and again. */
		BURST;

		String word() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	public LoadSpec {
		if (callers < 1 || inFlight < 0 || rate < 0 || bodyBytes < 0) {
			throw new IllegalArgumentException("load: " + callers + ", " + inFlight + ", " + rate + ", " + bodyBytes
					+ " (expected: callers, not negative)");
		}
		if (mode == Mode.ASYNC && inFlight < callers) {
			throw new IllegalArgumentException(
					"in flight: " + inFlight + " (expected: at least one for each of the " + callers + " callers)");
		}
	}

	/**
	 * Threads that wait.
	 * @param callers how many
	 * @return the load
	 */
	public static LoadSpec blocking(int callers) {
		return new LoadSpec(Mode.BLOCKING, callers, 0, 0, 0);
	}

	/**
	 * Virtual threads that wait.
	 * @param callers how many
	 * @return the load
	 */
	public static LoadSpec virtual(int callers) {
		return new LoadSpec(Mode.VIRTUAL, callers, 0, 0, 0);
	}

	/**
	 * Threads that do not wait.
	 * @param callers how many
	 * @param inFlight calls in flight altogether
	 * @return the load
	 */
	public static LoadSpec async(int callers, int inFlight) {
		return new LoadSpec(Mode.ASYNC, callers, inFlight, 0, 0);
	}

	/**
	 * Threads that never look how many calls are under way.
	 * @param callers how many
	 * @return the load
	 */
	public static LoadSpec fire(int callers) {
		return new LoadSpec(Mode.FIRE, callers, 0, 0, 0);
	}

	/**
	 * Bursts of one call that sleeps and 99 that do not.
	 * @return the load
	 */
	public static LoadSpec burst() {
		return new LoadSpec(Mode.BURST, 1, 0, 0, 0);
	}

	/**
	 * The same at a fixed rate.
	 * @param callsPerSecond the rate, at least 1
	 * @return the load
	 */
	public LoadSpec atRate(int callsPerSecond) {
		return new LoadSpec(this.mode, this.callers, this.inFlight, callsPerSecond, this.bodyBytes);
	}

	/**
	 * The same with an echo of another size.
	 * @param bytes size of the body, at least 1
	 * @return the load
	 */
	public LoadSpec withBody(int bytes) {
		return new LoadSpec(this.mode, this.callers, this.inFlight, this.rate, bytes);
	}

	/**
	 * Whether the rate is fixed.
	 * @return true if calls begin on time whatever the answers do
	 */
	public boolean open() {
		return this.rate > 0;
	}

	/**
	 * Read what {@link #toString} wrote.
	 * @param word the word
	 * @return the load
	 * @throws IllegalArgumentException if it is none
	 */
	public static LoadSpec parse(String word) {
		String[] parts = word.split(":");
		int[] numbers = Arrays.stream(parts).skip(1).mapToInt(Integer::parseInt).toArray();
		if (numbers.length < 3 || numbers.length > 4) {
			throw new IllegalArgumentException(
					"load: " + word + " (expected: mode:callers:in-flight:rate, then perhaps :body)");
		}
		return new LoadSpec(Mode.valueOf(parts[0].toUpperCase(Locale.ROOT)), numbers[0], numbers[1], numbers[2],
				(numbers.length == 4) ? numbers[3] : 0);
	}

	/**
	 * What a report calls it.
	 * @return a few words
	 */
	public String label() {
		if (this.mode == Mode.BURST) {
			return "behind a sleeping call";
		}
		String text = this.mode.word() + " " + this.callers + body();
		return open() ? text + " at a fixed rate" : text;
	}

	private String body() {
		if (this.bodyBytes == 0) {
			return "";
		}
		if (this.bodyBytes % (KIB * KIB) == 0) {
			return " of " + this.bodyBytes / (KIB * KIB) + " MB";
		}
		return (this.bodyBytes % KIB == 0) ? " of " + this.bodyBytes / KIB + " KB" : " of " + this.bodyBytes + " B";
	}

	@Override
	public String toString() {
		String word = this.mode.word() + ":" + this.callers + ":" + this.inFlight + ":" + this.rate;
		return (this.bodyBytes == 0) ? word : word + ":" + this.bodyBytes;
	}

}
