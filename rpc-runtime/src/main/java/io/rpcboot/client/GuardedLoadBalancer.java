package io.rpcboot.client;

import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.internal.transport.RateLimitedLog;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;

/** A load balancer of the application's own may be wrong: no call is lost by it. */
final class GuardedLoadBalancer implements LoadBalancer {

	/** It is asked for every call. */
	private final RateLimitedLog log = new RateLimitedLog(GuardedLoadBalancer.class, System::nanoTime);

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
			this.log.warn("Load balancer chose nobody",
					() -> "%s chose index %d (expected: 0 to %d); an instance is chosen at random"
						.formatted(this.delegate, chosen, candidates.size() - 1));
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			this.log.warn("Load balancer failed", ex.getClass(),
					() -> "%s; an instance is chosen at random".formatted(this.delegate), ex);
		}
		return ThreadLocalRandom.current().nextInt(candidates.size());
	}

}
