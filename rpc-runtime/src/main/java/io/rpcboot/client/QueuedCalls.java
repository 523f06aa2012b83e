package io.rpcboot.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcStatus;

/**
 * Calls that wait in a queue until there is room for them, or until their time is over.
 * Stands beside call limit. Any thread.
 */
final class QueuedCalls {

	/** A queued call whose time is over ends at most so much later. */
	private static final long SWEEP_MILLIS = 20;

	private final int max;

	private final Semaphore room;

	private final ScheduledExecutorService control;

	private final Queue<ClientCall> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger queued;

	private final AtomicBoolean sweeping = new AtomicBoolean();

	/**
	 * Create a queue.
	 * @param max most calls in it
	 * @param room permits of the limit
	 * @param queued counts the calls in it, and those about to be added
	 * @param control sweeps it
	 */
	QueuedCalls(int max, Semaphore room, AtomicInteger queued, ScheduledExecutorService control) {
		this.queued = queued;
		this.max = max;
		this.room = room;
		this.control = control;
	}

	/** Let a call wait for room. Returns false if the queue is full. */
	boolean add(ClientCall call) {
		if (this.queued.incrementAndGet() > this.max) {
			this.queued.decrementAndGet();
			return false;
		}
		this.queue.add(call);
		sweepLater();
		admit(); // those who left meanwhile did not see it
		return true;
	}

	/** There may be room for some. */
	void admit() {
		while (!this.queue.isEmpty() && this.room.tryAcquire()) {
			ClientCall call = this.queue.poll();
			if (call != null) {
				this.queued.decrementAndGet();
			}
			if (call == null || !call.enter()) {
				this.room.release();
			}
		}
	}

	private void sweepLater() {
		if (this.sweeping.compareAndSet(false, true)) {
			try {
				this.control.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				this.sweeping.set(false);
				fail("the client is closed");
			}
		}
	}

	private void sweep() {
		this.sweeping.set(false);
		for (int i = this.queued.get(); i > 0; i--) {
			ClientCall call = this.queue.poll();
			if (call == null) {
				break;
			}
			if (!call.isDone() && call.remainingNanos() <= 0) {
				call.expire();
			}
			if (call.isDone()) {
				this.queued.decrementAndGet();
			}
			else {
				this.queue.add(call);
			}
		}
		admit(); // those who left meanwhile may have found it empty
		if (this.queued.get() > 0) {
			sweepLater();
		}
	}

	/** The client is closed: nobody will leave any more. */
	void fail(String why) {
		for (ClientCall call = this.queue.poll(); call != null; call = this.queue.poll()) {
			this.queued.decrementAndGet();
			call.fail(RpcStatus.UNAVAILABLE, why);
		}
	}

}
