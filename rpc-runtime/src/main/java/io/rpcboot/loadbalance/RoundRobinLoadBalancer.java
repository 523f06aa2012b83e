package io.rpcboot.loadbalance;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.registry.ServiceInstance;

/** Chooses one after the other, whatever the weights. */
public final class RoundRobinLoadBalancer implements LoadBalancer {

	private final AtomicInteger next = new AtomicInteger();

	@Override
	public int choose(List<ServiceInstance> candidates) {
		return Math.floorMod(this.next.getAndIncrement(), candidates.size());
	}

}
