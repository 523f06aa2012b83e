package io.rpcboot.internal.client.routing;

import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;

/**
 * Load balancer around that of the application. Replaces an exception or an invalid index
 * by a random choice, and an instance that the call has tried by another one. Any thread.
 */
public final class SafeLoadBalancer implements LoadBalancer {

	/** Rate limited, because each call chooses. */
	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	private final LoadBalancer delegate;

	public SafeLoadBalancer(LoadBalancer delegate) {
		this.delegate = delegate;
	}

	@Override
	public int choose(Candidates candidates) {
		try {
			int chosen = this.delegate.choose(candidates);
			if (chosen >= 0 && chosen < candidates.size()) {
				boolean again = candidates.attempt() > 0 && candidates.wasTried(chosen);
				return again ? candidates.random() : chosen;
			}
			this.log.warn("Load balancer chose no instance",
					() -> "%s chose index %d (expected: 0 to %d); an instance is chosen at random"
						.formatted(this.delegate, chosen, candidates.size() - 1));
		}
		catch (Throwable ex) {
			this.log.warn("Load balancer failed", ex.getClass(),
					() -> "%s; an instance is chosen at random".formatted(this.delegate), ex);
		}
		return candidates.random();
	}

}
