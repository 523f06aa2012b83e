package io.rpcboot.internal.server.scheduling;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.rpcboot.internal.concurrent.TaskSelector;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the call that a worker runs next. While nobody has to wait, the queue of the
 * pool does: it is first in, first out, without a lock. When a call has waited for 20 ms,
 * or one is cancelled that may wait, the calls are taken over into one
 * {@link ServiceQueue} for each service and one for each method that has a limit, until
 * these are empty again and none was late of late. There a call also waits whose service
 * or method has all the threads that it may have, or whose
 * {@link ServiceConcurrencyLimit} says that it would be late. Any thread.
 */
public final class CallScheduler implements TaskSelector {

	/** Calls that nobody waits for; more are left to the next take. */
	private static final int MOST_OVER = 16;

	/** The same of a sweep. */
	private static final int MOST_SWEPT = 1024;

	/** There is room for so many tasks that are no calls without asking for memory. */
	private static final int OTHERS = 1024;

	private final WorkerPool pool;

	/** Workers that run a call, as seen from outside. */
	private final IntSupplier seen;

	/** The same of a single service, counted while the queue chooses. */
	private int running;

	private final Queue<Runnable> arrivals;

	/** Whether the threads of each service are counted. */
	private final boolean isShared;

	private final LongSupplier clock;

	/** Tasks that are no calls; they go first. */
	private final Queue<Runnable> others = new ArrayDeque<>(OTHERS);

	/** Lines in which calls wait. */
	private final List<ServiceQueue> lines = new ArrayList<>(OTHERS);

	/** Of a service that was limited a moment ago. */
	private @Nullable ServiceConcurrencyLimit limited;

	/** Whether a line is slow: then all that arrive are taken over. */
	private boolean isSlow;

	/** Whether a take has to choose. Written under the lock. */
	private volatile boolean isChoosing;

	/** Whether a task was taken over that may run now. Written under the lock. */
	private volatile boolean isReady;

	/** Tasks that were taken over. Written under the lock. */
	private volatile int size;

	/**
	 * Create a queue.
	 * @param isShared whether more than one service uses the threads, or one has a limit
	 */
	public CallScheduler(WorkerPool pool, boolean isShared, LongSupplier clock) {
		this(pool, isShared, clock, () -> new WorkerPoolStats(pool).running(ScheduledCall.class));
	}

	/** The same with a number of workers that run a call. */
	CallScheduler(WorkerPool pool, boolean isShared, LongSupplier clock, IntSupplier seen) {
		this.pool = pool;
		this.seen = seen;
		this.arrivals = pool.arrivals();
		this.isShared = isShared;
		this.clock = clock;
		pool.order(isShared ? this : null);
	}

	@Override
	public @Nullable Runnable take(@Nullable Runnable last) {
		ServiceQueue before = counted(last);
		if (this.isChoosing) {
			if (before != null) {
				before.leave(null);
			}
			return choose(last);
		}
		Runnable next = this.arrivals.poll();
		ServiceQueue after = counted(next);
		if (before == after) {
			return next;
		}
		boolean mayRun = after == null || after.enter(before);
		if (before != null) {
			before.leave(mayRun ? after : null);
			if (this.isChoosing) { // a call may wait for this place
				updateLater();
			}
		}
		return (mayRun || next == null) ? next : chooseInPlaceOf(next);
	}

	/** Where the threads of a task are counted; a worker keeps its place for the next. */
	private @Nullable ServiceQueue counted(@Nullable Runnable task) {
		return (this.isShared && task instanceof ScheduledCall call) ? call.method.line : null;
	}

	private synchronized void updateLater() {
		update(this.clock.getAsLong());
	}

	/** Its service or method has all the threads that it may have. */
	private @Nullable Runnable chooseInPlaceOf(Runnable postponed) {
		synchronized (this) {
			long now = this.clock.getAsLong();
			takeOver(postponed, now);
			update(now);
		}
		return choose(null);
	}

	private @Nullable Runnable choose(@Nullable Runnable last) {
		List<ScheduledCall> over = new ArrayList<>(MOST_OVER);
		try {
			synchronized (this) {
				long now = this.clock.getAsLong();
				if (last instanceof ScheduledCall call) {
					this.running = Math.max(0, this.running - 1);
					ended(call, now);
				}
				takeOverArrivals(now, false);
				for (ServiceQueue line : this.lines) {
					line.takeOver(now, false, over, MOST_OVER);
				}
				takeOverArrivals(now, false);
				Runnable next = next(now);
				update(now);
				return next;
			}
		}
		finally {
			ServiceQueue.endUnrun(over);
		}
	}

	/** The calling worker has run a call. */
	private void ended(ScheduledCall call, long now) {
		if (call.started) {
			ServiceConcurrencyLimit pace = call.method.line.pace;
			pace.ended(call.method.times, now - call.queuedOrStartedNanos, !call.oneWay && left(call, now) < 0, now);
			if (pace.isLimited(now) && (this.limited == null || pace.isLimitedAfter(this.limited))) {
				this.limited = pace;
			}
		}
	}

	/** Those that waited together stay together; while nothing is slow, one is enough. */
	private void takeOverArrivals(long now, boolean all) {
		this.isSlow = false;
		for (ServiceQueue line : this.lines) {
			this.isSlow |= line.isSlow(now);
		}
		while (all || this.isSlow || !hasReady(now)) {
			Runnable task = this.arrivals.poll();
			if (task == null) {
				return;
			}
			takeOver(task, now);
		}
	}

	private void takeOver(Runnable task, long now) {
		if (!(task instanceof ScheduledCall call)) {
			this.others.add(task);
			return;
		}
		if (call.started) { // it has waited for memory in the meantime
			call.queuedOrStartedNanos = now;
		}
		ServiceQueue line = call.method.line;
		if (line.size() == 0 && !this.lines.contains(line)) {
			this.lines.add(line);
			line.pace.waits(now);
		}
		line.add(call);
		this.isSlow |= line.isSlow(now);
	}

	private boolean hasReady(long now) {
		if (!this.others.isEmpty()) {
			return true;
		}
		for (int i = 0; i < this.lines.size(); i++) { // an iterator would take memory
			ServiceQueue line = this.lines.get(i);
			if (mayBegin(line, threads(line), now) != null) {
				return true;
			}
		}
		return false;
	}

	private boolean hasRoom(ServiceQueue line) {
		return !this.isShared || line.hasRoom();
	}

	/** Of a single service nobody counts them in its line. */
	private int threads(ServiceQueue line) {
		return this.isShared ? line.threads() : this.running;
	}

	private static long left(ScheduledCall call, long now) {
		return call.allowedNanos - Math.max(0, now - call.startNanos);
	}

	/**
	 * Of those that are next in their lines and may run, that of the service with the
	 * fewest threads; else the one that has waited for longest.
	 */
	private @Nullable Runnable next(long now) {
		Runnable other = this.others.poll();
		if (other != null) {
			return other;
		}
		while (true) {
			ScheduledCall best = null;
			int fewest = 0;
			for (ServiceQueue line : this.lines) {
				ScheduledCall call = mayBegin(line, threads(line), now);
				int threads = line.threadsOfService();
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
			ServiceQueue line = best.method.line;
			int threads = threads(line);
			if (!this.isShared || line.enter(null)) {
				line.pace.begins(best.method.times, threads, left(best, now), now);
				line.remove(best);
				this.running++;
				return best;
			}
		}
	}

	/** The call that is next in its line, or the oldest, if that one has more time. */
	private @Nullable ScheduledCall mayBegin(ServiceQueue line, int threads, long now) {
		ScheduledCall call = hasRoom(line) ? line.next(now) : null;
		if (call == null || admits(call, threads, now)) {
			return call;
		}
		ScheduledCall oldest = line.oldest();
		return (oldest != null && oldest != call && admits(oldest, threads, now)) ? oldest : null;
	}

	private static boolean admits(ScheduledCall call, int threads, long now) {
		return call.method.line.pace.admits(call.method.times, threads, left(call, now), now);
	}

	/**
	 * After everything that is done under the lock. Takes no memory: a call that was
	 * chosen would be lost.
	 */
	private void update(long now) {
		int count = this.others.size();
		for (int i = this.lines.size() - 1; i >= 0; i--) {
			int size = this.lines.get(i).size();
			count += size;
			if (size == 0) {
				this.lines.remove(i).pace.idle();
			}
		}
		this.size = count;
		if (this.limited != null && !this.limited.isLimited(now)) {
			this.limited = null;
		}
		choose(count > 0 || this.limited != null);
		// others see that they have to choose before they see room
		this.isReady = hasReady(now);
	}

	private void choose(boolean choosing) {
		if (this.isChoosing != choosing) {
			if (choosing && !this.isShared) { // as it ends, a call may have been chosen
				this.running = this.seen.getAsInt();
			}
			this.isChoosing = choosing;
			this.pool.order((choosing || this.isShared) ? this : null);
		}
	}

	/** A call was taken that has waited for {@link ServiceQueue#SLOW_NANOS}. */
	public void slow() {
		if (!this.isChoosing) {
			synchronized (this) {
				choose(true);
			}
		}
	}

	/**
	 * A call was cancelled. If it waits, it ends now, and what it has is free; else the
	 * worker that has taken it ends it.
	 */
	public void cancelled(ScheduledCall call) {
		boolean waits;
		synchronized (this) {
			long now = this.clock.getAsLong();
			if (!call.queued) {
				takeOverArrivals(now, true);
			}
			waits = call.queued;
			if (waits) {
				call.method.line.remove(call);
			}
			update(now);
		}
		if (waits) {
			call.endUnrun();
		}
		this.pool.wake(); // a worker may have seen nothing meanwhile
	}

	/**
	 * End calls whose time is over, wherever they wait. Now and then.
	 * @return whether more may be over
	 */
	boolean sweep() {
		List<ScheduledCall> over = new ArrayList<>(MOST_SWEPT);
		try {
			synchronized (this) {
				long now = this.clock.getAsLong();
				takeOverArrivals(now, true);
				if (!this.isShared) { // who took a call as the queue began was not seen
					this.running = Math.min(this.running, this.seen.getAsInt());
				}
				for (ServiceQueue line : this.lines) {
					line.takeOver(now, true, over, MOST_SWEPT);
				}
				update(now);
			}
		}
		finally {
			ServiceQueue.endUnrun(over);
		}
		this.pool.wake();
		return over.size() == MOST_SWEPT;
	}

	/** The longest wait after a sweep, in nanoseconds; 0 if no call waits. */
	synchronized long longestWait() {
		long now = this.clock.getAsLong();
		return this.lines.stream().mapToLong((line) -> line.waited(now)).max().orElse(0);
	}

	@Override
	public synchronized @Nullable Runnable takeAny() {
		Runnable task = this.others.poll();
		if (task == null && !this.lines.isEmpty()) {
			task = this.lines.get(0).takeOldest();
		}
		update(this.clock.getAsLong());
		return task;
	}

	/** Whether every call that waits does so for a limit that the application has set. */
	public synchronized boolean waitsForLimits() {
		boolean others = !this.others.isEmpty() || !this.arrivals.isEmpty();
		return !others && this.lines.stream().allMatch((line) -> line.size() == 0 || line.isAtLimit());
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
