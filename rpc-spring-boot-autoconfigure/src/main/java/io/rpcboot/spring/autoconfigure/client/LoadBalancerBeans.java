package io.rpcboot.spring.autoconfigure.client;

import java.util.function.Supplier;

import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.LoadBalancer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * A load balancer that the application has as a bean goes before the property. A
 * prototype gives each reference an object of its own, a singleton serves all.
 */
final class LoadBalancerBeans implements Supplier<LoadBalancer> {

	private final ObjectProvider<LoadBalancer> beans;

	private LoadBalancerBeans(ObjectProvider<LoadBalancer> beans) {
		this.beans = beans;
	}

	static void applyTo(RpcClientBuilder builder, ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory.getBeanNamesForType(LoadBalancer.class, true, false).length > 0) {
			builder.loadBalancer(new LoadBalancerBeans(beanFactory.getBeanProvider(LoadBalancer.class)));
		}
	}

	/** Calls with a key are not its matter, unless it says so. */
	@Override
	public LoadBalancer get() {
		LoadBalancer own = this.beans.getObject();
		return (own instanceof ConsistentHashLoadBalancer) ? own : new ConsistentHashLoadBalancer(own);
	}

}
