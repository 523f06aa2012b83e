package io.rpcboot.benchmarks.sick;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is wrong with an instance. Any thread asks.
 */
final class Illness {

	/** What an instance does that throws, in place of the name of a status. */
	static final String THROWS = "throws";

	private final AtomicInteger cold;

	private final int coldFactor;

	private volatile State state = State.HEALTHY;

	/**
	 * Begin healthy, but for the first calls.
	 * @param coldCalls how many are slow
	 * @param coldFactor how much longer they take
	 */
	Illness(int coldCalls, int coldFactor) {
		this.cold = new AtomicInteger(coldCalls);
		this.coldFactor = coldFactor;
	}

	/** Take a line of the measuring process. */
	void become(String[] words) {
		this.state = switch (words[0]) {
			case "slow" -> new State(Double.parseDouble(words[1]), 0, THROWS, 0, 0);
			case "fail" -> new State(1, Double.parseDouble(words[1]), words[2], 0, 0);
			case "stall" -> new State(1, 0, THROWS, Double.parseDouble(words[1]), Integer.parseInt(words[2]));
			case "healthy" -> State.HEALTHY;
			default -> throw new IllegalArgumentException("illness: " + words[0]);
		};
	}

	/**
	 * How long a call takes.
	 * @param healthyNanos how long it takes when nothing is wrong
	 */
	long nanos(long healthyNanos) {
		State now = this.state;
		double factor = (this.cold.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) ? this.coldFactor : now.factor;
		long stall = (ThreadLocalRandom.current().nextDouble() < now.stalls) ? now.stallMillis * 1_000_000L : 0;
		return (long) (healthyNanos * factor) + stall;
	}

	/**
	 * How the call at hand fails.
	 * @return name of a status, {@link #THROWS}, or empty for not at all
	 */
	String failure() {
		State now = this.state;
		return (now.fails > 0 && ThreadLocalRandom.current().nextDouble() < now.fails) ? now.failure : "";
	}

	/** Whether calls that fail do so before they have done anything. */
	boolean failsAtOnce() {
		return this.state.fails >= 1;
	}

	/**
	 * All of it, so that it changes at once.
	 *
	 * @param factor how much longer calls take
	 * @param fails share of the calls that fail
	 * @param failure how
	 * @param stalls share of the calls that take longer
	 * @param stallMillis how much longer these take
	 */
	private record State(double factor, double fails, String failure, double stalls, int stallMillis) {

		static final State HEALTHY = new State(1, 0, THROWS, 0, 0);

	}

}
