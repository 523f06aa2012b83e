package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Looks at two instances at random and takes the one where a call costs less: its recent
 * latency times the calls that are under way there, more if calls fail, in relation to
 * its weight. So load goes where there is room, and an instance that is slow, or fails
 * fast, gets little. What it takes does not depend on the number of instances. Of an
 * instance whose latency is unknown that of the other is assumed. A call that came back
 * from an instance goes to one that it has not seen, while there is one.
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

	/** The same, or the next that was not tried; the same if all others were. */
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
		// one more success than there was: a single failure is no verdict
		double successes = 1 + candidates.recentSuccesses(index);
		double failing = 1 + failures / successes;
		return cost * failing * failing;
	}

}
