package io.rpcboot.internal.client.limits;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.rpcboot.client.OverflowPolicy;

/**
 * How many calls a client may have under way. Who finds no room waits for it in the
 * calling thread or in a bounded queue, each until the call's deadline. Any thread.
 * <p>
 * Asynchronous calls have less room at first, and while they end late: more were started
 * than the client can end when their time is over, and who starts more takes the
 * processors from those who end them. When most of the room is taken, answers that come
 * about as soon as when it is not make more: others would only wait longer. Who waits for
 * the answer of each call starts no other one meanwhile, and has room for it in any case.
 */
public final class AdaptiveConcurrencyLimit {

	/** A call that ends by so much after its deadline is late. */
	private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** A single late call leaves so many of those under way. */
	private static final double LEAST_SHARE = 0.25;

	/** Of what could be ended in time as many are allowed; the others take time, too. */
	private static final double SHARE = 0.8;

	/** Fewer are ended in a moment; that they are late has other reasons. */
	private static final int LEAST = 1024;

	/** When calls have ended in time for so long, each answer makes room. */
	private static final long RECOVERED_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** So many may begin in one moment, and so end in one. */
	private static final int INITIAL = LEAST;

	/**
	 * When more calls wait for a connection, more were started than connections take. The
	 * oldest of them would wait until they are over if for a moment nothing was sent, for
	 * from then on the newest go first.
	 */
	private static final int QUEUE_HIGH = 256;

	/** As many calls as a server grants to a connection. */
	private static final int TYPICAL_WINDOW = 4096;

	/** One more begins in each moment, however long the others take. */
	private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** The same until a connection is full. */
	private static final long FIRST_MOMENT_NANOS = PACE_NANOS / 10;

	/** Those of moments that passed meanwhile may all begin at once. */
	private static final long MOST_MOMENTS_NANOS = 20 * PACE_NANOS;

	/** So many answers make room for one more call; one does until calls are late. */
	private static final int ANSWERS_FOR_ONE = 8;

	/**
	 * An answer of a call that had not to wait for many others takes less than so many
	 * times the least that one takes, and a moment.
	 */
	private static final int FAST_FACTOR = 2;

	private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** One answer of 64 is looked at for how long it took, at random. */
	private static final int SAMPLE_MASK = 63;

	/** With each that took longer the least becomes longer by a part of so many. */
	private static final int MIN_DECAY = 64;

	/** Who waits looks so often whether its reference has few calls now. */
	private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final int max;

	/** Permits to be under way; one to be released with {@link #leave}. */
	public final Room room;

	/** Calls that wait for a permit in the queue. */
	public final AtomicInteger queued = new AtomicInteger();

	private final PermitQueue queue;

	/** Permits that only blocking calls get now. Written under the lock. */
	private volatile int withheldPermits;

	/** Room beside that of all. */
	public final ReservedPermits kept;

	/** When some were withheld because calls were late. Written under the lock. */
	private volatile long reducedNanos;

	private volatile boolean wasReduced;

	private final LongSupplier clock;

	private final AtomicInteger answers = new AtomicInteger();

	/**
	 * What an answer took lately at the least, while less than half of the room was
	 * taken; 0 before the first one. A sample that is lost to another thread is no loss.
	 */
	private volatile long leastNanos;

	/** When the last call entered after a moment, or could have. */
	private final AtomicLong enteredNanos;

	/**
	 * Create a limit.
	 * @param max calls under way, and as many may be queued
	 * @param whenFull less room at first is for those who wait for it in their thread
	 * @param control sweeps the queue
	 * @param clock as {@link System#nanoTime()}
	 */
	public AdaptiveConcurrencyLimit(int max, OverflowPolicy whenFull, ScheduledExecutorService control,
			LongSupplier clock) {
		this.max = max;
		this.clock = clock;
		this.reducedNanos = clock.getAsLong();
		this.enteredNanos = new AtomicLong(this.reducedNanos);
		this.withheldPermits = (whenFull == OverflowPolicy.BLOCK) ? Math.max(0, max - INITIAL) : 0;
		this.room = new Room(max - this.withheldPermits);
		this.kept = new ReservedPermits(max);
		this.queue = new PermitQueue(this, control);
	}

	/**
	 * Wait for room. A thread that finds none although no call was late has it after a
	 * moment, as many threads as wait, as long as connections take its calls: so calls
	 * that take long do not keep others back, and those that hang take no processor time
	 * from others by being started. Returns false if there was none in time, or nobody
	 * wants it any more.
	 */
	public boolean acquire(boolean blocking, ReservedPermits.ReferencePermits share, long nanos, BooleanSupplier wanted)
			throws InterruptedException {
		long end = System.nanoTime() + nanos;
		long most = PACE_NANOS;
		for (long left = nanos; left > 0 && wanted.getAsBoolean(); left = end - System.nanoTime()) {
			long slice = Math.min(left, most);
			most = SLICE_NANOS;
			if (this.room.tryAcquire() || tryAcquirePaced(share) || (mayUseReserved(blocking, share)
					? enterKept(blocking, share, slice) : this.room.tryAcquire(slice, TimeUnit.NANOSECONDS))) {
				return true;
			}
		}
		return false;
	}

	private boolean enterKept(boolean blocking, ReservedPermits.ReferencePermits share, long nanos)
			throws InterruptedException {
		boolean entered = this.kept.enter(nanos);
		if (entered && !mayUseReserved(blocking, share)) { // others of its reference were
															// first
			leave(1);
			return false;
		}
		return entered;
	}

	private boolean mayUseReserved(boolean blocking, ReservedPermits.ReferencePermits share) {
		return blocking ? this.kept.size() > 0 : share.belowQuota();
	}

	/** None while others of its reference wait for a connection: it would wait, too. */
	public boolean tryAcquirePaced(ReservedPermits.ReferencePermits share) {
		return !share.waits() && tryAcquirePaced();
	}

	/**
	 * Room for one in a moment, and for those of the last moments, unless calls were
	 * late. For calls whose threads may not wait, too.
	 */
	boolean tryAcquirePaced() {
		if (!isReduced()) {
			return false;
		}
		long now = this.clock.getAsLong();
		long last = this.enteredNanos.get();
		long since = Math.min(now - last, MOST_MOMENTS_NANOS);
		long moment = (pending() < TYPICAL_WINDOW) ? FIRST_MOMENT_NANOS : PACE_NANOS;
		return since >= moment && !missedDeadlinesRecently(now)
				&& this.enteredNanos.compareAndSet(last, now - since + moment) && enterWithheld();
	}

	/**
	 * Room for a blocking call, whose thread makes no other one meanwhile, and for one of
	 * a reference with few, though others have taken what there is for all.
	 */
	public boolean tryAcquireReserved(boolean blocking, ReservedPermits.ReferencePermits share) {
		return (blocking && enterWithheld()) || (mayUseReserved(blocking, share) && this.kept.tryAcquire());
	}

	/** Returns false if nothing is withheld, or as many as may be are under way. */
	private synchronized boolean enterWithheld() {
		if (this.withheldPermits == 0 || pending() - this.kept.taken() >= this.max - this.kept.size()) {
			return false;
		}
		this.room.reducePermits(1);
		return true;
	}

	/** Whether calls that are over and leave may make room for one that waits. */
	public boolean isFull(int calls) {
		return this.room.availablePermits() <= 0 && !this.kept.absorbs(calls);
	}

	/** Calls that had entered are over. */
	public void leave(int calls) {
		int rest = (this.kept.taken.get() > 0) ? calls - this.kept.leave(calls) : calls;
		if (rest > 0) { // none would wake one who waits, each time in vain
			this.room.release(rest);
		}
		if (this.queued.get() > 0) {
			this.queue.admit();
		}
	}

	/** The share of a new reference. */
	public synchronized ReservedPermits.ReferencePermits newShare() {
		int before = this.kept.size();
		ReservedPermits.ReferencePermits share = this.kept.newShare();
		int taken = this.kept.size() - before;
		withhold(taken - this.withheldPermits); // what it has is taken from that
		this.withheldPermits -= taken;
		return share;
	}

	private void withhold(int calls) {
		if (calls > 0) {
			this.room.reducePermits(calls); // first: pending is not too low meanwhile
			this.withheldPermits += calls;
		}
	}

	/** Whether fewer may be under way than the application allows. */
	public boolean isReduced() {
		return this.withheldPermits > 0;
	}

	/**
	 * An asynchronous call has its answer, and its future is being completed.
	 * @param startNanos when it began
	 * @param waiting calls of its reference that wait for a connection. While there are
	 * any, answers make no room: others would wait, too, and the newest that are sent
	 * first have their answers as soon as ever. While many wait, answers take room away.
	 */
	public void answered(long startNanos, int waiting) {
		if (waiting > QUEUE_HIGH) {
			decrease();
		}
		else if (waiting == 0 && isReduced()) {
			makeRoom(startNanos);
		}
	}

	/**
	 * An asynchronous call that was under way has failed.
	 * @param startNanos when it began
	 * @param deadlineNanos when its time was over
	 */
	public void failed(long startNanos, long deadlineNanos) {
		if (startNanos - this.reducedNanos > 0) {
			long now = this.clock.getAsLong();
			if (now - deadlineNanos > LATE_NANOS) {
				reduce(startNanos, now - deadlineNanos, now);
			}
		}
	}

	private void makeRoom(long startNanos) {
		boolean isBusy = this.room.availablePermits() < most() / 2;
		boolean counts = isBusy ? startNanos - this.reducedNanos > 0 : (startNanos & SAMPLE_MASK) == 0;
		long least = this.leastNanos;
		if (!counts && least > 0) {
			return;
		}
		long now = this.clock.getAsLong();
		long took = Math.max(1, now - startNanos);
		if (least == 0 || took < least) {
			least = took; // while busy, too: of the first ones all may have waited
			this.leastNanos = least;
		}
		else if (!isBusy) {
			this.leastNanos = least + Math.min(took - least, least / MIN_DECAY);
		}
		boolean makesRoom = isBusy && counts && took <= FAST_FACTOR * least + SOON_NANOS;
		if (makesRoom && (!missedDeadlinesRecently(now) || this.answers.incrementAndGet() % ANSWERS_FOR_ONE == 0)) {
			increase();
		}
	}

	private void decrease() {
		if (canNarrow()) {
			synchronized (this) {
				if (canNarrow()) {
					withhold(1);
				}
			}
		}
	}

	private boolean canNarrow() {
		return isReduced() && most() > INITIAL;
	}

	/** Whether calls were late of late. */
	private boolean missedDeadlinesRecently(long now) {
		return this.wasReduced && now - this.reducedNanos < RECOVERED_NANOS;
	}

	/**
	 * Those that began before the last time say nothing about what is allowed now. If all
	 * were started in one moment, they end in one, and half of them are half as late.
	 */
	private synchronized void reduce(long startNanos, double late, long now) {
		if (startNanos - this.reducedNanos <= 0 || pending() < LEAST) {
			return;
		}
		double share = Math.max(LEAST_SHARE, SHARE * LATE_NANOS / late);
		int taken = most() - Math.max(Math.min(LEAST, this.max), (int) (share * pending()));
		withhold(taken);
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

	/** Calls that wait for room in the queue. */
	public int queued() {
		return this.queued.get();
	}

	/** Those that wait for room. */
	public PermitQueue queue() {
		return this.queue;
	}

	/** Calls under way. */
	public int pending() {
		return most() - this.room.availablePermits() + this.kept.taken();
	}

	/** Most calls under way now, but for those that are in the kept room. */
	public int most() {
		return this.max - this.kept.size() - this.withheldPermits;
	}

	/** Most calls under way, and as many wait for room. */
	int max() {
		return this.max;
	}

	/** Its permits may become fewer than none. */
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
