package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;

/** Chooses at random, in proportion to the weights. */
public final class RandomLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		int size = candidates.size();
		if (size == 1) {
			return 0;
		}
		int total = 0;
		boolean equal = true;
		for (int i = 0; i < size; i++) {
			int weight = candidates.weight(i);
			equal &= weight == candidates.weight(0);
			total += weight;
		}
		ThreadLocalRandom random = ThreadLocalRandom.current();
		if (equal) {
			return random.nextInt(size);
		}
		int point = random.nextInt(total);
		for (int i = 0; i < size; i++) {
			point -= candidates.weight(i);
			if (point < 0) {
				return i;
			}
		}
		return size - 1;
	}

}
