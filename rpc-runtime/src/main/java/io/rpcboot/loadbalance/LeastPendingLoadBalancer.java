package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the instance with the fewest calls under way, in relation to its weight; at
 * random among equals. It knows nothing of other clients, and looks at every instance. A
 * call that came back from an instance goes to one that it has not seen, while there is
 * one.
 */
public final class LeastPendingLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		int size = candidates.size();
		// equals are met in an order that has no first
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
