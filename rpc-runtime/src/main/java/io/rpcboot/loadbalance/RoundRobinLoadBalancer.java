package io.rpcboot.loadbalance;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the instances in turn. Weights, slow start and the growing share after an
 * ejection have no effect. A call that was returned by an instance goes to the next
 * instance that it has not tried.
 *
 * @since 0.1.0
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
