package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.UnsentCallQueue;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.client.limits.QueuedCall;
import org.jspecify.annotations.Nullable;

/**
 * Known instances of a reference, and the queue of broadcast calls that wait for a
 * connection to theirs. Any thread, unless a method says otherwise.
 */
public final class BroadcastTargets implements UnsentCallQueue.Takers {

	private final ScheduledExecutorService control;

	private final Runnable onQueue;

	/** Pause between two looks for the first instances. */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/** True once the registry has named the instances. */
	private volatile boolean resolved;

	/** In the order of the registry. Written by the control thread. */
	private volatile List<BroadcastTarget> all = List.of();

	/** Null until the first call has to wait. */
	private volatile @Nullable UnsentCallQueue queue;

	private volatile boolean closed;

	/** Broadcasts that wait for the first instances. */
	private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

	/** True while a look at those that wait is scheduled. */
	private final AtomicBoolean looks = new AtomicBoolean();

	/**
	 * Creates an empty list.
	 * @param control control thread, which sweeps the queue
	 * @param onQueue connects the new queue with the pools; runs on the control thread
	 */
	public BroadcastTargets(ScheduledExecutorService control, Runnable onQueue) {
		this.control = control;
		this.onQueue = onQueue;
	}

	/** Broadcast that waits for the first instances. */
	private record Waiting(long startNanos, long maxNanos, BooleanSupplier mayCome,
			CompletableFuture<List<BroadcastTarget>> first) {
	}

	/** Replaces the list. Control thread. */
	public void update(List<BroadcastTarget> instances) {
		this.all = instances;
		this.resolved = true;
	}

	/** Returns the known instances; empty before the first snapshot of the registry. */
	public List<BroadcastTarget> all() {
		return this.all;
	}

	/**
	 * Waits for the first instances, and returns the known ones.
	 * @param mayCome returns true if instances may come although the registry has named
	 * none
	 */
	public List<BroadcastTarget> await(long maxNanos, BooleanSupplier mayCome) {
		Waiting waiting = new Waiting(System.nanoTime(), maxNanos, mayCome, new CompletableFuture<>());
		while (mayWait(waiting) && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return this.all;
	}

	/**
	 * Waits as {@link #await}, without blocking.
	 * @return completed with the known instances, at once or by the control thread
	 */
	public CompletableFuture<List<BroadcastTarget>> awaitLater(long maxNanos, BooleanSupplier mayCome) {
		Waiting waiting = new Waiting(System.nanoTime(), maxNanos, mayCome, new CompletableFuture<>());
		if (mayWait(waiting)) {
			this.waiting.add(waiting);
			lookLater();
		}
		if (!mayWait(waiting)) {
			end(waiting);
		}
		return waiting.first;
	}

	private boolean mayWait(Waiting waiting) {
		return this.all.isEmpty() && !this.closed && (!this.resolved || waiting.mayCome.getAsBoolean())
				&& System.nanoTime() - waiting.startNanos < waiting.maxNanos;
	}

	/** Schedules one look for all that wait. */
	private void lookLater() {
		if (this.looks.compareAndSet(false, true)) {
			try {
				this.control.schedule(this::look, PAUSE_NANOS, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				this.looks.set(false);
				this.waiting.forEach(this::end);
			}
		}
	}

	private void look() {
		this.looks.set(false);
		this.waiting.forEach((each) -> {
			if (!mayWait(each)) {
				end(each);
			}
		});
		if (!this.waiting.isEmpty()) {
			lookLater();
		}
	}

	private void end(Waiting waiting) {
		this.waiting.remove(waiting);
		waiting.first.complete(this.all);
	}

	/** Returns the instance with an endpoint, or null if there is none. */
	public @Nullable BroadcastTarget at(@Nullable Endpoint endpoint) {
		for (BroadcastTarget each : this.all) {
			if (each.endpoint().equals(endpoint)) {
				return each;
			}
		}
		return null;
	}

	/** Queues a call until a connection to its instance takes it. */
	public void add(ClientCall call) {
		queue(call.reference.resources().index).add(call);
		offer(call);
	}

	/** Returns a call to the queue from which a connection took it without writing it. */
	public void giveBack(ClientCall call) {
		queue(call.reference.resources().index).giveBack(call);
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

	/** Returns the queue of waiting calls; null if no call has waited yet. */
	public @Nullable UnsentCallQueue queue() {
		return this.queue;
	}

	private UnsentCallQueue queue(int reference) {
		UnsentCallQueue known = this.queue;
		return (known != null) ? known : newQueue(reference);
	}

	private synchronized UnsentCallQueue newQueue(int reference) {
		UnsentCallQueue made = this.queue;
		if (made == null) {
			made = new UnsentCallQueue(reference, new AtomicInteger(), this.control, this);
			this.queue = made;
			if (!this.closed) {
				this.control.execute(this.onQueue);
			}
		}
		return made;
	}

	/** Does nothing: {@link #add} offers the call to its own instance. */
	@Override
	public void offer() {
	}

	/** Offers waiting calls to the connections of all instances. */
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
		UnsentCallQueue waiting = this.queue;
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

	/** Fails a call whose instance takes no calls. */
	public void fail(ClientCall call) {
		BroadcastTarget instance = at(call.reference.onlyAt());
		String why = (instance != null) ? instance.why()
				: call.reference.onlyAt() + " is no longer an instance of the service";
		call.fail(RpcStatus.UNAVAILABLE, this.closed ? QueuedCall.CLIENT_CLOSED : why);
	}

	/** Forgets the instances and fails waiting calls. Control thread. */
	public void close() {
		this.closed = true;
		this.all = List.of();
		this.waiting.forEach(this::end);
		closeQueue();
	}

	private void closeQueue() {
		UnsentCallQueue waiting = this.queue;
		if (waiting != null) {
			waiting.close();
		}
	}

}
