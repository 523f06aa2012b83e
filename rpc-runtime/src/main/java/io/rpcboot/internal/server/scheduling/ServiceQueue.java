package io.rpcboot.internal.server.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.concurrent.AdaptiveLifoQueue;
import io.rpcboot.internal.concurrent.AdaptiveLifoQueue.Node;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one service that wait for a thread, and the number of threads that run calls
 * of the service. A method with a limit of its own has a queue of its own, whose threads
 * also count for the service. The lock of {@link CallScheduler} guards the waiting calls;
 * the counters are atomic.
 */
public final class ServiceQueue {

	/** Wait from which a queue is slow; shorter waits are the wake-up of a worker. */
	public static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	final GradientLimit limit = new GradientLimit();

	private final AdaptiveLifoQueue<ScheduledCall> waiting = new AdaptiveLifoQueue<>();

	private final Bulkhead bulkhead;

	/** Queue of the service; null if this queue is it. */
	private final @Nullable ServiceQueue parent;

	private volatile int maxThreads;

	/** True if the application configured {@link #maxThreads}. */
	private volatile boolean isLimited;

	/** Queues of methods. Complete before the first call. */
	private final List<ServiceQueue> methodQueues = new ArrayList<>();

	/** Threads that run calls of this service or method. */
	private final AtomicInteger threads = new AtomicInteger();

	/** Calls in flight that arrived above {@link Bulkhead#countingThreshold()}. */
	private final AtomicInteger overflowCalls = new AtomicInteger();

	/** Most open streams of the service. Set before the first call. */
	private int maxStreams = Integer.MAX_VALUE;

	/** Open streams of the service. */
	private final AtomicInteger openStreams = new AtomicInteger();

	/**
	 * Creates the queue of a service.
	 * @param isLimited true if the application configured the number of threads
	 */
	public ServiceQueue(Bulkhead bulkhead, boolean isLimited) {
		this(bulkhead, null, bulkhead.threads(), isLimited);
	}

	private ServiceQueue(Bulkhead bulkhead, @Nullable ServiceQueue parent, int maxThreads, boolean isLimited) {
		this.bulkhead = bulkhead;
		this.parent = parent;
		this.maxThreads = maxThreads;
		this.isLimited = isLimited;
	}

	/** Adds the queue of a method with a limit. Before the first call. */
	public ServiceQueue ofMethod(int maxThreads) {
		ServiceQueue queue = new ServiceQueue(this.bulkhead, this, maxThreads, true);
		this.methodQueues.add(queue);
		return queue;
	}

	/**
	 * Changes the number of threads of a service. Calls that run are not counted again.
	 * @param limited true if the application configured the number
	 */
	public void limitTo(int threads, boolean limited) {
		this.maxThreads = threads;
		this.isLimited = limited;
	}

	/** Limits the open streams of a service. Before the first call. */
	public void limitStreams(int most) {
		this.maxStreams = most;
	}

	/** Returns the queue of the service. */
	public ServiceQueue service() {
		return (this.parent != null) ? this.parent : this;
	}

	/**
	 * Counts a call that arrives while the server has many calls in flight. Any thread.
	 * @return false if the service already has {@link Bulkhead#maxOverflow()} such calls
	 */
	public boolean tryJoinOverflow() {
		AtomicInteger all = service().overflowCalls;
		if (all.incrementAndGet() > this.bulkhead.maxOverflow()) {
			all.decrementAndGet();
			return false;
		}
		return true;
	}

	/** Counts the end of a call that joined the overflow. Any thread. */
	public void leaveOverflow() {
		service().overflowCalls.decrementAndGet();
	}

	/**
	 * Counts an open stream. Any thread.
	 * @return false if the service has too many
	 */
	public boolean tryOpenStream() {
		ServiceQueue all = service();
		if (all.openStreams.incrementAndGet() > all.maxStreams) {
			all.openStreams.decrementAndGet();
			return false;
		}
		return true;
	}

	/** Counts the end of an open stream. Any thread. */
	public void streamClosed() {
		service().openStreams.decrementAndGet();
	}

	/** Returns the number of open streams of the service. Any thread. */
	public int openStreams() {
		return service().openStreams.get();
	}

	/** Returns the limit of open streams of the service. */
	public int maxStreams() {
		return service().maxStreams;
	}

	/**
	 * Takes one thread permit of this queue and one of the service, or none. Any thread.
	 * @param before queue whose permits the thread holds and releases next, null for
	 * none: a permit that both need is not taken twice
	 * @return false if no permit is free, or the thread holds one of too many because the
	 * limit was lowered
	 */
	public boolean enter(@Nullable ServiceQueue before) {
		if (holdsPermit(before)) {
			return this.threads.get() <= this.maxThreads && (this.parent == null || this.parent.enter(before));
		}
		if (!tryAcquire()) {
			return false;
		}
		if (this.parent == null || this.parent.enter(before)) {
			return true;
		}
		this.threads.decrementAndGet();
		return false;
	}

	private boolean tryAcquire() {
		while (true) {
			int count = this.threads.get();
			if (count >= this.maxThreads) {
				return false;
			}
			if (this.threads.compareAndSet(count, count + 1)) {
				return true;
			}
		}
	}

	/**
	 * Releases the permits of a thread. Any thread.
	 * @param after queue that the thread has entered meanwhile, null for none: a permit
	 * that both need is kept
	 */
	void leave(@Nullable ServiceQueue after) {
		if (holdsPermit(after)) {
			return;
		}
		this.threads.decrementAndGet();
		if (this.parent != null) {
			this.parent.leave(after);
		}
	}

	/** Returns true if a thread of another queue holds a permit of this one. */
	private boolean holdsPermit(@Nullable ServiceQueue other) {
		return other != null && (other == this || other.parent == this);
	}

	/** Returns the threads of this queue, without those of its method queues. */
	int threads() {
		int own = this.threads.get();
		for (ServiceQueue each : this.methodQueues) {
			own -= each.threads.get();
		}
		return Math.max(0, own); // the counters are not read at one instant
	}

	int maxThreads() {
		return this.maxThreads;
	}

	/** Returns the threads of the whole service. */
	int threadsOfService() {
		return service().threads.get();
	}

	/** Returns true if a permit is free for one more thread. */
	boolean hasFreeThread() {
		return this.threads.get() < this.maxThreads && (this.parent == null || this.parent.hasFreeThread());
	}

	/** Returns true if a limit that the application configured is reached. */
	boolean isAtLimit() {
		return (this.isLimited && this.threads.get() >= this.maxThreads)
				|| (this.parent != null && this.parent.isAtLimit());
	}

	/** Adds a call; its wait began at {@link ScheduledCall#queuedOrStartedNanos}. */
	void add(ScheduledCall call) {
		long queued = call.queuedOrStartedNanos;
		call.place = this.waiting.add(call, queued, call.allowedNanos - (queued - call.startNanos));
	}

	/** Removes a call of this queue. */
	void remove(ScheduledCall call) {
		Node<ScheduledCall> place = call.place;
		if (place != null && place.isQueued()) {
			this.waiting.remove(place);
		}
	}

	/**
	 * Removes calls that are cancelled or whose deadline has passed, the oldest first.
	 * @param all false to stop at the first call that still waits; the newest call is
	 * looked at in any case, because it may be next
	 * @param ended receives the removed calls
	 * @param max length of the list at which to stop
	 */
	void removeEnded(long now, boolean all, List<ScheduledCall> ended, int max) {
		this.waiting.removeIf((call) -> hasEnded(call, now), all, max, ended);
		Node<ScheduledCall> newest = this.waiting.newest();
		if (newest != null && ended.size() < max && hasEnded(newest.element(), now)) {
			ended.add(newest.element());
			this.waiting.remove(newest);
		}
	}

	private static boolean hasEnded(ScheduledCall call, long now) {
		return call.cancelled || now - call.startNanos > call.allowedNanos;
	}

	/** Returns the call whose turn it is, null if none waits. */
	@Nullable ScheduledCall next(long now) {
		Node<ScheduledCall> next = this.waiting.next(now);
		return (next != null) ? next.element() : null;
	}

	@Nullable Node<ScheduledCall> oldest() {
		return this.waiting.oldest();
	}

	@Nullable Node<ScheduledCall> newest() {
		return this.waiting.newest();
	}

	/** Returns true if the oldest call has waited for {@link #SLOW_NANOS}. */
	boolean isSlow(long now) {
		return waited(now) >= SLOW_NANOS;
	}

	/** Returns the wait of the oldest call in nanoseconds, 0 if none waits. */
	long waited(long now) {
		Node<ScheduledCall> oldest = this.waiting.oldest();
		return (oldest != null) ? now - oldest.queuedNanos() : 0;
	}

	int size() {
		return this.waiting.size();
	}

}
