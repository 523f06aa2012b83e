package io.rpcboot.internal.client.retry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.Retries;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.cluster.RetryBudget;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryAdvice;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls of the idempotent methods of a reference once more that have failed and may
 * have run. Beside the path of a call. Any thread.
 */
public final class RetryHandler {

	/** Of attempts, which are 10 at most. */
	private static final int MOST_DOUBLINGS = 9;

	private final RetryOptions options;

	private final long minBackoffNanos;

	private final long maxBackoffNanos;

	private final RetryBudget budget;

	private final Redispatcher redispatcher;

	private final Hedger hedges;

	/** By the name of the method. */
	private final Map<String, HedgeTimer> hedging = new HashMap<>();

	private final ClientCounters counts;

	/** Whether any call may be made once more. */
	private final boolean isUsed;

	public RetryHandler(Redispatcher redispatcher, ResilienceOptions policies, List<BoundMethod> methods,
			ClientResources client) {
		this.redispatcher = redispatcher;
		this.options = policies.retry();
		this.counts = client.counts();
		this.isUsed = this.options.budget() > 0 && methods.stream().anyMatch((method) -> method.usesBudget);
		this.minBackoffNanos = Options.nanos(this.options.minBackoff());
		this.maxBackoffNanos = Options.nanos(this.options.maxBackoff());
		this.budget = new RetryBudget(this.options.budget(), client.nanoTime());
		this.hedges = new Hedger(this.budget, redispatcher, this.counts);
		for (BoundMethod method : methods) {
			HedgingOptions own = HedgeTimer.options(method.descriptor, policies);
			if (own != null) {
				this.hedging.put(method.descriptor.name(), new HedgeTimer(own, this.hedges::send, client));
			}
		}
	}

	/** What is left of the budget; null if no call needs it. */
	public @Nullable Retries retries() {
		return this.isUsed ? new Retries((int) this.budget.left(), (int) this.budget.most()) : null;
	}

	/** A call begins that may be sent to a second instance. */
	public void begins(ClientCall call) {
		hedging(call).begins(call);
	}

	/** No call is sent any more. */
	public void close() {
		this.hedging.values().forEach(HedgeTimer::close);
	}

	private HedgeTimer hedging(ClientCall call) {
		return Objects.requireNonNull(this.hedging.get(call.method.descriptor.name()));
	}

	/** A call has its answer. */
	public void answered(ClientCall call) {
		this.budget.succeeded();
		if (call.method.isHedged) {
			hedging(call).answered(call);
		}
	}

	/** A call at an instance that stands still goes elsewhere, if there is another. */
	public boolean leaves(ClientCall call) {
		return this.redispatcher.hasAnother(call)
				&& repeats(call, RpcStatus.UNAVAILABLE, null, Attachments.none(), true);
	}

	/**
	 * A call is under way for long at an instance that is out: it goes to another one,
	 * too. What hangs there may still come.
	 */
	public boolean hedgesOverdue(ClientCall call) {
		AttemptHistory attempts = call.attempts;
		int failed = (attempts != null) ? attempts.failed() : 0;
		boolean may = !(call instanceof HedgedAttempt) && failed + 1 < this.options.maxAttempts();
		return !may || this.hedges.send(call);
	}

	/**
	 * Make a call once more, if that may be and makes sense. By who has the end of its
	 * attempt in hand.
	 * @param remoteType what the implementation threw, null if nothing
	 * @param reply what came with the answer
	 */
	public boolean repeats(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply) {
		return repeats(call, status, remoteType, reply, false);
	}

	private boolean repeats(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayRunThere) {
		if (call.remainingNanos() <= 0 || call.state != ClientCall.SENT || call instanceof HedgedAttempt) {
			return false;
		}
		boolean repeatable = this.options.statuses().contains(status);
		// what says nothing against the instance is said elsewhere, too
		if ((repeatable || ConnectionStats.speaksAgainst(status)) && awaitsHedge(call, mayRunThere)) {
			return true;
		}
		if (!repeatable) {
			return false;
		}
		AttemptHistory attempts = this.redispatcher.attemptsOf(call);
		long advice = RetryAdvice.of(reply);
		if (attempts.failed() + 1 >= this.options.maxAttempts() || advice < 0 || attempts.failedSo(remoteType)) {
			return false;
		}
		long pause = Math.max(TimeUnit.MILLISECONDS.toNanos(advice), backoff(call, attempts));
		if (call.remainingNanos() <= pause) {
			return false;
		}
		if (!this.budget.take()) {
			this.counts.repetitionDenied();
			return false;
		}
		CallTransport from = call.connection;
		if (from == null || !markToRepeat(call, mayRunThere)) {
			this.budget.refund();
			return false;
		}
		attempts.failedAt(from.endpoint(), remoteType);
		this.redispatcher.sendAgain(call, from, pause);
		return true;
	}

	/** A call that has failed while it is on its way elsewhere ends as that does. */
	private static boolean awaitsHedge(ClientCall call, boolean mayRunThere) {
		ClientCall hedge = call.hedge;
		if (hedge == null) {
			return false;
		}
		call.awaitsHedge = true; // then look: who ends the hedge looks in reverse order
		boolean awaits = !hedge.isAbandoned() && markToRepeat(call, mayRunThere);
		call.awaitsHedge = awaits;
		return awaits;
	}

	/** Who ends the call from here on sees that it may have run, or still may. */
	private static boolean markToRepeat(ClientCall call, boolean mayRunThere) {
		if (mayRunThere) {
			call.mayHaveRun = true;
		}
		return call.markForRetry();
	}

	/** None before the first time, if it goes elsewhere. */
	private long backoff(ClientCall call, AttemptHistory attempts) {
		int failed = attempts.failed();
		if (failed == 0 && this.redispatcher.hasAnother(call)) {
			return 0;
		}
		long bound = Math.min(this.maxBackoffNanos, this.minBackoffNanos << Math.min(failed, MOST_DOUBLINGS));
		return 1 + ThreadLocalRandom.current().nextLong(bound);
	}

}
