package io.rpcboot.internal.client.limits;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.internal.limit.LastMove;
import io.rpcboot.transport.LimitInfo;

/**
 * Limit of the pending calls of a client. A call without a permit waits for one in the
 * calling thread or in a bounded queue, until its deadline. Any thread.
 * <p>
 * The limit of asynchronous calls adapts, because too many started calls time out
 * together, and starting them uses the CPU that completing them needs.
 * <ul>
 * <li>Start: {@link #INITIAL} calls if the overflow policy is BLOCK, else {@code max}.
 * <li>Increase by one: for a fast reply, if more than half of the permits are taken, that
 * is if latency &lt;= FAST_FACTOR * minLatency + FAST_NANOS. After missed deadlines only
 * every eighth fast reply counts.
 * <li>Decrease to max(MIN_LIMIT, pending * max(MIN_FRACTION, FRACTION * LATE_NANOS /
 * delay)): for an asynchronous call that ends more than LATE_NANOS after its deadline.
 * For example, with 10,000 pending calls and a delay of 80 ms the limit becomes 10,000 *
 * 0.5 = 5,000.
 * <li>Decrease by one: for a reply while more than QUEUE_HIGH calls wait for a
 * connection.
 * <li>Pacing: a call that finds no permit below {@code max} starts anyway, one per ms,
 * and ten per ms below TYPICAL_WINDOW pending calls, unless deadlines were missed
 * recently.
 * </ul>
 * A blocking call always gets a permit below {@code max}, because its thread starts no
 * other call meanwhile.
 * <p>
 * Twice the credits that servers grant, as in Breakwater (OSDI 2020), is no replacement.
 * Beside this limit, of the calls that a server of 200 calls/s executed with timeouts of
 * 300 ms, 0.67 ended in time in place of 1.00, and 0.60 in place of 0.99 with ten
 * clients.
 */
public final class AdaptiveConcurrencyLimit {

	/** Delay after the deadline from which on a call is late. */
	private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** Smallest fraction of the pending calls that one decrease leaves. */
	private static final double MIN_FRACTION = 0.25;

	/** Fraction of the sustainable calls that is allowed; the rest is headroom. */
	private static final double FRACTION = 0.8;

	/** Smallest limit after a decrease; fewer late calls have other causes. */
	private static final int MIN_LIMIT = 1024;

	/** Time without a late call after which each fast reply increases the limit. */
	private static final long RECOVERED_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Limit at the start. */
	private static final int INITIAL = MIN_LIMIT;

	/**
	 * Calls waiting for a connection above which the limit shrinks. After a pause the
	 * queue turns LIFO, and its oldest calls would time out.
	 */
	private static final int QUEUE_HIGH = 256;

	/** Window that a server typically grants to a connection, in calls. */
	private static final int TYPICAL_WINDOW = 4096;

	/** Pause between two paced calls. */
	private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** Pause between two paced calls below TYPICAL_WINDOW pending calls. */
	private static final long FIRST_PACE_NANOS = PACE_NANOS / 10;

	/** Time for which unused paced calls accumulate. */
	private static final long MAX_BURST_NANOS = 20 * PACE_NANOS;

	/** Fast replies for one increase after missed deadlines. */
	private static final int REPLIES_PER_INCREASE = 8;

	/** Factor of the least latency up to which a reply is fast. */
	private static final int FAST_FACTOR = 2;

	/** Addend to the least latency up to which a reply is fast. */
	private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** Mask by which one reply of 64 is measured. */
	private static final int SAMPLE_MASK = 63;

	/** Divisor of the rise of the least latency with each slower sample. */
	private static final int MIN_DECAY = 64;

	/**
	 * Time after which a waiting thread checks again whether it may use a reserved
	 * permit.
	 */
	private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final int max;

	/** Shared permits; {@link #leave} returns one. */
	public final Room room;

	/** Calls that wait for a permit in the queue. */
	public final AtomicInteger queued = new AtomicInteger();

	private final PermitQueue queue;

	/** Permits that only blocking calls get now. Written under the lock. */
	private volatile int withheldPermits;

	/** Permits in addition to the shared ones. */
	public final ReservedPermits kept;

	/** Time of the last decrease for a late call. Written under the lock. */
	private volatile long reducedNanos;

	private volatile boolean wasReduced;

	private final LongSupplier clock;

	private final AtomicInteger fastReplies = new AtomicInteger();

	/**
	 * Least recent latency while less than half of the permits were taken; 0 before the
	 * first sample. A sample lost to a concurrent write does not matter.
	 */
	private volatile long leastNanos;

	/** Time up to which paced calls are used up. */
	private final AtomicLong pacedNanos;

	private final LastMove last = new LastMove();

	/**
	 * Create a limit.
	 * @param max most pending calls, and most queued calls
	 * @param whenFull BLOCK starts with a small limit
	 * @param control sweeps the queue
	 * @param clock as {@link System#nanoTime()}
	 */
	public AdaptiveConcurrencyLimit(int max, OverflowPolicy whenFull, ScheduledExecutorService control,
			LongSupplier clock) {
		this.max = max;
		this.clock = clock;
		this.reducedNanos = clock.getAsLong();
		this.pacedNanos = new AtomicLong(this.reducedNanos);
		this.withheldPermits = (whenFull == OverflowPolicy.BLOCK) ? Math.max(0, max - INITIAL) : 0;
		this.room = new Room(max - this.withheldPermits);
		this.kept = new ReservedPermits(max);
		this.queue = new PermitQueue(this, control);
	}

	/**
	 * Waits for a permit: a shared, a paced or a reserved one. Pacing lets calls start
	 * while slow calls hold all shared permits.
	 * @param wanted checked about every 20 ms; false ends the wait
	 * @return false if there was no permit in time
	 */
	public boolean acquire(boolean blocking, ReservedPermits.ReferencePermits share, long nanos, BooleanSupplier wanted)
			throws InterruptedException {
		long end = System.nanoTime() + nanos;
		long maxSlice = PACE_NANOS;
		for (long left = nanos; left > 0 && wanted.getAsBoolean(); left = end - System.nanoTime()) {
			long slice = Math.min(left, maxSlice);
			maxSlice = SLICE_NANOS;
			if (this.room.tryAcquire() || tryAcquirePaced(share) || (mayUseReserved(blocking, share)
					? acquireReserved(blocking, share, slice) : this.room.tryAcquire(slice, TimeUnit.NANOSECONDS))) {
				return true;
			}
		}
		return false;
	}

	private boolean acquireReserved(boolean blocking, ReservedPermits.ReferencePermits share, long nanos)
			throws InterruptedException {
		boolean acquired = this.kept.acquire(nanos);
		if (acquired && !mayUseReserved(blocking, share)) { // the quota was used
															// meanwhile
			leave(1);
			return false;
		}
		return acquired;
	}

	private boolean mayUseReserved(boolean blocking, ReservedPermits.ReferencePermits share) {
		return blocking ? this.kept.size() > 0 : share.belowQuota();
	}

	/** Takes a paced permit, unless calls of the reference wait for a connection. */
	public boolean tryAcquirePaced(ReservedPermits.ReferencePermits share) {
		return !share.waits() && tryAcquirePaced();
	}

	/**
	 * Takes a paced permit; false if it is too early or deadlines were missed recently.
	 * Unused permits of the last 20 ms accumulate.
	 */
	boolean tryAcquirePaced() {
		if (!isReduced()) {
			return false;
		}
		long now = this.clock.getAsLong();
		long last = this.pacedNanos.get();
		long since = Math.min(now - last, MAX_BURST_NANOS);
		long pace = (pending() < TYPICAL_WINDOW) ? FIRST_PACE_NANOS : PACE_NANOS;
		return since >= pace && !missedDeadlinesRecently(now) && this.pacedNanos.compareAndSet(last, now - since + pace)
				&& acquireWithheld();
	}

	/**
	 * Takes a withheld permit for a blocking call, or a reserved one. Called when no
	 * shared permit is free.
	 */
	public boolean tryAcquireReserved(boolean blocking, ReservedPermits.ReferencePermits share) {
		return (blocking && acquireWithheld()) || (mayUseReserved(blocking, share) && this.kept.tryAcquire());
	}

	/** Takes a withheld permit; false if none is withheld or max calls are pending. */
	private synchronized boolean acquireWithheld() {
		if (this.withheldPermits == 0 || pending() - this.kept.taken() >= this.max - this.kept.size()) {
			return false;
		}
		this.room.reducePermits(1);
		this.last.record("raised for a call that found no permit", this.clock.getAsLong());
		return true;
	}

	/** Returns true if permits of completed calls may be awaited by other calls. */
	public boolean isFull(int calls) {
		return this.room.availablePermits() <= 0 && !this.kept.absorbs(calls);
	}

	/**
	 * Returns permits of ended calls. Refills the reserved permits before the shared
	 * ones.
	 */
	public void leave(int calls) {
		int rest = calls - this.kept.leave(calls);
		if (rest > 0) { // releasing 0 permits would wake a waiting thread in vain
			this.room.release(rest);
		}
		if (this.queued.get() > 0) {
			this.queue.admit();
		}
	}

	/** Creates the share of a new reference. */
	public synchronized ReservedPermits.ReferencePermits newShare() {
		int before = this.kept.size();
		ReservedPermits.ReferencePermits share = this.kept.newShare();
		int taken = this.kept.size() - before;
		withhold(taken - this.withheldPermits); // reserved permits come from withheld
												// ones
		this.withheldPermits -= taken;
		return share;
	}

	private void withhold(int calls) {
		if (calls > 0) {
			this.room.reducePermits(calls); // first, so that pending() is never too low
			this.withheldPermits += calls;
		}
	}

	/** Returns true if the limit is below max. */
	public boolean isReduced() {
		return this.withheldPermits > 0;
	}

	/**
	 * Adapts the limit to an asynchronous call that has succeeded.
	 * @param startNanos when the call began
	 * @param waiting calls of the reference that wait for a connection: 0 may increase
	 * the limit, more than QUEUE_HIGH decrease it
	 */
	public void answered(long startNanos, int waiting) {
		if (waiting > QUEUE_HIGH) {
			decrease();
		}
		else if (waiting == 0 && isReduced()) {
			maybeIncrease(startNanos);
		}
	}

	/**
	 * Adapts the limit to an asynchronous call that had a permit and has failed.
	 * @param startNanos when the call began
	 * @param deadlineNanos deadline of the call
	 */
	public void failed(long startNanos, long deadlineNanos) {
		if (startNanos - this.reducedNanos > 0) {
			long now = this.clock.getAsLong();
			if (now - deadlineNanos > LATE_NANOS) {
				reduce(startNanos, now - deadlineNanos, now);
			}
		}
	}

	private void maybeIncrease(long startNanos) {
		boolean isBusy = this.room.availablePermits() < most() / 2;
		boolean counts = isBusy ? startNanos - this.reducedNanos > 0 : (startNanos & SAMPLE_MASK) == 0;
		long least = this.leastNanos;
		if (!counts && least > 0) {
			return;
		}
		long now = this.clock.getAsLong();
		long took = Math.max(1, now - startNanos);
		if (least == 0 || took < least) {
			least = took; // also while busy, because all of the first calls may have
							// waited
			this.leastNanos = least;
		}
		else if (!isBusy) {
			this.leastNanos = least + Math.min(took - least, least / MIN_DECAY);
		}
		boolean isFast = isBusy && counts && took <= fastNanos(least);
		if (isFast
				&& (!missedDeadlinesRecently(now) || this.fastReplies.incrementAndGet() % REPLIES_PER_INCREASE == 0)) {
			increase();
			this.last.record("raised, because replies are fast", now);
		}
	}

	private static long fastNanos(long least) {
		return FAST_FACTOR * least + FAST_NANOS;
	}

	private void decrease() {
		if (canDecrease()) {
			synchronized (this) {
				if (canDecrease()) {
					withhold(1);
					this.last.record("reduced, because many calls wait for a connection", this.clock.getAsLong());
				}
			}
		}
	}

	private boolean canDecrease() {
		return isReduced() && most() > INITIAL;
	}

	/** Returns true if a late call has shrunk the limit in the last 10 s. */
	private boolean missedDeadlinesRecently(long now) {
		return this.wasReduced && now - this.reducedNanos < RECOVERED_NANOS;
	}

	/**
	 * Shrinks the limit by the formula of the class comment. Ignores calls that began
	 * before the last decrease. The delay of calls that start together is proportional to
	 * their number, so half of the calls are half as late.
	 */
	private synchronized void reduce(long startNanos, double late, long now) {
		if (startNanos - this.reducedNanos <= 0 || pending() < MIN_LIMIT) {
			return;
		}
		double fraction = Math.max(MIN_FRACTION, FRACTION * LATE_NANOS / late);
		int taken = most() - Math.max(Math.min(MIN_LIMIT, this.max), (int) (fraction * pending()));
		withhold(taken);
		this.last.record("reduced, because a call ended long after its deadline", now);
		this.reducedNanos = now;
		this.wasReduced = true;
	}

	private void increase() {
		synchronized (this) {
			if (!isReduced()) {
				return;
			}
			this.withheldPermits--;
		}
		leave(1);
	}

	/** Describes the limit of asynchronous calls. */
	public LimitInfo describe() {
		long least = this.leastNanos;
		String signal = (least == 0) ? "" : "a reply is fast within %.1f ms".formatted(fastNanos(least) / 1e6);
		int reserved = this.kept.size();
		return new LimitInfo("pending-calls", "", isReduced() ? (long) most() + reserved : null, this.max, pending(),
				signal, this.last.reason(), this.last.at(this.clock.getAsLong()));
	}

	/** Returns the calls that wait for a permit in the queue. */
	public int queued() {
		return this.queued.get();
	}

	public PermitQueue queue() {
		return this.queue;
	}

	/** Returns the calls that have a permit. */
	public int pending() {
		return most() - this.room.availablePermits() + this.kept.taken();
	}

	/** Returns the current limit without the reserved permits. */
	public int most() {
		return this.max - this.kept.size() - this.withheldPermits;
	}

	/** Returns the upper bound of the limit. */
	int max() {
		return this.max;
	}

	/** Semaphore whose permits can be reduced below zero. */
	public static final class Room extends Semaphore {

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
