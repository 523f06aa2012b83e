package io.rpcboot.internal.client.runtime;

import java.time.Duration;
import java.util.function.Supplier;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.Options;

/**
 * Options of all references that have none of their own. A client replaces them as a
 * whole while it runs.
 *
 * @param timeout timeout of a call
 * @param waitForInstance time that a call waits for an instance, 0 to fail at once
 * @param waitsByDefault true if no setting says that time
 * @param resilience retries, hedging, ejection and routing
 * @param loadBalancer makes the load balancer of each reference
 */
public record ReferenceDefaults(Duration timeout, Duration waitForInstance, boolean waitsByDefault,
		ResilienceOptions resilience, Supplier<LoadBalancer> loadBalancer) {

	/** Returns the timeout of a method of a reference without one of its own. */
	public Duration timeoutOf(ReferenceOptions reference) {
		Duration own = reference.timeout();
		return (own != null) ? own : this.timeout;
	}

	/** Returns the time that a call of a reference waits for an instance. */
	public InstanceWait waitOf(ReferenceOptions reference) {
		Duration own = reference.waitForInstance();
		return new InstanceWait(Options.nanos((own != null) ? own : this.waitForInstance),
				own == null && this.waitsByDefault);
	}

	/** Returns the resilience options of a reference. */
	public ResilienceOptions resilienceOf(ReferenceOptions reference) {
		ResilienceOptions own = reference.resilience();
		return (own != null) ? own : this.resilience;
	}

}
