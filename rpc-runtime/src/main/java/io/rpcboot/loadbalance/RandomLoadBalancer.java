package io.rpcboot.loadbalance;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses at random, in proportion to the weights. A call that came back from an instance
 * goes to one that it has not seen, while there is one.
 */
public final class RandomLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		int size = candidates.size();
		if (size == 1) {
			return 0;
		}
		long total = 0;
		boolean equal = candidates.attempt() == 0;
		for (int i = 0; i < size; i++) {
			int weight = weight(candidates, i);
			equal &= weight == candidates.weight(0);
			total += weight;
		}
		ThreadLocalRandom random = ThreadLocalRandom.current();
		if (equal || total == 0) { // or all were tried
			return random.nextInt(size);
		}
		long point = random.nextLong(total);
		for (int i = 0; i < size; i++) {
			point -= weight(candidates, i);
			if (point < 0) {
				return i;
			}
		}
		return size - 1;
	}

	private static int weight(Candidates candidates, int index) {
		return (candidates.attempt() > 0 && candidates.wasTried(index)) ? 0 : candidates.weight(index);
	}

}
