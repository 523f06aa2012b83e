package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.Retries;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of a reference: its instances by state, and the rest of its retry budget. One
 * thread writes, any thread reads.
 */
public final class InstanceGauges {

	private final String service;

	private final GaugeRegistrations gauges;

	/** True once the budget has a gauge. */
	private boolean hasRetries;

	/** Number of instances by the ordinal of their state; replaced, never changed. */
	private volatile int[] counts = new int[State.values().length];

	public InstanceGauges(RpcMetrics metrics, String service) {
		this.service = service;
		this.gauges = new GaugeRegistrations(metrics);
		for (State state : State.values()) {
			this.gauges.offer(gaugeOf(state), service, () -> this.counts[state.ordinal()]);
		}
	}

	/**
	 * Registers the gauge of the retry budget, once, unless the supplier returns null.
	 */
	public void retries(Supplier<@Nullable Retries> budget) {
		if (!this.hasRetries && budget.get() != null) {
			this.hasRetries = true;
			this.gauges.offer(Gauge.RETRIES_LEFT, this.service, () -> {
				Retries now = budget.get();
				return (now != null) ? now.left() : 0;
			});
		}
	}

	private static Gauge gaugeOf(State state) {
		return switch (state) {
			case CONNECTING -> Gauge.INSTANCES_CONNECTING;
			case READY -> Gauge.INSTANCES_READY;
			case FROZEN -> Gauge.INSTANCES_FROZEN;
			case EJECTED -> Gauge.INSTANCES_EJECTED;
			case DRAINING -> Gauge.INSTANCES_DRAINING;
			case BACKING_OFF -> Gauge.INSTANCES_BACKING_OFF;
			case INCOMPATIBLE -> Gauge.INSTANCES_INCOMPATIBLE;
		};
	}

	/** Counts the instances by state. */
	public void count(List<Instance> instances) {
		int[] next = new int[State.values().length];
		instances.forEach((each) -> next[each.state().ordinal()]++);
		this.counts = next;
	}

	/** Removes the gauges. */
	public void close() {
		this.gauges.close();
	}

}
