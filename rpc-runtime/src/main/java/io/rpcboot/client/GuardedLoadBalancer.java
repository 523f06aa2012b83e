package io.rpcboot.client;

import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A load balancer of the application's own may be wrong: no call is lost by it. */
final class GuardedLoadBalancer implements LoadBalancer {

	private static final Logger logger = LoggerFactory.getLogger(GuardedLoadBalancer.class);

	private final LoadBalancer delegate;

	GuardedLoadBalancer(LoadBalancer delegate) {
		this.delegate = delegate;
	}

	@Override
	public int choose(Candidates candidates) {
		try {
			int chosen = this.delegate.choose(candidates);
			if (chosen >= 0 && chosen < candidates.size()) {
				return chosen;
			}
			logger.error("Load balancer {} chose index {} (expected: 0 to {}); one is chosen at random", this.delegate,
					chosen, candidates.size() - 1);
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			logger.error("Load balancer {} failed; an instance is chosen at random", this.delegate, ex);
		}
		return ThreadLocalRandom.current().nextInt(candidates.size());
	}

}
