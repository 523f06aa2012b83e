package io.rpcboot.internal.client.limits;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcStatus;

/**
 * Calls that wait without a thread until there is room for them in the client, or until
 * their time is over. Stands beside call limit. Any thread.
 */
public final class PermitQueue {

	private final AdaptiveConcurrencyLimit limit;

	private final Semaphore room;

	private final AtomicInteger size;

	private final AdaptiveLifoQueue<QueuedCall> queue;

	/**
	 * Create a queue.
	 * @param limit as many may wait in it
	 * @param control sweeps it
	 */
	PermitQueue(AdaptiveConcurrencyLimit limit, ScheduledExecutorService control) {
		this.limit = limit;
		this.room = limit.room;
		this.size = limit.queued;
		this.queue = new AdaptiveLifoQueue<>(this.size, control, this::look);
	}

	/** Let a call wait for room. Returns false if the queue is full. */
	public boolean add(QueuedCall call) {
		boolean added = this.queue.add(call, this.limit.max());
		admit(); // those who left meanwhile did not see it
		return added;
	}

	/** There may be room for some. */
	public void admit() {
		while (this.size.get() > 0 && (this.room.tryAcquire() || this.limit.tryAcquirePaced())) {
			QueuedCall call = this.queue.poll(System.nanoTime(), (any) -> true);
			if (call == null || !enter(call)) {
				this.room.release();
			}
			if (call == null && !this.queue.hasCalls()) {
				return; // who is adding one comes here, too
			}
			// else it was added while this permit was held, and found none
		}
	}

	/** After each sweep. */
	private void look() {
		admit();
		if (this.limit.kept.hasFree()) {
			admitFew();
		}
	}

	/**
	 * Calls of references with few under way have room that those before them have not.
	 */
	private void admitFew() {
		Few few = new Few();
		this.queue.removeIf((call) -> few.takes(call) && this.limit.kept.tryAcquire()).forEach((call) -> {
			if (!enter(call)) {
				this.limit.leave(1);
			}
		});
	}

	/**
	 * It has the permit then, and leaves when it ends. False if it is no longer wanted.
	 */
	private static boolean enter(QueuedCall call) {
		try {
			return call.admit();
		}
		catch (RuntimeException | Error ex) { // nobody else has it in hand
			call.fail(RpcStatus.INTERNAL, "it could not be sent: " + ex);
			return true; // and has left
		}
	}

	/** The client is closed: nobody will leave any more. */
	public void close() {
		this.queue.close();
	}

	/** Calls of one look, by which no reference has more than few. */
	private static final class Few {

		private final Map<ReservedPermits.ReferencePermits, Integer> left = new IdentityHashMap<>();

		boolean takes(QueuedCall call) {
			ReservedPermits.ReferencePermits share = call.share();
			int before = this.left.computeIfAbsent(share, ReservedPermits.ReferencePermits::remainingQuota);
			if (before > 0) {
				this.left.put(share, before - 1);
			}
			return before > 0;
		}

	}

}
