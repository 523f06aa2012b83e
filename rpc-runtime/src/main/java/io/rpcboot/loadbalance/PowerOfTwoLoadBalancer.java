package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Compares two random instances and chooses the better one. The first is drawn by weight
 * and keeps the call unless the second is better:
 * <ul>
 * <li>Instances of similar speed, which is within a factor of 1.5, are compared by
 * pending calls: the second is better if {@code (pending + 1) / weight} there is at most
 * {@code pending / weight} of the first. Equal instances therefore get equal shares, and
 * instances without pending calls get shares by weight.
 * <li>Otherwise the lower cost {@code speed * (pending + 1) / weight} is better. Load
 * therefore avoids instances that are slow or fail.
 * </ul>
 * The speed is {@code latency * (1 + failures / (1 + successes))^2}. Latencies up to 1 ms
 * are alike, and failures count from a twentieth of the calls on, because noise must not
 * prefer one of two equal instances. An unknown latency is taken as that of the other
 * instance. The effort does not depend on the number of instances. A call that was
 * returned by an instance goes to another one, if possible.
 *
 * @since 0.1.0
 */
public final class PowerOfTwoLoadBalancer implements LoadBalancer {

	/** Factor up to which two speeds are similar. */
	private static final double SIMILAR = 1.5;

	/** Latency up to which instances are alike. */
	private static final long ALIKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** Failures in relation to successes from which on they count. */
	private static final double FEW_FAILURES = 0.05;

	@Override
	public int choose(Candidates candidates) {
		int size = candidates.size();
		if (size == 1) {
			return 0;
		}
		int one = candidates.random();
		int other = other(candidates, one);
		return isBetter(candidates, other, one) ? other : one;
	}

	/**
	 * Returns another index; for a call that came back, the next one that was not tried,
	 * or the same index if there is none.
	 */
	private static int other(Candidates candidates, int one) {
		int size = candidates.size();
		int offset = 1 + ThreadLocalRandom.current().nextInt(size - 1);
		if (candidates.attempt() == 0) {
			return (one + offset) % size;
		}
		for (int i = 0; i < size; i++) {
			int next = (one + offset + i) % size;
			if (next != one && !candidates.wasTried(next)) {
				return next;
			}
		}
		return one;
	}

	/** Returns true if the second is better than the first, which was drawn by weight. */
	private static boolean isBetter(Candidates candidates, int second, int first) {
		long latencyOfSecond = candidates.latencyNanos(second);
		long latencyOfFirst = candidates.latencyNanos(first);
		double speedOfSecond = speed(candidates, second, latencyOfSecond, latencyOfFirst);
		double speedOfFirst = speed(candidates, first, latencyOfFirst, latencyOfSecond);
		double loadOfSecond = (candidates.pendingCalls(second) + 1.0) / candidates.weight(second);
		double weight = candidates.weight(first);
		int pending = candidates.pendingCalls(first);
		if (speedOfSecond < SIMILAR * speedOfFirst && speedOfFirst < SIMILAR * speedOfSecond) {
			return loadOfSecond <= pending / weight;
		}
		return speedOfSecond * loadOfSecond < speedOfFirst * (pending + 1) / weight;
	}

	private static double speed(Candidates candidates, int index, long latency, long latencyOfOther) {
		double known = Math.max(ALIKE_NANOS, (latency > 0) ? latency : latencyOfOther);
		double failures = candidates.recentFailures(index);
		if (failures == 0) {
			return known;
		}
		// one added success: a single failure is not decisive
		double successes = 1 + candidates.recentSuccesses(index);
		if (failures <= FEW_FAILURES * successes) {
			return known;
		}
		double failing = 1 + failures / successes;
		return known * failing * failing;
	}

}
