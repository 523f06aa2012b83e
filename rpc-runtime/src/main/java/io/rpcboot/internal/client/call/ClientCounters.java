package io.rpcboot.internal.client.call;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.logging.RateLimitedLogger;

/**
 * Counters of a client for calls that were sent again, lost or not sent, and for rejected
 * contracts. A call without trouble touches none of them. Any thread.
 */
public final class ClientCounters {

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Calls sent again, by ordinal of {@link RedispatchReason}. */
	private final LongAdder[] resent = Stream.generate(LongAdder::new)
		.limit(RedispatchReason.values().length)
		.toArray(LongAdder[]::new);

	private final LongAdder expired = new LongAdder();

	private final LongAdder cancelled = new LongAdder();

	private final LongAdder denied = new LongAdder();

	private final LongAdder lostOneWays = new LongAdder();

	private final LongAdder refusedContracts = new LongAdder();

	/** Counts a call that is sent again. */
	public void sentAgain(RedispatchReason why) {
		this.resent[why.ordinal()].increment();
	}

	/** Returns the calls sent again. */
	public long resent(RedispatchReason why) {
		return this.resent[why.ordinal()].sum();
	}

	/** Counts a retry or hedge that the budget did not allow. */
	public void repetitionDenied() {
		this.denied.increment();
	}

	/** Returns the retries and hedges that the budget did not allow. */
	public long denied() {
		return this.denied.sum();
	}

	/**
	 * Counts a call that failed before it was sent.
	 * @param late true if its deadline has passed
	 */
	public void notSent(RpcStatus status, boolean late) {
		if (status == RpcStatus.CANCELLED) {
			this.cancelled.increment();
		}
		else if (late || status == RpcStatus.DEADLINE_EXCEEDED) {
			this.expired.increment();
		}
	}

	/** Returns the calls whose deadline passed before they were sent. */
	public long expired() {
		return this.expired.sum();
	}

	/** Returns the calls that were cancelled before they were sent. */
	public long cancelled() {
		return this.cancelled.sum();
	}

	/**
	 * Logs and counts a one-way call that failed, because its caller is not informed. The
	 * line comes first, so that it is there as soon as the count tells of it.
	 */
	void oneWayLost(MethodDescriptor method, RpcException why) {
		this.log.warn("One-way call lost", List.of(method, why.status()),
				() -> Objects.requireNonNullElseGet(why.getMessage(), why::toString), null);
		this.lostOneWays.increment();
	}

	/** Counts and logs a one-way call that a server has read and does not serve. */
	public void oneWayNotServed(MethodDescriptor method, String why) {
		oneWayLost(method, FailureMessages.refused(method, RpcStatus.UNAVAILABLE, why, null));
	}

	/** Returns the one-way calls that failed before the socket took them. */
	public long lostOneWays() {
		return this.lostOneWays.sum();
	}

	/** Counts a service that a server rejects, wholly or in part. */
	public void contractRefused() {
		this.refusedContracts.increment();
	}

	/** Returns the rejected services, one for each service and connection. */
	public long refusedContracts() {
		return this.refusedContracts.sum();
	}

}
