package io.rpcboot.loadbalance;

import java.util.concurrent.atomic.AtomicInteger;

/** Chooses one after the other, whatever the weights. */
public final class RoundRobinLoadBalancer implements LoadBalancer {

	private final AtomicInteger next = new AtomicInteger();

	@Override
	public int choose(Candidates candidates) {
		return Math.floorMod(this.next.getAndIncrement(), candidates.size());
	}

}
