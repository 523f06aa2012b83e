package io.rpcboot.client;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls a client may have under way. Who finds no room waits for it in the
 * calling thread or in a bounded queue, each until the call's deadline. Any thread.
 */
final class CallLimit {

	private final int max;

	/** Permits to be under way; one to be released with {@link #leave}. */
	final Semaphore room;

	/** Calls that wait for a permit in the queue. */
	final AtomicInteger queued = new AtomicInteger();

	private final QueuedCalls queue;

	/**
	 * Create a limit.
	 * @param max calls under way, and as many may be queued
	 * @param control sweeps the queue
	 */
	CallLimit(int max, ScheduledExecutorService control) {
		this.max = max;
		this.room = new Semaphore(max);
		this.queue = new QueuedCalls(max, this.room, this.queued, control);
	}

	/** Wait for room. Returns false if there was none in time. */
	boolean enter(long nanos) throws InterruptedException {
		return this.room.tryAcquire(nanos, TimeUnit.NANOSECONDS);
	}

	/** Whether there is no room now. */
	boolean isFull() {
		return this.room.availablePermits() == 0;
	}

	/** Calls that had entered are over. */
	void leave(int calls) {
		this.room.release(calls);
		if (this.queued.get() > 0) {
			this.queue.admit();
		}
	}

	/** Calls that wait for room in the queue. */
	int queued() {
		return this.queued.get();
	}

	/** Those that wait for room. */
	QueuedCalls queue() {
		return this.queue;
	}

	/** Calls under way. */
	int pending() {
		return this.max - this.room.availablePermits();
	}

	int max() {
		return this.max;
	}

}
