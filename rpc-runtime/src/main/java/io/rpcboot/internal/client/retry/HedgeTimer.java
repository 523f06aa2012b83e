package io.rpcboot.internal.client.retry;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.cluster.LatencyQuantile;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls of one method that take long to a second instance. All wait for the same
 * time, so they stand in one row with one timer. Any thread adds; the rest is done by the
 * control thread.
 */
public final class HedgeTimer {

	private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final long delayNanos;

	private final LatencyQuantile times;

	private final Consumer<ClientCall> sender;

	private final ClientResources client;

	private final Queue<ClientCall> row = new ConcurrentLinkedQueue<>();

	/** Were due before they were sent. Seen by the control thread only. */
	private final Queue<Unsent> unsent = new ArrayDeque<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	/** Whether nobody will look again; never false again. */
	private volatile boolean closed;

	HedgeTimer(HedgingOptions options, Consumer<ClientCall> sender, ClientResources client) {
		this.delayNanos = Options.nanos(options.delay());
		this.times = new LatencyQuantile(options.quantile(), client.nanoTime());
		this.sender = sender;
		this.client = client;
	}

	/**
	 * When calls of a method are sent to a second instance, too; null if they are not.
	 */
	public static @Nullable HedgingOptions options(MethodDescriptor method, ResilienceOptions policies) {
		HedgingOptions own = policies.hedging().get(method.name());
		RpcMethod policy = method.method().getAnnotation(RpcMethod.class);
		boolean declared = policy != null && policy.hedged();
		return (own != null || !declared) ? own : HedgingOptions.defaults();
	}

	/** A call begins. */
	void begins(ClientCall call) {
		if (delay() > 0 && !this.closed) {
			this.row.add(call);
			look(delay());
		}
	}

	/** No call will be sent to another instance: nobody looks again. */
	void close() {
		this.closed = true;
		this.row.clear();
	}

	/** A call has its answer. */
	void answered(ClientCall call) {
		this.times.add(System.nanoTime() - call.startNanos);
	}

	/** 0 while it is unknown. */
	private long delay() {
		if (this.delayNanos > 0) {
			return this.delayNanos;
		}
		long nanos = this.times.nanos();
		return (nanos > 0) ? Math.max(LEAST_NANOS, nanos) : 0;
	}

	private void look(long nanos) {
		if (!this.scheduled.get() && this.scheduled.compareAndSet(false, true)) {
			try {
				this.client.control().schedule(() -> look(), nanos, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				close();
			}
			catch (Error ex) { // the next call tries again
				this.scheduled.set(false);
				throw ex;
			}
		}
	}

	private void look() {
		this.scheduled.set(false);
		long delay = delay();
		ClientCall next = nextDue(delay);
		while (next != null) {
			hedge(next, delay);
			next = nextDue(delay);
		}
		long now = System.nanoTime();
		while (!this.unsent.isEmpty() && this.unsent.element().dueNanos - now <= 0) {
			hedge(this.unsent.remove().call, delay);
		}
		long wait = Long.MAX_VALUE;
		ClientCall later = this.row.peek();
		if (later != null) {
			wait = later.startNanos + delay - now;
		}
		if (!this.unsent.isEmpty()) {
			wait = Math.min(wait, this.unsent.element().dueNanos - now);
		}
		if (wait != Long.MAX_VALUE) {
			look(Math.max(LEAST_NANOS / 4, wait));
		}
	}

	/** Null if none has waited for so long. Those that are over leave the row. */
	private @Nullable ClientCall nextDue(long delay) {
		ClientCall next = this.row.peek();
		while (next != null && (next.isAbandoned() || System.nanoTime() - next.startNanos >= delay)) {
			this.row.poll();
			if (!next.isAbandoned()) {
				return next;
			}
			next = this.row.peek();
		}
		return null;
	}

	private void hedge(ClientCall call, long delay) {
		if (call.state != ClientCall.SENT || call.connection == null) {
			if (!call.isAbandoned()) {
				this.unsent.add(new Unsent(call, System.nanoTime() + Math.max(LEAST_NANOS, delay)));
			}
			return;
		}
		this.sender.accept(call);
	}

	private record Unsent(ClientCall call, long dueNanos) {
	}

}
