package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the instance with the fewest pending calls in relation to its weight, at random
 * among equals. It reads every instance and does not see the calls of other clients. A
 * call that was returned by an instance goes to another one, if possible.
 *
 * @since 0.1.0
 */
public final class LeastPendingLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		int size = candidates.size();
		// a random start gives equals the same chance
		int start = (size > 1) ? ThreadLocalRandom.current().nextInt(size) : 0;
		int best = -1;
		double least = 0;
		for (int i = 0; i < size; i++) {
			int index = (start + i) % size;
			if (candidates.attempt() > 0 && candidates.wasTried(index)) {
				continue;
			}
			double load = (candidates.pendingCalls(index) + 1.0) / candidates.weight(index);
			if (best < 0 || load < least) {
				best = index;
				least = load;
			}
		}
		return (best >= 0) ? best : start;
	}

}
