package io.rpcboot.loadbalance;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses one after the other, whatever the weights: what a server says of its weight,
 * the slow start of an instance and the share that grows after an ejection change
 * nothing. A call that came back from an instance goes to the next that it has not seen,
 * while there is one.
 */
public final class RoundRobinLoadBalancer implements LoadBalancer {

	private final AtomicInteger next = new AtomicInteger();

	@Override
	public int choose(Candidates candidates) {
		int chosen = next(candidates);
		for (int i = 1; i < candidates.size() && candidates.wasTried(chosen); i++) {
			chosen = (chosen + 1) % candidates.size();
		}
		return chosen;
	}

	private int next(Candidates candidates) {
		return Math.floorMod(this.next.getAndIncrement(), candidates.size());
	}

}
