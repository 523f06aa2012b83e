package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.PendingCallQueue;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.client.limits.QueuedCall;
import org.jspecify.annotations.Nullable;

/**
 * All instances of a reference, as broadcasts see them, with the calls that wait for one
 * of them and go to no other. Any thread, but for what says otherwise.
 */
public final class BroadcastTargets implements PendingCallQueue.Takers {

	private final ScheduledExecutorService control;

	private final Runnable onQueue;

	private final CountDownLatch resolved = new CountDownLatch(1);

	/** Written by the control thread. */
	private volatile List<BroadcastTarget> all = List.of();

	/** Null until a call has to wait for the first time. */
	private volatile @Nullable PendingCallQueue queue;

	private volatile boolean closed;

	/**
	 * None yet.
	 * @param control sweeps the queue
	 * @param onQueue run by the control thread when there is a queue, from which
	 * connections are to take calls
	 */
	public BroadcastTargets(ScheduledExecutorService control, Runnable onQueue) {
		this.control = control;
		this.onQueue = onQueue;
	}

	/** These are the instances now. Control thread. */
	public void are(List<BroadcastTarget> instances) {
		this.all = instances;
		this.resolved.countDown();
	}

	/** Those that are known; empty while nobody has said which there are. */
	public List<BroadcastTarget> all() {
		return this.all;
	}

	/** Waits until it is known which instances there are. */
	public List<BroadcastTarget> await(long mostNanos) {
		try {
			this.resolved.await(mostNanos, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return this.all;
	}

	/** Null if it is not an instance, or is one no longer. */
	public @Nullable BroadcastTarget at(@Nullable Endpoint endpoint) {
		for (BroadcastTarget each : this.all) {
			if (each.endpoint().equals(endpoint)) {
				return each;
			}
		}
		return null;
	}

	/** Let a call wait for its instance. */
	public void add(ClientCall call) {
		queue(call.reference.index).add(call);
		offer(call);
	}

	/** A connection could not write the call that it took: it waits where it did. */
	public void giveBack(ClientCall call) {
		queue(call.reference.index).giveBack(call);
		offer(call);
	}

	private void offer(ClientCall call) {
		BroadcastTarget instance = at(call.reference.onlyAt());
		if (instance != null) {
			instance.offer();
		}
		if (this.closed) {
			closeQueue();
		}
	}

	/** The queue of such calls; null if none has waited yet. */
	public @Nullable PendingCallQueue queue() {
		return this.queue;
	}

	private PendingCallQueue queue(int reference) {
		PendingCallQueue known = this.queue;
		return (known != null) ? known : newQueue(reference);
	}

	private synchronized PendingCallQueue newQueue(int reference) {
		PendingCallQueue made = this.queue;
		if (made == null) {
			made = new PendingCallQueue(reference, new AtomicInteger(), this.control, this);
			this.queue = made;
			if (!this.closed) {
				this.control.execute(this.onQueue);
			}
		}
		return made;
	}

	/** Who adds a call offers it to its instance. */
	@Override
	public void offer() {
	}

	/** Calls wait for any of them. */
	public void offerAll() {
		this.all.forEach(BroadcastTarget::offer);
	}

	@Override
	public Predicate<ClientCall> acceptedBy(CallTransport taker) {
		Endpoint there = taker.endpoint();
		return (call) -> there.equals(call.reference.onlyAt());
	}

	@Override
	public void lookAgain() {
		PendingCallQueue waiting = this.queue;
		if (waiting == null) {
			return;
		}
		for (ExpiringCallQueue<ClientCall> each : waiting.both()) {
			each.removeIf((call) -> !isReachable(call)).forEach(this::fail);
		}
		if (waiting.size() > 0) {
			offerAll();
		}
	}

	private boolean isReachable(ClientCall call) {
		BroadcastTarget instance = at(call.reference.onlyAt());
		return instance != null && instance.isReachable();
	}

	/** End a call whose instance takes none. */
	public void fail(ClientCall call) {
		BroadcastTarget instance = at(call.reference.onlyAt());
		String why = (instance != null) ? instance.why()
				: call.reference.onlyAt() + " is an instance of the service no longer";
		call.fail(RpcStatus.UNAVAILABLE, this.closed ? QueuedCall.CLIENT_CLOSED : why);
	}

	/** The client is closed. Control thread. */
	public void close() {
		this.closed = true;
		this.all = List.of();
		this.resolved.countDown();
		closeQueue();
	}

	private void closeQueue() {
		PendingCallQueue waiting = this.queue;
		if (waiting != null) {
			waiting.close();
		}
	}

}
