package io.rpcboot.internal.client.limits;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcStatus;

/**
 * Queue of asynchronous calls that wait for a permit until their deadlines. Any thread.
 */
public final class PermitQueue {

	private final AdaptiveConcurrencyLimit limit;

	private final Semaphore room;

	private final AtomicInteger size;

	private final ExpiringCallQueue<QueuedCall> queue;

	/**
	 * Create a queue.
	 * @param limit limit of the permits, and of the calls in the queue
	 * @param control sweeps the queue
	 */
	PermitQueue(AdaptiveConcurrencyLimit limit, ScheduledExecutorService control) {
		this.limit = limit;
		this.room = limit.room;
		this.size = limit.queued;
		this.queue = new ExpiringCallQueue<>(this.size, control, this::afterSweep);
	}

	/** Adds a call; false if the queue is full. */
	public boolean add(QueuedCall call) {
		boolean added = this.queue.add(call, this.limit.max());
		admit(); // a permit returned meanwhile did not find the call
		return added;
	}

	/** Admits calls while permits are free. */
	public void admit() {
		while (this.size.get() > 0 && (this.room.tryAcquire() || this.limit.tryAcquirePaced())) {
			QueuedCall call = this.queue.poll(System.nanoTime(), (any) -> true);
			if (call == null || !enter(call)) {
				this.room.release();
			}
			if (call == null && !this.queue.hasCalls()) {
				return; // the thread that is adding a call comes here, too
			}
			// else a call was added while this thread held the permit
		}
	}

	/** Called after each sweep. */
	private void afterSweep() {
		admit();
		if (this.limit.kept.hasFree()) {
			admitReserved();
		}
	}

	/**
	 * Admits calls of small references with reserved permits, past the calls before them.
	 */
	private void admitReserved() {
		Quotas quotas = new Quotas();
		this.queue.removeIf((call) -> quotas.takes(call) && this.limit.kept.tryAcquire()).forEach((call) -> {
			if (!enter(call)) {
				this.limit.leave(1);
			}
		});
	}

	/** Passes the permit on to a call; false if the call has ended. */
	private static boolean enter(QueuedCall call) {
		try {
			return call.admit();
		}
		catch (RuntimeException | Error ex) { // no other thread handles the call now
			call.fail(RpcStatus.INTERNAL, "the call could not be sent: " + ex);
			return true; // its end has returned the permit
		}
	}

	/** Fails all calls because the client is closed. */
	public void close() {
		this.queue.close();
	}

	/** Remaining quotas of the references during one sweep. */
	private static final class Quotas {

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
