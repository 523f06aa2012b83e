package io.rpcboot.internal.client.retry;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounters;

/** Hedges slow calls of a reference within its retry budget. Control thread. */
final class Hedger {

	private final RetryBudget budget;

	private final Redispatcher redispatcher;

	private final ClientCounters counts;

	Hedger(RetryBudget budget, Redispatcher redispatcher, ClientCounters counts) {
		this.budget = budget;
		this.redispatcher = redispatcher;
		this.counts = counts;
	}

	/**
	 * Sends a copy of a pending call to another instance. Does nothing if the call has a
	 * hedge, or if no other instance is ready.
	 * @return false if no further call can be hedged now: the budget is used up, or the
	 * other instances are full
	 */
	boolean hedge(ClientCall call) {
		CallTransport original = call.connection;
		boolean isPending = call.state == ClientCall.SENT && call.hedge == null;
		if (!isPending || original == null || !this.redispatcher.hasAnother(call)) {
			return true;
		}
		if (!this.budget.take()) {
			this.counts.repetitionDenied();
			return false;
		}
		HedgedAttempt hedge = HedgedAttempt.of(call);
		if (hedge == null) {
			this.budget.refund();
			return true;
		}
		call.hedge = hedge;
		if (call.isAbandoned()) { // the thread that ended it may have missed the hedge
			hedge.fail(RpcStatus.CANCELLED, "the call has its reply");
			this.budget.refund();
		}
		else if (!this.redispatcher.hedge(hedge, original)) {
			call.hedge = null; // a later look may find a free instance
			this.budget.refund();
			return false;
		}
		return true;
	}

}
