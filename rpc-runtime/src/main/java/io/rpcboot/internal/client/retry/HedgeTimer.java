package io.rpcboot.internal.client.retry;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.outlier.LatencyQuantile;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Timer that hedges the slow asynchronous calls of one method, and the delay of all its
 * calls. It is the same for all, so one FIFO queue and one scheduled task serve them. Any
 * thread adds calls; the control thread does the rest.
 */
public final class HedgeTimer {

	private static final long MIN_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final HedgingOptions options;

	private final long delayNanos;

	private final LatencyQuantile times;

	private final Predicate<HedgedCall> hedger;

	private final ClientResources client;

	/** Calls by their start. */
	private final Queue<HedgedCall> calls = new ConcurrentLinkedQueue<>();

	/** Calls that were due before they were sent. Control thread. */
	private final Queue<Unsent> unsent = new ArrayDeque<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	/** True once hedging has ended; never false again. */
	private volatile boolean closed;

	/**
	 * Creates a timer.
	 * @param hedger hedges a call; false if it is not sent yet
	 * @param before timer of the same method whose times are known, null for none
	 */
	HedgeTimer(HedgingOptions options, Predicate<HedgedCall> hedger, ClientResources client,
			@Nullable HedgeTimer before) {
		this.options = options;
		this.delayNanos = Options.nanos(options.delay());
		this.times = (before != null && before.options.quantile() == options.quantile()) ? before.times
				: new LatencyQuantile(options.quantile(), client.nanoTime());
		this.hedger = hedger;
		this.client = client;
	}

	/** Returns the hedging options of a method, or null if its calls are not hedged. */
	public static @Nullable HedgingOptions options(MethodDescriptor method, ResilienceOptions policies) {
		HedgingOptions own = policies.hedging().get(method.name());
		RpcMethod policy = method.method().getAnnotation(RpcMethod.class);
		boolean declared = policy != null && policy.hedged();
		return (own != null || !declared) ? own : HedgingOptions.defaults();
	}

	/** Returns true if it hedges as options say. */
	boolean hasOptions(HedgingOptions other) {
		return this.options.delay().equals(other.delay()) && this.options.quantile() == other.quantile();
	}

	/** Adds a call that begins. */
	void begins(HedgedCall call) {
		long delay = delay();
		if (delay > 0) {
			this.calls.add(call);
			schedule(delay);
		}
	}

	/** Ends hedging and forgets the calls. */
	void close() {
		this.closed = true;
		this.calls.clear();
	}

	/** Records the time of an answered call. */
	void answered(ClientCall call) {
		this.times.add(System.nanoTime() - call.startNanos);
	}

	/** Returns the delay of hedges; 0 for none, also while too few times are known. */
	long delay() {
		if (this.delayNanos > 0 || this.closed) {
			return this.closed ? 0 : this.delayNanos;
		}
		long nanos = this.times.nanos();
		return (nanos > 0) ? Math.max(MIN_DELAY_NANOS, nanos) : 0;
	}

	private void schedule(long nanos) {
		if (!this.scheduled.get() && this.scheduled.compareAndSet(false, true)) {
			try {
				this.client.control().schedule(this::hedgeDue, nanos, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				close();
			}
		}
	}

	private void hedgeDue() {
		this.scheduled.set(false);
		long delay = delay();
		HedgedCall next = nextDue(delay);
		while (next != null) {
			hedge(next, delay);
			next = nextDue(delay);
		}
		long now = System.nanoTime();
		while (!this.unsent.isEmpty() && this.unsent.element().dueNanos - now <= 0) {
			hedge(this.unsent.remove().call, delay);
		}
		long wait = Long.MAX_VALUE;
		HedgedCall later = this.calls.peek();
		if (later != null) {
			wait = later.first().startNanos + delay - now;
		}
		if (!this.unsent.isEmpty()) {
			wait = Math.min(wait, this.unsent.element().dueNanos - now);
		}
		if (wait != Long.MAX_VALUE) {
			schedule(Math.max(MIN_DELAY_NANOS / 4, wait));
		}
	}

	/** Removes ended calls, and takes the first call that is due; null if none is. */
	private @Nullable HedgedCall nextDue(long delay) {
		HedgedCall next = this.calls.peek();
		while (next != null && (next.isDone() || System.nanoTime() - next.first().startNanos >= delay)) {
			this.calls.poll();
			if (!next.isDone()) {
				return next;
			}
			next = this.calls.peek();
		}
		return null;
	}

	private void hedge(HedgedCall call, long delay) {
		if (!this.hedger.test(call)) {
			this.unsent.add(new Unsent(call, System.nanoTime() + Math.max(MIN_DELAY_NANOS, delay)));
		}
	}

	private record Unsent(HedgedCall call, long dueNanos) {
	}

}
