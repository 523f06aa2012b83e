package io.rpcboot.loadbalance;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.registry.ServiceInstance;

/** Chooses at random, in proportion to the weights. */
public final class RandomLoadBalancer implements LoadBalancer {

	@Override
	public int choose(List<ServiceInstance> candidates) {
		int size = candidates.size();
		if (size == 1) {
			return 0;
		}
		int total = 0;
		boolean equal = true;
		for (int i = 0; i < size; i++) {
			int weight = candidates.get(i).weight();
			equal &= weight == candidates.get(0).weight();
			total += weight;
		}
		ThreadLocalRandom random = ThreadLocalRandom.current();
		if (equal) {
			return random.nextInt(size);
		}
		int point = random.nextInt(total);
		for (int i = 0; i < size; i++) {
			point -= candidates.get(i).weight();
			if (point < 0) {
				return i;
			}
		}
		return size - 1;
	}

}
