package io.rpcboot.benchmarks.balancers;

import java.util.Locale;
import java.util.function.Supplier;

import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.LeastPendingLoadBalancer;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.PowerOfTwoLoadBalancer;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;

/** The balancers, as a client has them. */
public enum Balancing {

	/** At random by weight. */
	RANDOM(RandomLoadBalancer::new),

	/** One after the other. */
	ROUND_ROBIN(RoundRobinLoadBalancer::new),

	/** Where the fewest calls are under way. */
	LEAST_PENDING(LeastPendingLoadBalancer::new),

	/** The cheaper of two. */
	POWER_OF_TWO(PowerOfTwoLoadBalancer::new),

	/** By the key of the call. */
	KEY(RandomLoadBalancer::new);

	private final Supplier<LoadBalancer> factory;

	Balancing(Supplier<LoadBalancer> factory) {
		this.factory = factory;
	}

	LoadBalancer balancer() {
		return new ConsistentHashLoadBalancer(this.factory.get());
	}

	boolean isByKey() {
		return this == KEY;
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
