package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallCarrier;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.ReferenceQueue;
import io.rpcboot.internal.client.limits.CallQueue;
import io.rpcboot.internal.client.limits.QueuedCall;
import org.jspecify.annotations.Nullable;

/**
 * All instances of a reference, as broadcasts see them, with the calls that wait for one
 * of them and go to no other. Any thread, but for what says otherwise.
 */
public final class KnownInstances implements ReferenceQueue.Takers {

	private final ScheduledExecutorService control;

	private final Runnable onQueue;

	private final CountDownLatch resolved = new CountDownLatch(1);

	/** Written by the control thread. */
	private volatile List<KnownInstance> all = List.of();

	/** Null until a call has to wait for the first time. */
	private volatile @Nullable ReferenceQueue queue;

	private volatile boolean closed;

	/**
	 * None yet.
	 * @param control sweeps the queue
	 * @param onQueue run by the control thread when there is a queue, from which
	 * connections are to take calls
	 */
	public KnownInstances(ScheduledExecutorService control, Runnable onQueue) {
		this.control = control;
		this.onQueue = onQueue;
	}

	/** These are the instances now. Control thread. */
	public void are(List<KnownInstance> instances) {
		this.all = instances;
		this.resolved.countDown();
	}

	/** Those that are known; empty while nobody has said which there are. */
	public List<KnownInstance> all() {
		return this.all;
	}

	/** Waits until it is known which instances there are. */
	public List<KnownInstance> await(long mostNanos) {
		try {
			this.resolved.await(mostNanos, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return this.all;
	}

	/** Null if it is not an instance, or is one no longer. */
	public @Nullable KnownInstance at(@Nullable Endpoint endpoint) {
		for (KnownInstance each : this.all) {
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
		KnownInstance instance = at(call.reference.onlyAt());
		if (instance != null) {
			instance.offer();
		}
		if (this.closed) {
			closeQueue();
		}
	}

	/** The queue of such calls; null if none has waited yet. */
	public @Nullable ReferenceQueue queue() {
		return this.queue;
	}

	private ReferenceQueue queue(int reference) {
		ReferenceQueue known = this.queue;
		return (known != null) ? known : newQueue(reference);
	}

	private synchronized ReferenceQueue newQueue(int reference) {
		ReferenceQueue made = this.queue;
		if (made == null) {
			made = new ReferenceQueue(reference, new AtomicInteger(), this.control, this);
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
		this.all.forEach(KnownInstance::offer);
	}

	@Override
	public Predicate<ClientCall> acceptedBy(CallCarrier taker) {
		Endpoint there = taker.endpoint();
		return (call) -> there.equals(call.reference.onlyAt());
	}

	@Override
	public void lookAgain() {
		ReferenceQueue waiting = this.queue;
		if (waiting == null) {
			return;
		}
		for (CallQueue<ClientCall> each : waiting.both()) {
			each.removeIf((call) -> !isReachable(call)).forEach(this::fail);
		}
		if (waiting.size() > 0) {
			offerAll();
		}
	}

	private boolean isReachable(ClientCall call) {
		KnownInstance instance = at(call.reference.onlyAt());
		return instance != null && instance.isReachable();
	}

	/** End a call whose instance takes none. */
	public void fail(ClientCall call) {
		KnownInstance instance = at(call.reference.onlyAt());
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
		ReferenceQueue waiting = this.queue;
		if (waiting != null) {
			waiting.close();
		}
	}

}
