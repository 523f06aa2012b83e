package io.rpcboot.client;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How many calls a client may have under way. Who finds no room waits for it in the
 * calling thread or in a bounded queue, each until the call's deadline. Any thread.
 * <p>
 * There are fewer while asynchronous calls end late: more were started than the client
 * can end when their time is over, and who starts more takes the processors from those
 * who end them.
 */
final class CallLimit {

	/** A call that ends by so much after its deadline is late. */
	private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** A single late call leaves so many of those under way. */
	private static final double LEAST_SHARE = 0.25;

	/** Of what could be ended in time as many are allowed; the others take time, too. */
	private static final double SHARE = 0.8;

	private static final int LEAST = 256;

	/** So many calls that end in time make room for one more. */
	private static final int ENDS_FOR_ONE = 8;

	private final int max;

	/** Permits to be under way; one to be released with {@link #leave}. */
	final Room room;

	/** Calls that wait for a permit in the queue. */
	final AtomicInteger queued = new AtomicInteger();

	private final QueuedCalls queue;

	/** Permits that nobody gets now. Written under the lock. */
	private volatile int withheld;

	/** When the last ones were withheld. Written under the lock. */
	private volatile long reducedNanos;

	private final LongSupplier clock;

	private final AtomicInteger endedInTime = new AtomicInteger();

	/**
	 * Create a limit.
	 * @param max calls under way, and as many may be queued
	 * @param control sweeps the queue
	 * @param clock as {@link System#nanoTime()}
	 */
	CallLimit(int max, ScheduledExecutorService control, LongSupplier clock) {
		this.max = max;
		this.clock = clock;
		this.reducedNanos = clock.getAsLong();
		this.room = new Room(max);
		this.queue = new QueuedCalls(this, control);
	}

	/** Wait for room. Returns false if there was none in time. */
	boolean enter(long nanos) throws InterruptedException {
		return this.room.tryAcquire(nanos, TimeUnit.NANOSECONDS);
	}

	/** Whether there is no room now. */
	boolean isFull() {
		return this.room.availablePermits() <= 0;
	}

	/** Calls that had entered are over. */
	void leave(int calls) {
		this.room.release(calls);
		if (this.queued.get() > 0) {
			this.queue.admit();
		}
	}

	/** Whether fewer may be under way than the application allows. */
	boolean isReduced() {
		return this.withheld > 0;
	}

	/** An asynchronous call has ended, and its future is being completed. */
	void ended(ClientCall call) {
		long now = this.clock.getAsLong();
		boolean counts = call.startNanos - this.reducedNanos > 0;
		if (counts && now - call.deadlineNanos() > LATE_NANOS) {
			reduce(call, now);
		}
		else if (counts && isReduced() && this.endedInTime.incrementAndGet() % ENDS_FOR_ONE == 0) {
			allowOneMore();
		}
	}

	/**
	 * Those that began before the last time say nothing about what is allowed now. If all
	 * were started in one moment, they end in one, and half of them are half as late.
	 */
	private synchronized void reduce(ClientCall call, long now) {
		if (call.startNanos - this.reducedNanos <= 0) {
			return;
		}
		double late = now - call.deadlineNanos();
		double share = Math.max(LEAST_SHARE, SHARE * LATE_NANOS / late);
		int taken = most() - Math.max(Math.min(LEAST, this.max), (int) (share * pending()));
		if (taken > 0) {
			this.withheld += taken;
			this.room.reducePermits(taken);
		}
		this.reducedNanos = now;
	}

	private void allowOneMore() {
		synchronized (this) {
			if (this.withheld == 0) {
				return;
			}
			this.withheld--;
		}
		leave(1);
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
		return most() - this.room.availablePermits();
	}

	/** Most calls under way now. */
	int most() {
		return this.max - this.withheld;
	}

	/** Most calls under way, and as many wait for room. */
	int max() {
		return this.max;
	}

	/** Its permits may become fewer than none. */
	static final class Room extends Semaphore {

		private static final long serialVersionUID = 1L;

		Room(int permits) {
			super(permits);
		}

		@Override
		public void reducePermits(int reduction) {
			super.reducePermits(reduction);
		}

	}

}
