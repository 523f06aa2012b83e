package io.rpcboot.internal.client.retry;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.connection.ConnectionStats;
import org.jspecify.annotations.Nullable;

/** Hedges slow calls of a reference within its retry budget. Any thread. */
final class Hedger {

	private final RetryBudget budget;

	private final Set<RpcStatus> retryable;

	private final Redispatcher redispatcher;

	private final ClientCounters counts;

	/** Races by each of their two calls. */
	private final Map<ClientCall, HedgedCall> races = new ConcurrentHashMap<>();

	Hedger(RetryBudget budget, Set<RpcStatus> retryable, Redispatcher redispatcher, ClientCounters counts) {
		this.budget = budget;
		this.retryable = retryable;
		this.redispatcher = redispatcher;
		this.counts = counts;
	}

	/**
	 * Sends a pending call to a second instance, if one is ready and not full, and the
	 * budget allows it.
	 * @return false if the call is not sent yet, so that a later look may hedge it
	 */
	boolean hedge(HedgedCall call) {
		ClientCall first = call.first();
		CallTransport original = first.connection;
		if (first.state != ClientCall.SENT || original == null) {
			return first.isAbandoned();
		}
		if (!this.redispatcher.hasAnother(first)) {
			return true;
		}
		if (!this.budget.take()) {
			this.counts.repetitionDenied();
			return true;
		}
		ClientCall second = call.makeSecond();
		if (second != null) {
			this.races.put(first, call);
			this.races.put(second, call);
		}
		if (second == null || !this.redispatcher.hedge(second, original)) {
			this.budget.refund();
		}
		if (!call.isRace()) { // the thread that ended it may have missed the second call
			leave(first, second);
		}
		return true;
	}

	/** Returns true if a call is one of two that are pending: it is not retried. */
	boolean isInRace(ClientCall call) {
		HedgedCall race = this.races.get(call);
		return race != null && race.isRace();
	}

	/** Returns true if a call with this outcome may end otherwise at another instance. */
	boolean mayDiffer(RpcStatus status) {
		return this.retryable.contains(status) || ConnectionStats.speaksAgainst(status);
	}

	/** Forgets a race. */
	void leave(ClientCall first, @Nullable ClientCall second) {
		this.races.remove(first);
		if (second != null) {
			this.races.remove(second);
		}
	}

}
