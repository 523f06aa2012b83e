package io.rpcboot.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.LongSupplier;

import io.rpcboot.internal.concurrent.TaskOrder;
import io.rpcboot.internal.concurrent.WorkerPool;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the call that a worker runs next. While nobody has to wait, the queue of the
 * pool does: it is first in, first out, without a lock. When a call has waited for 20 ms,
 * or one is cancelled that may wait, the calls are taken over into one {@link CallLine}
 * for each service, until these are empty again. With more than one service, a call whose
 * service has all the threads that it may have waits there, too. Any thread.
 */
final class CallQueue implements TaskOrder {

	/** Calls that nobody waits for; more are left to the next take. */
	private static final int MOST_OVER = 16;

	private final WorkerPool pool;

	private final Queue<Runnable> arrivals;

	/** Whether threads are shared between services, and counted. */
	private final boolean isShared;

	private final LongSupplier clock;

	/** Tasks that are no calls; they go first. */
	private final Queue<Runnable> others = new ArrayDeque<>();

	/** Lines in which calls wait. */
	private final List<CallLine> lines = new ArrayList<>();

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
	 * @param isShared whether more than one service uses the threads
	 */
	CallQueue(WorkerPool pool, boolean isShared, LongSupplier clock) {
		this.pool = pool;
		this.arrivals = pool.arrivals();
		this.isShared = isShared;
		this.clock = clock;
		pool.order(isShared ? this : null);
	}

	@Override
	public @Nullable Runnable take(@Nullable Runnable last) {
		CallLine before = counted(last);
		if (this.isChoosing) {
			return choose(before);
		}
		Runnable next = this.arrivals.poll();
		CallLine after = counted(next);
		if (before == after) {
			return next;
		}
		boolean mayRun = after == null || after.enter();
		if (before != null) {
			before.leave();
			if (this.isChoosing) { // a call may wait for this place
				updateLater();
			}
		}
		return (mayRun || next == null) ? next : chooseInPlaceOf(next);
	}

	/** Where the threads of a task are counted; a worker keeps its place for the next. */
	private @Nullable CallLine counted(@Nullable Runnable task) {
		return (this.isShared && task instanceof ServerCall call) ? call.method.line : null;
	}

	private synchronized void updateLater() {
		update();
	}

	/** Its service has all the threads that it may have. */
	private @Nullable Runnable chooseInPlaceOf(Runnable postponed) {
		synchronized (this) {
			takeOver(postponed, this.clock.getAsLong());
			update();
		}
		return choose(null);
	}

	private @Nullable Runnable choose(@Nullable CallLine before) {
		Runnable next;
		List<ServerCall> over = new ArrayList<>(0);
		synchronized (this) {
			if (before != null) {
				before.leave();
			}
			long now = this.clock.getAsLong();
			takeOverArrivals(now, false);
			for (CallLine line : this.lines) {
				line.takeOver(now, MOST_OVER, false, over);
			}
			takeOverArrivals(now, false);
			next = next(now);
			update();
		}
		over.forEach(CallTrouble::endUnrun);
		return next;
	}

	/** Those that waited together stay together; while nothing is slow, one is enough. */
	private void takeOverArrivals(long now, boolean all) {
		this.isSlow = false;
		for (CallLine line : this.lines) {
			this.isSlow |= line.isSlow(now);
		}
		while (all || this.isSlow || !hasReady()) {
			Runnable task = this.arrivals.poll();
			if (task == null) {
				return;
			}
			takeOver(task, now);
		}
	}

	private void takeOver(Runnable task, long now) {
		if (!(task instanceof ServerCall call)) {
			this.others.add(task);
			return;
		}
		if (call.begun) { // it has waited for memory in the meantime
			call.sinceNanos = now;
		}
		CallLine line = call.method.line;
		if (line.size() == 0 && !this.lines.contains(line)) {
			this.lines.add(line);
		}
		line.add(call);
		this.isSlow |= line.isSlow(now);
	}

	private boolean hasReady() {
		if (!this.others.isEmpty()) {
			return true;
		}
		for (CallLine line : this.lines) {
			if (line.size() > 0 && (!this.isShared || line.hasRoom())) {
				return true;
			}
		}
		return false;
	}

	/** Of those that are next in their lines the one that has waited for longest. */
	private @Nullable Runnable next(long now) {
		Runnable other = this.others.poll();
		if (other != null) {
			return other;
		}
		while (true) {
			ServerCall best = null;
			for (CallLine line : this.lines) {
				ServerCall next = (this.isShared && !line.hasRoom()) ? null : line.next(now);
				if (next != null && (best == null || next.sinceNanos - best.sinceNanos < 0)) {
					best = next;
				}
			}
			if (best == null) {
				return null;
			}
			if (!this.isShared || best.method.line.enter()) {
				best.method.line.remove(best);
				return best;
			}
		}
	}

	/** After everything that is done under the lock. */
	private void update() {
		this.lines.removeIf((line) -> line.size() == 0);
		int count = this.others.size();
		for (CallLine line : this.lines) {
			count += line.size();
		}
		this.size = count;
		choose(count > 0);
		// others see that they have to choose before they see room
		this.isReady = hasReady();
	}

	private void choose(boolean choosing) {
		if (this.isChoosing != choosing) {
			this.isChoosing = choosing;
			this.pool.order((choosing || this.isShared) ? this : null);
		}
	}

	/** A call was taken that has waited for {@link CallLine#SLOW_NANOS}. */
	void slow() {
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
	void cancelled(ServerCall call) {
		boolean waits;
		synchronized (this) {
			if (!call.queued) {
				takeOverArrivals(this.clock.getAsLong(), true);
			}
			waits = call.queued;
			if (waits) {
				call.method.line.remove(call);
			}
			update();
		}
		if (waits) {
			CallTrouble.endUnrun(call);
		}
		this.pool.wake(); // a worker may have seen nothing meanwhile
	}

	/** End the calls whose time is over, wherever they wait. Now and then. */
	void sweep() {
		List<ServerCall> over = new ArrayList<>();
		synchronized (this) {
			long now = this.clock.getAsLong();
			takeOverArrivals(now, true);
			for (CallLine line : this.lines) {
				line.takeOver(now, Integer.MAX_VALUE, true, over);
			}
			update();
		}
		over.forEach(CallTrouble::endUnrun);
		this.pool.wake();
	}

	@Override
	public synchronized @Nullable Runnable takeAny() {
		Runnable task = this.others.poll();
		if (task == null && !this.lines.isEmpty()) {
			task = this.lines.get(0).takeOldest();
		}
		update();
		return task;
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
