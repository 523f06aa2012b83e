package io.rpcboot.internal.server.scheduling;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.rpcboot.internal.concurrent.AdaptiveLifoQueue.Node;
import io.rpcboot.internal.concurrent.TaskSelector;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.transport.LimitInfo;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the call that a worker runs next. In normal operation calls stay in the queue
 * of the pool, which is first in, first out and has no lock. When a call has waited for
 * {@link ServiceQueue#SLOW_NANOS}, a waiting call is cancelled or a call was late, calls
 * move into one {@link ServiceQueue} per service and per method with a limit, until these
 * queues are empty again and no {@link GradientLimit} is active. Calls also move there
 * when their service or method has no free thread. Any thread.
 */
public final class CallScheduler implements TaskSelector {

	/** Ended calls that one {@link #take} removes from all queues. */
	private static final int MAX_ENDED = 16;

	/** Ended calls that one {@link #sweep} removes from all queues. */
	private static final int MAX_SWEPT = 1024;

	/** Calls at each end of a queue that {@link #admitted} looks at. */
	private static final int MAX_LOOKS = 8;

	private final WorkerPool pool;

	/** Counts the workers that run a call, read from the pool. */
	private final IntSupplier busyWorkers;

	/** Workers that run a call of a server with one service, counted while choosing. */
	private int running;

	private final Queue<Runnable> arrivals;

	/** True if the threads of each service are counted. */
	private final boolean isShared;

	private final LongSupplier clock;

	/** Tasks other than calls; they run first. */
	private final Queue<Runnable> others = new ArrayDeque<>();

	/** Queues in which calls wait. */
	private final List<ServiceQueue> queues = new ArrayList<>();

	/** Active limit with the latest late call; null if no limit is active. */
	private @Nullable GradientLimit limited;

	/** True if a queue is slow: all arrivals are moved then. */
	private boolean isSlow;

	/** True if {@link #take} has to choose. Written under the lock. */
	private volatile boolean isChoosing;

	/** True if a moved task may run now. Written under the lock. */
	private volatile boolean isReady;

	/** Moved tasks that wait. Written under the lock. */
	private volatile int size;

	/**
	 * Creates a scheduler without waiting calls.
	 * @param isShared true if several services use the threads, or one has a limit
	 */
	public CallScheduler(WorkerPool pool, boolean isShared, LongSupplier clock) {
		this(pool, isShared, clock, () -> new WorkerPoolStats(pool).running(ScheduledCall.class));
	}

	CallScheduler(WorkerPool pool, boolean isShared, LongSupplier clock, IntSupplier busyWorkers) {
		this.pool = pool;
		this.busyWorkers = busyWorkers;
		this.arrivals = pool.arrivals();
		this.isShared = isShared;
		this.clock = clock;
		pool.order(isShared ? this : null);
	}

	/**
	 * Changes the number of threads. Waiting calls that may run now begin.
	 * @param threads largest number of threads of the pool
	 * @param shares changes the shares of the services
	 */
	public void resize(int threads, Runnable shares) {
		synchronized (this) {
			shares.run();
			update(this.clock.getAsLong());
		}
		this.pool.maxThreads(threads);
	}

	@Override
	public @Nullable Runnable take(@Nullable Runnable last) {
		ServiceQueue before = countingQueue(last);
		if (this.isChoosing) {
			if (before != null) {
				before.leave(null);
			}
			return choose(last);
		}
		Runnable next = this.arrivals.poll();
		ServiceQueue after = countingQueue(next);
		if (before == after && (after == null || after.enter(before))) {
			return next;
		}
		boolean mayRun = after == null || after.enter(before);
		if (before != null) {
			before.leave(mayRun ? after : null);
			if (this.isChoosing) { // a call may wait for the permit that was released
				synchronized (this) {
					update(this.clock.getAsLong());
				}
			}
		}
		return (mayRun || next == null) ? next : chooseInPlaceOf(next);
	}

	/** Returns the queue that counts the thread of a task, null if none does. */
	private @Nullable ServiceQueue countingQueue(@Nullable Runnable task) {
		return (this.isShared && task instanceof ScheduledCall call) ? call.method.queue : null;
	}

	/** Chooses another task, because the service or method has no free thread. */
	private @Nullable Runnable chooseInPlaceOf(Runnable postponed) {
		synchronized (this) {
			long now = this.clock.getAsLong();
			move(postponed, now);
			update(now);
		}
		return choose(null);
	}

	private @Nullable Runnable choose(@Nullable Runnable last) {
		List<ScheduledCall> ended = new ArrayList<>(MAX_ENDED);
		Runnable next;
		synchronized (this) {
			long now = this.clock.getAsLong();
			ended(last, now);
			moveArrivals(now, false);
			removeEnded(now, false, ended, MAX_ENDED);
			moveArrivals(now, false);
			next = next(now);
			update(now);
		}
		endUnrun(ended);
		return next;
	}

	private void removeEnded(long now, boolean all, List<ScheduledCall> ended, int max) {
		for (int i = 0; i < this.queues.size(); i++) {
			this.queues.get(i).removeEnded(now, all, ended, max);
		}
	}

	private static void endUnrun(List<ScheduledCall> ended) {
		for (int i = 0; i < ended.size(); i++) {
			ended.get(i).endUnrun();
		}
	}

	@Override
	public void leave(Runnable last) {
		ServiceQueue before = countingQueue(last);
		if (before != null) {
			before.leave(null);
		}
		synchronized (this) {
			long now = this.clock.getAsLong();
			if (this.isChoosing) {
				ended(last, now);
			}
			update(now);
		}
	}

	private void ended(@Nullable Runnable last, long now) {
		if (last instanceof ScheduledCall call) {
			this.running = Math.max(0, this.running - 1);
			measure(call, now);
		}
	}

	/** Reports a call that the calling worker has run to the limit of its service. */
	private void measure(ScheduledCall call, long now) {
		if (call.started) {
			GradientLimit limit = call.method.queue.limit;
			limit.ended(call.method.times, now - call.queuedOrStartedNanos, !call.oneWay && left(call, now) < 0,
					call.method.queue.size() > 0, now);
			if (limit.isArmed(now) && (this.limited == null || limit.isNeededAfter(this.limited))) {
				this.limited = limit;
			}
		}
	}

	/**
	 * Moves arrivals into the queues: all if {@code all} is set or a queue is slow, so
	 * that calls that waited together stay together; else until one task may run.
	 */
	private void moveArrivals(long now, boolean all) {
		setChoosing(true);
		this.isSlow = false;
		for (int i = 0; i < this.queues.size(); i++) {
			this.isSlow |= this.queues.get(i).isSlow(now);
		}
		while (all || this.isSlow || !hasReady(now)) {
			Runnable task = this.arrivals.poll();
			if (task == null) {
				return;
			}
			move(task, now);
		}
	}

	private void move(Runnable task, long now) {
		if (!(task instanceof ScheduledCall call)) {
			this.others.add(task);
			return;
		}
		if (call.awaitedMemory) { // since a thread took it
			call.queuedOrStartedNanos = now;
		}
		ServiceQueue queue = call.method.queue;
		if (queue.size() == 0 && !this.queues.contains(queue)) {
			this.queues.add(queue);
			queue.limit.waits(now);
		}
		queue.add(call);
		this.isSlow |= queue.isSlow(now);
	}

	private boolean hasReady(long now) {
		if (!this.others.isEmpty()) {
			return true;
		}
		for (int i = 0; i < this.queues.size(); i++) {
			ServiceQueue queue = this.queues.get(i);
			if (candidate(queue, threads(queue), now) != null) {
				return true;
			}
		}
		return false;
	}

	/** Returns the threads of a queue; with one service its own counter is not used. */
	private int threads(ServiceQueue queue) {
		return this.isShared ? queue.threads() : this.running;
	}

	private static long left(ScheduledCall call, long now) {
		return call.allowedNanos - Math.max(0, now - call.startNanos);
	}

	/**
	 * Removes and returns the task that runs next: a task that is no call; else, of the
	 * candidates of all queues, the one of the service with the fewest threads; of equal
	 * ones the call that has waited longest.
	 */
	private @Nullable Runnable next(long now) {
		Runnable other = this.others.poll();
		if (other != null) {
			return other;
		}
		while (true) {
			ScheduledCall best = null;
			int fewest = 0;
			for (int i = 0; i < this.queues.size(); i++) {
				ServiceQueue queue = this.queues.get(i);
				ScheduledCall call = candidate(queue, threads(queue), now);
				int threads = queue.threadsOfService();
				boolean isBetter = call != null && (best == null || threads < fewest
						|| (threads == fewest && call.queuedOrStartedNanos - best.queuedOrStartedNanos < 0));
				if (isBetter) {
					best = call;
					fewest = threads;
				}
			}
			if (best == null) {
				return null;
			}
			ServiceQueue queue = best.method.queue;
			int threads = threads(queue);
			if (!this.isShared || queue.enter(null)) {
				queue.limit.begins(threads, now);
				queue.remove(best);
				this.running++;
				return best;
			}
		}
	}

	/**
	 * Returns the call of a queue that may run: the one whose turn it is, or another one
	 * if the limit rejects it.
	 */
	private @Nullable ScheduledCall candidate(ServiceQueue queue, int threads, long now) {
		ScheduledCall call = (!this.isShared || queue.hasFreeThread()) ? queue.next(now) : null;
		if (call == null || admits(call, threads, now)) {
			return call;
		}
		return admitted(queue, threads, now);
	}

	/**
	 * Returns a call that the limit of its service admits, although it rejects the one
	 * whose turn it is: its method had no late calls. Else threads would be idle while a
	 * call waits that may run.
	 * <p>
	 * Looks at the ends of the queue only, because the lock is held: an idle worker looks
	 * soon after a call has arrived, and the newest calls are at one end. A call between
	 * more rejected ones than that waits until calls before or after it have left.
	 */
	private @Nullable ScheduledCall admitted(ServiceQueue queue, int threads, long now) {
		Node<ScheduledCall> old = queue.oldest();
		Node<ScheduledCall> recent = queue.newest();
		for (int i = 0; i < MAX_LOOKS && old != null && recent != null; i++) {
			if (admits(old.element(), threads, now)) {
				return old.element();
			}
			if (admits(recent.element(), threads, now)) {
				return recent.element();
			}
			old = old.newer();
			recent = recent.older();
		}
		return null;
	}

	private static boolean admits(ScheduledCall call, int threads, long now) {
		return call.method.queue.limit.admits(call.method.times, threads, now);
	}

	/** Publishes the state after each change under the lock. */
	private void update(long now) {
		int count = this.others.size();
		for (int i = this.queues.size() - 1; i >= 0; i--) {
			int waiting = this.queues.get(i).size();
			count += waiting;
			if (waiting == 0) {
				this.queues.remove(i);
			}
		}
		this.size = count;
		if (this.limited != null && !this.limited.isArmed(now)) {
			this.limited = null;
		}
		setChoosing(count > 0 || this.limited != null);
		// written last: a worker that sees it ready must see isChoosing, too
		this.isReady = hasReady(now);
	}

	private void setChoosing(boolean choosing) {
		if (this.isChoosing != choosing) {
			if (choosing && !this.isShared) { // calls taken before were not counted
				this.running = this.busyWorkers.getAsInt();
			}
			this.isChoosing = choosing;
			this.pool.order((choosing || this.isShared) ? this : null);
		}
	}

	/**
	 * Starts choosing: a worker took a call that waited for SLOW_NANOS, or a call was
	 * late.
	 */
	public void slow() {
		if (!this.isChoosing) {
			synchronized (this) {
				setChoosing(true);
			}
		}
	}

	/**
	 * Ends a cancelled call at once if it waits. Else the worker that has taken it ends
	 * it.
	 */
	public void cancelled(ScheduledCall call) {
		boolean waits;
		synchronized (this) {
			long now = this.clock.getAsLong();
			if (!call.isQueued()) {
				moveArrivals(now, true);
			}
			waits = call.isQueued();
			if (waits) {
				call.method.queue.remove(call);
			}
			update(now);
		}
		if (waits) {
			call.endUnrun();
		}
		this.pool.wake(); // a worker may have found nothing while the lock was held
	}

	/**
	 * Ends waiting calls whose deadline has passed. Called periodically.
	 * @return true if more such calls may wait
	 */
	boolean sweep() {
		List<ScheduledCall> ended = new ArrayList<>(MAX_SWEPT);
		synchronized (this) {
			long now = this.clock.getAsLong();
			moveArrivals(now, true);
			if (!this.isShared) { // corrects calls taken while choosing began
				this.running = Math.min(this.running, this.busyWorkers.getAsInt());
			}
			removeEnded(now, true, ended, MAX_SWEPT);
			update(now);
		}
		endUnrun(ended);
		this.pool.wake();
		return ended.size() == MAX_SWEPT;
	}

	/** Returns the longest wait of a moved call in nanoseconds, 0 if none waits. */
	synchronized long longestWait() {
		long now = this.clock.getAsLong();
		return this.queues.stream().mapToLong((queue) -> queue.waited(now)).max().orElse(0);
	}

	@Override
	public synchronized @Nullable Runnable takeAny() {
		Runnable task = this.others.poll();
		if (task == null && !this.queues.isEmpty()) {
			Node<ScheduledCall> oldest = this.queues.get(0).oldest();
			if (oldest != null) {
				task = oldest.element();
				oldest.element().method.queue.remove(oldest.element());
			}
		}
		update(this.clock.getAsLong());
		return task;
	}

	/**
	 * Describes the limit of a service or method.
	 * @param of its name
	 */
	public synchronized LimitInfo describe(String of, ServiceQueue queue) {
		return queue.limit.describe(of, queue.maxThreads(), threads(queue), this.clock.getAsLong());
	}

	/** Returns true if all waiting calls wait for limits that the application set. */
	public synchronized boolean waitsForLimits() {
		boolean hasOthers = !this.others.isEmpty() || !this.arrivals.isEmpty();
		return !hasOthers && this.queues.stream().allMatch((queue) -> queue.size() == 0 || queue.isAtLimit());
	}

	@Override
	public boolean isEmpty() {
		return !this.isReady;
	}

	@Override
	public int size() {
		return this.size;
	}

}
