package io.rpcboot.client;

import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that wait without a thread until there is room for them in the client, or until
 * their time is over. Stands beside call limit. Any thread.
 */
final class QueuedCalls {

	private final int max;

	private final Semaphore room;

	private final AtomicInteger size;

	private final CallQueue queue;

	/**
	 * Create a queue.
	 * @param max most calls in it
	 * @param room permits of the limit
	 * @param size counts the calls in it
	 * @param control sweeps it
	 */
	QueuedCalls(int max, Semaphore room, AtomicInteger size, ScheduledExecutorService control) {
		this.max = max;
		this.room = room;
		this.size = size;
		this.queue = new CallQueue(size, control, this::admit);
	}

	/** Let a call wait for room. Returns false if the queue is full. */
	boolean add(ClientCall call) {
		boolean added = this.queue.add(call, this.max);
		admit(); // those who left meanwhile did not see it
		return added;
	}

	/** There may be room for some. */
	void admit() {
		while (this.size.get() > 0 && this.room.tryAcquire()) {
			ClientCall call = this.queue.poll(System.nanoTime(), Set.of());
			if (call == null || !call.enter()) {
				this.room.release();
			}
			if (call == null) {
				return; // who is adding one comes here, too
			}
		}
	}

	/** The client is closed: nobody will leave any more. */
	void fail(String why) {
		this.queue.failAll(why);
	}

}
