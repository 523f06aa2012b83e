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
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounters;
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
		this.hedger = new Hedger(this.budget, this.options.statuses(), redispatcher, this.counts);
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

	/** Returns a future for a call whose method is hedged. */
	public CallFuture hedgedFuture() {
		return new HedgedCall(this.hedger);
	}

	/**
	 * Starts the hedge timer of a call whose method is hedged.
	 * @param future of {@link #hedgedFuture}; null for a blocking call
	 */
	public void begins(ClientCall call, @Nullable CallFuture future) {
		if (future instanceof HedgedCall hedged) {
			hedged.begins(call);
			HedgeTimer timer = hedgeTimer(call);
			if (timer != null) {
				timer.begins(hedged);
			}
		}
	}

	/** Waits for a blocking call whose method is hedged. */
	public @Nullable Object await(ClientCall call) throws Throwable {
		HedgeTimer timer = hedgeTimer(call);
		long delayNanos = (timer != null) ? timer.delay() : 0;
		if (delayNanos == 0) {
			return call.await();
		}
		HedgedCall hedged = new HedgedCall(this.hedger);
		hedged.begins(call);
		return hedged.await(delayNanos);
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
	 * Moves a call away from an instance that is frozen, or at which it is overdue.
	 * @return false if the call stays: no other instance is ready, it may not be retried,
	 * or the budget is used up
	 */
	public boolean retryElsewhere(ClientCall call, RedispatchReason why) {
		return this.budget.left() >= 1 && this.redispatcher.hasAnother(call)
				&& retry(call, RpcStatus.UNAVAILABLE, null, Attachments.none(), true, why);
	}

	/**
	 * Retries a failed call. Called by the thread that ends the attempt.
	 * @param remoteType class name of the exception of the implementation, or null
	 * @param reply attachments of the reply
	 * @param mayHaveRun true if the attempt may have executed, or may still execute
	 * @return false if the call ends with this failure
	 */
	public boolean retry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayHaveRun) {
		return retry(call, status, remoteType, reply, mayHaveRun, RedispatchReason.FAILED);
	}

	private boolean retry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayHaveRun, RedispatchReason why) {
		if (!this.options.statuses().contains(status) || call.remainingNanos() <= 0 || call.state != ClientCall.SENT
				|| (call.context != null && call.context.isParentCancelled()) || this.hedger.isInRace(call)) {
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
		this.redispatcher.sendAgain(call, from, why, pause);
		return true;
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
