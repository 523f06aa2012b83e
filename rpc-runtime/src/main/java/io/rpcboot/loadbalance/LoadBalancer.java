package io.rpcboot.loadbalance;

import java.util.List;

import io.rpcboot.registry.ServiceInstance;

/**
 * Chooses the instance of a call. One object serves one reference and is called by all of
 * its callers at once: implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface LoadBalancer {

	/**
	 * Choose an instance.
	 * @param candidates instances that can take a call now, one or more; the list never
	 * changes, and the same list object means the same candidates as before
	 * @return index of the chosen one
	 */
	int choose(List<ServiceInstance> candidates);

}
