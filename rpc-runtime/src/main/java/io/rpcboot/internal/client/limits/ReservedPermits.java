package io.rpcboot.internal.client.limits;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Permits reserved for blocking calls and for references with few pending calls, so that
 * a reference whose calls hang does not block the others. Active from the second
 * reference on. A completed call refills the reserve before the shared permits. Any
 * thread.
 * <p>
 * reserve = min(max / 4, 1,024); quota of a reference = max(1, reserve / 4). For example,
 * of 65,536 permits 1,024 are reserved, and a reference with fewer than 256 asynchronous
 * calls may use them.
 */
public final class ReservedPermits {

	/** Divisor of all permits. */
	private static final int RESERVE_DIVISOR = 4;

	/** Upper bound of the reserve. */
	private static final int MAX_RESERVE = 1024;

	/** Divisor of the reserve. */
	private static final int QUOTA_DIVISOR = 4;

	private final Semaphore free = new Semaphore(0);

	/** Permits that are taken. */
	public final AtomicInteger taken = new AtomicInteger();

	private final int size;

	private int references;

	private volatile int open;

	/**
	 * Create the reserve, which is empty until there are two references.
	 * @param max most pending calls of all references
	 */
	ReservedPermits(int max) {
		this.size = Math.min(max / RESERVE_DIVISOR, MAX_RESERVE);
	}

	/** Creates the share of one more reference; the second one fills the reserve. */
	synchronized ReferencePermits newShare() {
		this.references++;
		if (this.references == 2) {
			this.open = this.size;
			this.free.release(this.size);
		}
		return new ReferencePermits();
	}

	/** Returns the size of the reserve, 0 while there is one reference. */
	int size() {
		return this.open;
	}

	int taken() {
		return this.taken.get();
	}

	/**
	 * Returns true if the permits of completed calls would only refill this reserve,
	 * which no call waits for because some of it is free.
	 */
	boolean absorbs(int calls) {
		return this.taken.get() >= calls && hasFree();
	}

	/** Returns true if a permit is free. */
	boolean hasFree() {
		return this.free.availablePermits() > 0;
	}

	/** Waits for a permit; false if there was none in time. */
	boolean acquire(long nanos) throws InterruptedException {
		return count(this.free.tryAcquire(nanos, TimeUnit.NANOSECONDS));
	}

	/** Takes a permit; false if none is free. */
	boolean tryAcquire() {
		return count(this.free.tryAcquire());
	}

	private boolean count(boolean acquired) {
		if (acquired) {
			this.taken.incrementAndGet();
		}
		return acquired;
	}

	/**
	 * Refills the reserve with permits of any ended calls and returns how many it took.
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

	/** Share of one reference: counts its asynchronous calls that have a permit. */
	public final class ReferencePermits {

		private final LongAdder calls = new LongAdder();

		/** Calls that have a permit and wait for a connection. */
		public final AtomicInteger waiting = new AtomicInteger();

		/**
		 * Counts an asynchronous call that gets a permit. Returns false if the reserve is
		 * inactive; then the call must not be counted out.
		 */
		public boolean onAdmitted() {
			if (ReservedPermits.this.open == 0) {
				return false;
			}
			this.calls.increment();
			return true;
		}

		/** Counts out a call that was counted. */
		public void onCompleted() {
			this.calls.decrement();
		}

		/** Returns true if calls of this reference wait for a connection. */
		boolean waits() {
			return this.waiting.get() > 0;
		}

		/** Returns true if a call of this reference may use a reserved permit. */
		public boolean belowQuota() {
			return remainingQuota() > 0;
		}

		/** Returns the calls that are left until the reference reaches its quota. */
		public int remainingQuota() {
			int all = ReservedPermits.this.open;
			int most = (all > 0) ? Math.max(1, all / QUOTA_DIVISOR) : 0;
			return (int) Math.max(0, most - this.calls.sum());
		}

	}

}
