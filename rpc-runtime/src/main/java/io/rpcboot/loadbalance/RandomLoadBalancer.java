package io.rpcboot.loadbalance;

/**
 * Chooses at random, in proportion to the weights. A call that was returned by an
 * instance goes to another one, if possible.
 *
 * @since 0.1.0
 */
public final class RandomLoadBalancer implements LoadBalancer {

	@Override
	public int choose(Candidates candidates) {
		return candidates.random();
	}

}
