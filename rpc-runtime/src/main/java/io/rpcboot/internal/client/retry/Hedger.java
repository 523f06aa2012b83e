package io.rpcboot.internal.client.retry;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.cluster.RetryBudget;

/** Sends calls of a reference that take long to a second instance. Control thread. */
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
	 * Send a call to another instance, too, if it waits for its answer, has not been sent
	 * so before and there is another.
	 * @return false if no others may go now: the budget is used up, or there is no room
	 */
	boolean send(ClientCall call) {
		CallTransport there = call.connection;
		boolean waits = call.state == ClientCall.SENT && call.hedge == null;
		if (!waits || there == null || !this.redispatcher.hasAnother(call)) {
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
		if (call.isAbandoned()) { // who ended it may not have seen the hedge
			hedge.fail(RpcStatus.CANCELLED, "the answer is there");
			this.budget.refund();
		}
		else if (!this.redispatcher.hedge(hedge, there)) {
			call.hedge = null; // it may go later
			this.budget.refund();
			return false;
		}
		return true;
	}

}
