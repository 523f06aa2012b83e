package io.rpcboot.spring.autoconfigure.client;

import java.util.function.Supplier;

import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.LoadBalancer;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Supplies load balancers from a bean of the application, which overrides
 * {@code rpc.client.load-balancer}. A prototype bean gives each reference its own object,
 * a singleton is shared.
 *
 * @param beanFactory context of the bean
 */
record LoadBalancerBeans(ConfigurableListableBeanFactory beanFactory) implements Supplier<LoadBalancer> {

	static void applyTo(RpcClientBuilder builder, ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory.getBeanNamesForType(LoadBalancer.class, true, false).length > 0) {
			builder.loadBalancer(new LoadBalancerBeans(beanFactory));
		}
	}

	/**
	 * Returns the bean, wrapped so that calls with a key use consistent hashing, unless
	 * it does that itself.
	 */
	@Override
	public LoadBalancer get() {
		LoadBalancer own = this.beanFactory.getBean(LoadBalancer.class);
		return (own instanceof ConsistentHashLoadBalancer) ? own : new ConsistentHashLoadBalancer(own);
	}

}
