package io.rpcboot.internal.client.retry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryAdvice;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Retries and hedges the calls of one reference within its budget. Any thread.
 */
public final class RetryHandler {

	/** Bound of the exponent of the backoff, one less than the most attempts. */
	private static final int MAX_DOUBLINGS = 9;

	private final RetryOptions options;

	private final long minBackoffNanos;

	private final long maxBackoffNanos;

	private final RetryBudget budget;

	private final Redispatcher redispatcher;

	private final Hedger hedger;

	/** By the name of the method. */
	private final Map<String, HedgeTimer> hedgeTimers = new HashMap<>();

	private final ClientCounters counts;

	/** True if a method of the reference may be retried or hedged. */
	private final boolean isUsed;

	/**
	 * Creates the handler of a reference.
	 * @param before the handler that this one replaces, null for none. Its budget goes on
	 * if its size is the same, and so do timers with the same options then; other timers
	 * know the times of the replaced ones
	 */
	public RetryHandler(Redispatcher redispatcher, ResilienceOptions policies, List<BoundMethod> methods,
			ClientResources client, @Nullable RetryHandler before) {
		this.redispatcher = redispatcher;
		this.options = policies.retry();
		this.counts = client.counts();
		this.isUsed = this.options.budget() > 0 && methods.stream().anyMatch((method) -> method.usesBudget);
		this.minBackoffNanos = Options.nanos(this.options.minBackoff());
		this.maxBackoffNanos = Options.nanos(this.options.maxBackoff());
		RetryHandler kept = (before != null && before.options.budget() == this.options.budget()) ? before : null;
		this.budget = (kept != null) ? kept.budget : new RetryBudget(this.options.budget(), client.nanoTime());
		this.hedger = new Hedger(this.budget, redispatcher, this.counts);
		for (BoundMethod method : methods) {
			HedgingOptions own = HedgeTimer.options(method.descriptor, policies);
			HedgeTimer known = (before != null) ? before.hedgeTimers.get(method.descriptor.name()) : null;
			if (own != null) {
				this.hedgeTimers.put(method.descriptor.name(), (kept != null && known != null && known.hasOptions(own))
						? known : new HedgeTimer(own, this.hedger::hedge, client, known));
			}
		}
	}

	/** Returns the rest of the budget, or null if no call uses it. */
	public @Nullable Retries budget() {
		return this.isUsed ? new Retries((int) this.budget.left(), (int) this.budget.most()) : null;
	}

	/** Starts the hedge timer of a call whose method is hedged. */
	public void begins(ClientCall call) {
		HedgeTimer timer = hedgeTimer(call);
		if (timer != null) {
			timer.begins(call);
		}
	}

	/** Ends all hedge timers. */
	public void close() {
		this.hedgeTimers.values().forEach(HedgeTimer::close);
	}

	/** Returns null if a change has ended the hedging after the call began. */
	private @Nullable HedgeTimer hedgeTimer(ClientCall call) {
		return this.hedgeTimers.get(call.method.descriptor.name());
	}

	/** Records a reply: it earns budget, and its time moves the delay of hedges. */
	public void answered(ClientCall call) {
		this.budget.succeeded();
		if (call.method.isHedged) {
			HedgeTimer timer = hedgeTimer(call);
			if (timer != null) {
				timer.answered(call);
			}
		}
	}

	/**
	 * Moves a call away from a frozen instance.
	 * @return false if the call stays: no other instance is ready, or it may not be
	 * retried
	 */
	public boolean retryFromFrozen(ClientCall call) {
		return this.redispatcher.hasAnother(call) && retry(call, RpcStatus.UNAVAILABLE, null, Attachments.none(), true);
	}

	/**
	 * Hedges an overdue call of an ejected instance, whose own reply may still come.
	 * @return false if no further call can be hedged now
	 */
	public boolean hedgesOverdue(ClientCall call) {
		AttemptHistory attempts = call.attempts;
		int failed = (attempts != null) ? attempts.failed() : 0;
		boolean may = !(call instanceof HedgedAttempt) && failed + 1 < this.options.maxAttempts();
		return !may || this.hedger.hedge(call);
	}

	/**
	 * Retries a failed call, or lets it wait for its hedge. Called by the thread that
	 * ends the attempt.
	 * @param remoteType class name of the exception of the implementation, or null
	 * @param reply attachments of the reply
	 * @param mayHaveRun true if the attempt may have executed, or may still execute
	 * @return false if the call ends with this failure
	 */
	public boolean retry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayHaveRun) {
		if (call.remainingNanos() <= 0 || call.state != ClientCall.SENT || call instanceof HedgedAttempt
				|| (call.context != null && call.context.isParentCancelled())) {
			return false;
		}
		boolean retryable = this.options.statuses().contains(status);
		// other statuses depend on the call alone: the hedge would get the same
		if ((retryable || ConnectionStats.speaksAgainst(status)) && awaitsHedge(call)) {
			return true;
		}
		if (!retryable) {
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
		// before the state changes, because any thread may end the call from then on
		attempts.mayHaveRun |= mayHaveRun;
		CallTransport from = call.connection;
		if (from == null || !call.markForRetry()) {
			this.budget.refund();
			return false;
		}
		attempts.failedAt(from.endpoint(), remoteType);
		this.redispatcher.sendAgain(call, from, pause);
		return true;
	}

	/** Returns true if a failed call has a pending hedge and ends as that does. */
	private static boolean awaitsHedge(ClientCall call) {
		if (!(call.hedge instanceof HedgedAttempt hedge)) {
			return false;
		}
		// written before the state is read; the end of the hedge does it in reverse order
		hedge.decides = true;
		boolean awaits = !hedge.isAbandoned() && call.markForRetry();
		hedge.decides = awaits;
		return awaits;
	}

	/**
	 * Returns a random pause of at most min(max-backoff, min-backoff * 2^failed); 0
	 * before the second attempt if another instance is ready.
	 */
	private long backoff(ClientCall call, AttemptHistory attempts) {
		int failed = attempts.failed();
		if (failed == 0 && this.redispatcher.hasAnother(call)) {
			return 0;
		}
		long bound = Math.min(this.maxBackoffNanos, this.minBackoffNanos << Math.min(failed, MAX_DOUBLINGS));
		return 1 + ThreadLocalRandom.current().nextLong(bound);
	}

}
