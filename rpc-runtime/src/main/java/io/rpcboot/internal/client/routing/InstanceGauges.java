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
 * How many instances of a reference are in each state, and what is left of its budget.
 * Written by one thread, read by any.
 */
public final class InstanceGauges {

	private final String service;

	private final GaugeRegistrations levels;

	/** By ordinal of the state; no array is changed once it is here. */
	private volatile int[] counts = new int[State.values().length];

	public InstanceGauges(RpcMetrics metrics, String service) {
		this.service = service;
		this.levels = new GaugeRegistrations(metrics);
		for (State state : State.values()) {
			this.levels.offer(levelOf(state), service, () -> this.counts[state.ordinal()]);
		}
	}

	/** What is left of its budget for calls that are made once more, if it has one. */
	public void retries(Supplier<@Nullable Retries> budget) {
		if (budget.get() != null) {
			this.levels.offer(Gauge.RETRIES_LEFT, this.service, () -> {
				Retries now = budget.get();
				return (now != null) ? now.left() : 0;
			});
		}
	}

	private static Gauge levelOf(State state) {
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

	/** The instances are these now. */
	public void count(List<Instance> instances) {
		int[] next = new int[State.values().length];
		instances.forEach((each) -> next[each.state().ordinal()]++);
		this.counts = next;
	}

	/** The reference is gone. */
	public void close() {
		this.levels.close();
	}

}
