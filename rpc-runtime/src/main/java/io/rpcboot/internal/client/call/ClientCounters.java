package io.rpcboot.internal.client.call;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;

/**
 * How many calls of a client did not go straight to a server, and how many contracts did
 * not fit. Nothing of it happens to a call without trouble. Any thread.
 */
public final class ClientCounters {

	/** By ordinal of {@link RedispatchReason}. */
	private final LongAdder[] resent = Stream.generate(LongAdder::new)
		.limit(RedispatchReason.values().length)
		.toArray(LongAdder[]::new);

	private final LongAdder expired = new LongAdder();

	private final LongAdder cancelled = new LongAdder();

	private final LongAdder denied = new LongAdder();

	private final LongAdder refusedContracts = new LongAdder();

	/** A call is sent again. */
	public void sentAgain(RedispatchReason why) {
		this.resent[why.ordinal()].increment();
	}

	/** Calls sent again so far. */
	public long resent(RedispatchReason why) {
		return this.resent[why.ordinal()].sum();
	}

	/** A call was not made once more for want of a budget. */
	public void repetitionDenied() {
		this.denied.increment();
	}

	/** Calls so far that were not made once more for want of a budget. */
	public long denied() {
		return this.denied.sum();
	}

	/**
	 * A call has failed and was not sent.
	 * @param status how
	 * @param late whether its time is over
	 */
	public void notSent(RpcStatus status, boolean late) {
		if (status == RpcStatus.CANCELLED) {
			this.cancelled.increment();
		}
		else if (late || status == RpcStatus.DEADLINE_EXCEEDED) {
			this.expired.increment();
		}
	}

	/** Calls so far whose time was over before they were sent. */
	public long expired() {
		return this.expired.sum();
	}

	/** Calls so far that were cancelled before they were sent. */
	public long cancelled() {
		return this.cancelled.sum();
	}

	/** A connected server refuses a service, or methods of it. */
	public void contractRefused() {
		this.refusedContracts.increment();
	}

	/** Contracts refused so far, each once for each connection. */
	public long refusedContracts() {
		return this.refusedContracts.sum();
	}

}
