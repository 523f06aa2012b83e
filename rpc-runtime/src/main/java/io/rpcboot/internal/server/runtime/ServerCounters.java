package io.rpcboot.internal.server.runtime;

import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Counters of rejected and cancelled calls, rejected contracts, aged connections and
 * shutdown. Each only rises. Any thread.
 */
public final class ServerCounters {

	/** One-way calls received that did not run. */
	public final LongAdder dropped = new LongAdder();

	/**
	 * Calls that did not run, because their deadline had passed or less time was left
	 * than their method takes.
	 */
	public final LongAdder expired = new LongAdder();

	/** Calls that did not run, because they were cancelled or their connection ended. */
	public final LongAdder cancelled = new LongAdder();

	/** Bindings of which all or some methods were rejected. */
	public final LongAdder refusedContracts = new LongAdder();

	/** Connections that were closed after they reached their maximum age. */
	public final LongAdder aged = new LongAdder();

	/** Calls that ended during the grace period of a shutdown. */
	public final LongAdder drained = new LongAdder();

	/** Calls that were still in flight at the end of the grace period. */
	public final LongAdder cut = new LongAdder();

	/** Refusals by interceptors of callers that have proved nothing. */
	public final LongAdder unauthenticated = new LongAdder();

	/** Refusals by interceptors of callers that are known. */
	public final LongAdder denied = new LongAdder();

	/** Counts a refusal by an interceptor. */
	public void refused(RpcStatus status) {
		((status == RpcStatus.UNAUTHENTICATED) ? this.unauthenticated : this.denied).increment();
	}

	/** Registers the gauges of all counters. */
	void offerTo(GaugeRegistrations gauges) {
		gauges.offer(Gauge.DROPPED_CALLS, this.dropped::sum)
			.offer(Gauge.SERVER_EXPIRED, this.expired::sum)
			.offer(Gauge.SERVER_CANCELLED, this.cancelled::sum)
			.offer(Gauge.SERVER_CONTRACTS_REFUSED, this.refusedContracts::sum)
			.offer(Gauge.AGED_CONNECTIONS, this.aged::sum)
			.offer(Gauge.DRAINED_CALLS, this.drained::sum)
			.offer(Gauge.CUT_CALLS, this.cut::sum);
	}

}
