package io.rpcboot.internal.client.limits;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A part of a client's room that is for blocking calls and for references with few calls
 * under way, as soon as there are several: so one whose calls hang does not keep out the
 * others. Whoever leaves fills it first. Any thread.
 */
public final class ReservedPermits {

	/** Of what may be under way. */
	private static final int PART = 4;

	/** More would not make those any faster who use it. */
	private static final int MOST = 1024;

	/** Who has more than this part of it under way has no need of it. */
	private static final int SMALL_PART = 4;

	private final Semaphore free = new Semaphore(0);

	/** Permits that are taken. */
	public final AtomicInteger taken = new AtomicInteger();

	private final int size;

	private int references;

	private volatile int open;

	/**
	 * Create it; it has no room until there are several references.
	 * @param max calls that all references may have under way
	 */
	ReservedPermits(int max) {
		this.size = Math.min(max / PART, MOST);
	}

	/** The share of one more reference. The second one opens the room. */
	synchronized ReferencePermits newShare() {
		this.references++;
		if (this.references == 2) {
			this.open = this.size;
			this.free.release(this.size);
		}
		return new ReferencePermits();
	}

	/** Calls that fit into it, 0 while there is a single reference. */
	int size() {
		return this.open;
	}

	/** Calls that have entered by it. */
	int taken() {
		return this.taken.get();
	}

	/**
	 * Whether calls that leave would fill nothing but this room, of which some is free:
	 * nobody waits for them then.
	 */
	boolean absorbs(int calls) {
		return this.taken.get() >= calls && hasFree();
	}

	/** Whether a call may enter, for now. */
	boolean hasFree() {
		return this.free.availablePermits() > 0;
	}

	/** Wait for room in it. Returns false if there was none in time. */
	boolean enter(long nanos) throws InterruptedException {
		return entered(this.free.tryAcquire(nanos, TimeUnit.NANOSECONDS));
	}

	/** The same without waiting. */
	boolean tryAcquire() {
		return entered(this.free.tryAcquire());
	}

	private boolean entered(boolean entered) {
		if (entered) {
			this.taken.incrementAndGet();
		}
		return entered;
	}

	/**
	 * Calls are over, whatever their room was. Returns how many of them fill this one.
	 */
	int leave(int calls) {
		int before = this.taken.get();
		while (before > 0) {
			int mine = Math.min(before, calls);
			if (this.taken.compareAndSet(before, before - mine)) {
				this.free.release(mine);
				return mine;
			}
			before = this.taken.get();
		}
		return 0;
	}

	/** What one reference has under way of calls for which nobody waits. */
	public final class ReferencePermits {

		private final LongAdder calls = new LongAdder();

		/** Calls that have room and wait for a connection. */
		public final AtomicInteger waiting = new AtomicInteger();

		/**
		 * A call has room. Returns whether it counts: then its end is to be told. Those
		 * that began while there was one reference do not.
		 */
		public boolean onAdmitted() {
			if (ReservedPermits.this.open == 0) {
				return false;
			}
			this.calls.increment();
			return true;
		}

		/** A call that counts has ended. */
		public void onCompleted() {
			this.calls.decrement();
		}

		/**
		 * Whether calls of this reference wait for a connection: more would wait, too.
		 */
		boolean waits() {
			return this.waiting.get() > 0;
		}

		/** Whether a call of this reference may have of this room. */
		public boolean belowQuota() {
			return remainingQuota() > 0;
		}

		/** Calls by which it is small. */
		public int remainingQuota() {
			int all = ReservedPermits.this.open;
			int most = (all > 0) ? Math.max(1, all / SMALL_PART) : 0;
			return (int) Math.max(0, most - this.calls.sum());
		}

	}

}
