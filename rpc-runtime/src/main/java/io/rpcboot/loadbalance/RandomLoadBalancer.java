package io.rpcboot.loadbalance;

/**
 * Chooses at random, in proportion to the weights. A call that came back from an instance
 * goes to one that it has not seen, while there is one.
 */
public final class RandomLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		return candidates.random();
	}

}
