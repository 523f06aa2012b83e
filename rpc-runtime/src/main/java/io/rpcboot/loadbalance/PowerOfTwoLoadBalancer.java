package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Compares two random instances and chooses the one with the lower cost: {@code latency *
 * (pending + 1) / weight * (1 + failures / (1 + successes))^2}. Load therefore avoids
 * instances that are slow or fail. The effort does not depend on the number of instances.
 * An unknown latency is taken as that of the other instance. A call that was returned by
 * an instance goes to another one, if possible.
 *
 * @since 0.1.0
 */
public final class PowerOfTwoLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		int size = candidates.size();
		if (size == 1) {
			return 0;
		}
		ThreadLocalRandom random = ThreadLocalRandom.current();
		int one = untried(candidates, random.nextInt(size), -1);
		int other = untried(candidates, (one + 1 + random.nextInt(size - 1)) % size, one);
		long latencyOfOne = candidates.latencyNanos(one);
		long latencyOfOther = candidates.latencyNanos(other);
		double costOfOne = cost(candidates, one, latencyOfOne, latencyOfOther);
		double costOfOther = cost(candidates, other, latencyOfOther, latencyOfOne);
		return (costOfOne <= costOfOther) ? one : other;
	}

	/**
	 * Returns the index, or the next one that was not tried; the index if all were tried.
	 */
	private static int untried(Candidates candidates, int index, int excluded) {
		if (candidates.attempt() == 0) {
			return index;
		}
		int size = candidates.size();
		for (int i = 0; i < size; i++) {
			int next = (index + i) % size;
			if (next != excluded && !candidates.wasTried(next)) {
				return next;
			}
		}
		return (excluded >= 0) ? excluded : index;
	}

	private static double cost(Candidates candidates, int index, long latency, long latencyOfOther) {
		long known = Math.max(1, (latency > 0) ? latency : latencyOfOther);
		double cost = known * (candidates.pendingCalls(index) + 1.0) / candidates.weight(index);
		double failures = candidates.recentFailures(index);
		if (failures == 0) {
			return cost;
		}
		// one added success: a single failure is not decisive
		double successes = 1 + candidates.recentSuccesses(index);
		double failing = 1 + failures / successes;
		return cost * failing * failing;
	}

}
