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
 * How many calls a client may have under way. Who finds no room waits for it in the
 * calling thread or in a bounded queue, each until the call's deadline. Any thread.
 */
final class CallLimit {

	/** A queued call whose time is over ends at most so much later. */
	private static final long SWEEP_MILLIS = 20;

	private final int max;

	private final Semaphore room;

	private final ScheduledExecutorService control;

	private final Queue<ClientCall> queue = new ConcurrentLinkedQueue<>();

	/** Calls in the queue, and those about to be added. */
	private final AtomicInteger queued = new AtomicInteger();

	private final AtomicBoolean sweeping = new AtomicBoolean();

	/**
	 * Create a limit.
	 * @param max calls under way, and as many may be queued
	 * @param control sweeps the queue
	 */
	CallLimit(int max, ScheduledExecutorService control) {
		this.max = max;
		this.room = new Semaphore(max);
		this.control = control;
	}

	/** Returns false if there is no room now. */
	boolean tryEnter() {
		return this.room.tryAcquire();
	}

	/** Wait for room. Returns false if there was none in time. */
	boolean enter(long nanos) throws InterruptedException {
		return this.room.tryAcquire(nanos, TimeUnit.NANOSECONDS);
	}

	/** Let a call wait for room. Returns false if the queue is full. */
	boolean queue(ClientCall call) {
		if (this.queued.incrementAndGet() > this.max) {
			this.queued.decrementAndGet();
			return false;
		}
		this.queue.add(call);
		sweepLater();
		admitQueued(); // those who left meanwhile did not see it
		return true;
	}

	/** Whether there is no room now. */
	boolean isFull() {
		return this.room.availablePermits() == 0;
	}

	/** Calls that had entered are over. */
	void leave(int calls) {
		this.room.release(calls);
		if (this.queued.get() > 0) {
			admitQueued();
		}
	}

	private void admitQueued() {
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
				expireAll("the client is closed");
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
		admitQueued(); // those who left meanwhile may have found it empty
		if (this.queued.get() > 0) {
			sweepLater();
		}
	}

	/** The client is closed: nothing will leave any more. */
	void expireAll(String why) {
		for (ClientCall call = this.queue.poll(); call != null; call = this.queue.poll()) {
			this.queued.decrementAndGet();
			call.fail(RpcStatus.UNAVAILABLE, why);
		}
	}

	/** Calls under way. */
	int pending() {
		return this.max - this.room.availablePermits();
	}

	/** Calls that wait for room in the queue. */
	int queued() {
		return this.queued.get();
	}

	int max() {
		return this.max;
	}

}
