package io.rpcboot.internal.server.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The calls of one service that wait for a thread, in the order of their arrival, and the
 * threads that the service has. A method with a limit has a line of its own, whose
 * threads count in the line of its service, too. The links are in the calls. Stands
 * beside call queue, whose lock guards all but the number of threads.
 */
public final class ServiceQueue {

	/** A call that waits for less has not waited: a thread was being woken. */
	public static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	final ServiceConcurrencyLimit pace = new ServiceConcurrencyLimit();

	private final Bulkhead share;

	/** The line of the service if this is that of a method, else null. */
	private final @Nullable ServiceQueue parent;

	private final int mostThreads;

	/** Whether the application has set that number for this service or method. */
	private final boolean isLimited;

	/** Methods that have lines of their own. Complete before the first call. */
	private final List<ServiceQueue> parts = new ArrayList<>();

	/**
	 * Threads that run a call of this service or method, as far as the queue counts them.
	 */
	private final AtomicInteger threads = new AtomicInteger();

	private @Nullable ScheduledCall oldest;

	private @Nullable ScheduledCall newest;

	private int size;

	/** Calls of the service that came while many were in flight, and are not over yet. */
	private final AtomicInteger overflowCalls = new AtomicInteger();

	/**
	 * Create the line of a service.
	 * @param isLimited whether the application has set the number of its threads
	 */
	public ServiceQueue(Bulkhead share, boolean isLimited) {
		this(share, null, share.threads(), isLimited);
	}

	private ServiceQueue(Bulkhead share, @Nullable ServiceQueue parent, int mostThreads, boolean isLimited) {
		this.share = share;
		this.parent = parent;
		this.mostThreads = mostThreads;
		this.isLimited = isLimited;
	}

	/** Add the line of a method that has a limit. Before the first call. */
	public ServiceQueue ofMethod(int maxThreads) {
		ServiceQueue line = new ServiceQueue(this.share, this, maxThreads, true);
		this.parts.add(line);
		return line;
	}

	/** The line of the service. */
	public ServiceQueue service() {
		return (this.parent != null) ? this.parent : this;
	}

	/**
	 * A call arrives while many are in flight. Returns false if this service has as many
	 * as it may have. Any thread.
	 */
	public boolean tryJoinOverflow() {
		AtomicInteger all = service().overflowCalls;
		if (all.incrementAndGet() > this.share.crowd()) {
			all.decrementAndGet();
			return false;
		}
		return true;
	}

	/** A call that joined is over. Any thread. */
	public void leaveCrowd() {
		service().overflowCalls.decrementAndGet();
	}

	/**
	 * A thread begins to run calls of this line. It takes a place here and one in the
	 * line of the service, or none.
	 * @param before a line that the thread has entered and leaves next: a place that both
	 * need is not taken twice; null for none
	 * @return false if it may not
	 */
	public boolean enter(@Nullable ServiceQueue before) {
		if (counts(before)) {
			return true;
		}
		if (!takePlace()) {
			return false;
		}
		if (this.parent == null || this.parent.enter(before)) {
			return true;
		}
		this.threads.decrementAndGet();
		return false;
	}

	private boolean takePlace() {
		while (true) {
			int count = this.threads.get();
			if (count >= this.mostThreads) {
				return false;
			}
			if (this.threads.compareAndSet(count, count + 1)) {
				return true;
			}
		}
	}

	/**
	 * A thread that entered goes on elsewhere, or with nothing.
	 * @param after a line that it has entered meanwhile: it keeps a place that both need;
	 * null for none
	 */
	void leave(@Nullable ServiceQueue after) {
		if (counts(after)) {
			return;
		}
		this.threads.decrementAndGet();
		if (this.parent != null) {
			this.parent.leave(after);
		}
	}

	/** Whether a thread of another line has a place here. */
	private boolean counts(@Nullable ServiceQueue other) {
		return other != null && (other == this || other.parent == this);
	}

	/**
	 * Threads that run calls of this line alone: those of a service without those of
	 * methods that have lines of their own.
	 */
	int threads() {
		int own = this.threads.get();
		for (int i = 0; i < this.parts.size(); i++) { // an iterator would take memory
			own -= this.parts.get(i).threads.get();
		}
		return Math.max(0, own); // read one by one
	}

	/** Threads that run calls of the service. */
	int threadsOfService() {
		return service().threads.get();
	}

	/** Whether a thread could enter. */
	boolean hasRoom() {
		return this.threads.get() < this.mostThreads && (this.parent == null || this.parent.hasRoom());
	}

	/** Whether a thread could enter but for a limit that the application has set. */
	boolean isAtLimit() {
		return (this.isLimited && this.threads.get() >= this.mostThreads)
				|| (this.parent != null && this.parent.isAtLimit());
	}

	/** A call begins to wait. */
	void add(ScheduledCall call) {
		call.queued = true;
		call.older = this.newest;
		if (this.newest == null) {
			this.oldest = call;
		}
		else {
			this.newest.newer = call;
		}
		this.newest = call;
		this.size++;
	}

	/** A call of this line waits no longer. */
	void remove(ScheduledCall call) {
		if (call.older == null) {
			this.oldest = call.newer;
		}
		else {
			call.older.newer = call.newer;
		}
		if (call.newer == null) {
			this.newest = call.older;
		}
		else {
			call.newer.older = call.older;
		}
		call.older = null;
		call.newer = null;
		call.queued = false;
		this.size--;
	}

	/**
	 * Take the oldest calls out for which nobody waits.
	 * @param now the time
	 * @param past whether to look behind calls that somebody waits for
	 * @param over where they go
	 * @param most how many there may be in it
	 */
	void takeOver(long now, boolean past, List<ScheduledCall> over, int most) {
		ScheduledCall call = this.oldest;
		while (call != null && over.size() < most) {
			ScheduledCall next = call.newer;
			if (isOver(call, now)) {
				over.add(call); // first: there may be no memory for that
				remove(call);
			}
			else if (!past) {
				break;
			}
			call = next;
		}
		ScheduledCall last = this.newest;
		if (last != null && over.size() < most && isOver(last, now)) { // it is next
			over.add(last);
			remove(last);
		}
	}

	/** End those that were taken out. */
	static void endUnrun(List<ScheduledCall> over) {
		for (int i = 0; i < over.size(); i++) { // an iterator would take memory
			over.get(i).endUnrun();
		}
	}

	/**
	 * The call that is next: the oldest, unless that has used more than half of the time
	 * that it had, or the newest would have when it has waited for as long. Then first
	 * in, first out would run each call when its time is nearly over; the newest has most
	 * of its time left.
	 */
	@Nullable ScheduledCall next(long now) {
		ScheduledCall first = this.oldest;
		ScheduledCall last = this.newest;
		if (first == null || last == null) {
			return null;
		}
		long waited = now - first.queuedOrStartedNanos;
		return (waited > initialBudgetNanos(first) / 2 || waited > initialBudgetNanos(last) / 2) ? last : first;
	}

	/** Whether the oldest call has waited, and not only for a moment. */
	boolean isSlow(long now) {
		return waited(now) >= SLOW_NANOS;
	}

	/** How long the oldest call has waited, in nanoseconds; 0 if there is none. */
	long waited(long now) {
		ScheduledCall first = this.oldest;
		return (first != null) ? now - first.queuedOrStartedNanos : 0;
	}

	private static boolean isOver(ScheduledCall call, long now) {
		return call.cancelled || now - call.startNanos > call.allowedNanos;
	}

	/** The time that it had when it began to wait. */
	private static long initialBudgetNanos(ScheduledCall call) {
		return call.allowedNanos - (call.queuedOrStartedNanos - call.startNanos);
	}

	@Nullable ScheduledCall oldest() {
		return this.oldest;
	}

	/** The call that has waited for longest. */
	@Nullable ScheduledCall takeOldest() {
		ScheduledCall first = this.oldest;
		if (first != null) {
			remove(first);
		}
		return first;
	}

	int size() {
		return this.size;
	}

}
