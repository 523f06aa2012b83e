package io.rpcboot.internal.client.limits;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for their turn, in an order by which most are answered in time. Any
 * thread adds without a lock; those that take meet at one.
 * <p>
 * First in, first out, as long as the call that waits for longest has used less than half
 * of its time: no call is late then. Beyond that there are more calls than can be
 * answered. Served in their order each would be nearly over when its turn comes, and its
 * answer of no use; so the newest goes first and the oldest end at their deadlines. A
 * call that comes back is among the newest.
 *
 * @param <C> the calls
 */
public final class AdaptiveLifoQueue<C extends QueuedCall> {

	/** A call whose time is over ends at most so much later if it is the oldest... */
	private static final long SWEEP_MILLIS = 10;

	/** ... and after so many sweeps if others are older, of a queue that is longer... */
	private static final int SWEEPS_TO_ALL = 10;

	/** ... than this. */
	private static final int SHORT = 8192;

	private final Queue<C> added = new ConcurrentLinkedQueue<>();

	/** From the oldest to the newest. With the lock of this object. */
	private final ArrayDeque<C> waiting = new ArrayDeque<>();

	private final AtomicInteger size;

	private final AtomicBoolean sweeping = new AtomicBoolean();

	private final ScheduledExecutorService control;

	private final Runnable afterSweep;

	private int sweeps;

	/**
	 * Create an empty queue.
	 * @param size counts the calls in it, with some that have ended
	 * @param control sweeps it while calls wait
	 * @param afterSweep run after each sweep: who takes from the queue looks again
	 */
	public AdaptiveLifoQueue(AtomicInteger size, ScheduledExecutorService control, Runnable afterSweep) {
		this.size = size;
		this.control = control;
		this.afterSweep = afterSweep;
	}

	/** Add a call. Returns false if as many as may wait do so already. */
	public boolean add(C call, int most) {
		if (this.size.incrementAndGet() > most) {
			this.size.decrementAndGet();
			return false;
		}
		try {
			this.added.add(call);
		}
		catch (Error ex) { // there is no memory for it
			this.size.decrementAndGet();
			throw ex;
		}
		sweepLater();
		return true;
	}

	/**
	 * Take the call whose turn it is. Those that have ended are left out.
	 * @param now as {@link System#nanoTime()}
	 * @param accepted whose calls are taken; others are left where they are
	 * @return null if none waits
	 */
	public @Nullable C poll(long now, Predicate<C> accepted) {
		if (isEmpty()) {
			return null;
		}
		synchronized (this) {
			takeAdded();
			while (!this.waiting.isEmpty()) {
				boolean newestFirst = isLate(now);
				C call = newestFirst ? this.waiting.getLast() : this.waiting.getFirst();
				if (!call.isAbandoned() && !accepted.test(call)) {
					return pollOther(newestFirst, accepted);
				}
				remove(newestFirst);
				if (!call.isAbandoned()) {
					return call;
				}
			}
			return null;
		}
	}

	private void remove(boolean newest) {
		if (newest) {
			this.waiting.removeLast();
		}
		else {
			this.waiting.removeFirst();
		}
		this.size.decrementAndGet();
	}

	/** Whether calls wait, and not only are about to; some may have ended. */
	synchronized boolean hasCalls() {
		takeAdded();
		return !this.waiting.isEmpty();
	}

	private @Nullable C pollOther(boolean newestFirst, Predicate<C> accepted) {
		Iterator<C> all = newestFirst ? this.waiting.descendingIterator() : this.waiting.iterator();
		while (all.hasNext()) {
			C call = all.next();
			if (!call.isAbandoned() && accepted.test(call)) {
				all.remove();
				this.size.decrementAndGet();
				return call;
			}
		}
		return null;
	}

	/** A call could not be sent: it waits again where it was taken. */
	public void requeue(C call) {
		this.size.incrementAndGet();
		synchronized (this) {
			C oldest = this.waiting.peekFirst();
			if (oldest == null || call.startedNanos() - oldest.startedNanos() <= 0) {
				this.waiting.addFirst(call);
			}
			else {
				this.waiting.addLast(call);
			}
		}
		sweepLater();
	}

	/**
	 * Whether the oldest has used more than half of its time, or the newest would have
	 * when it has waited for as long.
	 */
	private boolean isLate(long now) {
		C oldest = this.waiting.getFirst();
		long twice = 2 * (now - oldest.startedNanos());
		return !oldest.isAbandoned() && twice > Math.min(allowedNanos(oldest), allowedNanos(this.waiting.getLast()));
	}

	private static long allowedNanos(QueuedCall call) {
		return call.deadlineNanos() - call.startedNanos();
	}

	private void takeAdded() {
		for (C call = this.added.poll(); call != null; call = this.added.poll()) {
			this.waiting.addLast(call);
		}
	}

	private boolean isEmpty() {
		return this.size.get() == 0;
	}

	private void sweepLater() {
		if (!this.sweeping.get() && this.sweeping.compareAndSet(false, true)) {
			try {
				this.control.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				this.sweeping.set(false);
				close();
			}
			catch (Error ex) { // the next call tries again
				this.sweeping.set(false);
				throw ex;
			}
		}
	}

	private void sweep() {
		this.sweeping.set(false);
		try {
			takeEnded(System.nanoTime()).forEach(QueuedCall::expire);
			this.afterSweep.run();
		}
		finally {
			if (!isEmpty()) {
				sweepLater();
			}
		}
	}

	/** Take out those that have ended, and those whose time is over, and return them. */
	synchronized List<C> takeEnded(long now) {
		takeAdded();
		List<C> over = new ArrayList<>();
		if (++this.sweeps % SWEEPS_TO_ALL == 0 || this.waiting.size() <= SHORT) {
			takeIf((call) -> isOver(call, now), over);
			return over;
		}
		while (!this.waiting.isEmpty() && isOver(this.waiting.getFirst(), now)) {
			over.add(this.waiting.removeFirst());
		}
		this.size.addAndGet(-over.size());
		return over;
	}

	private static boolean isOver(QueuedCall call, long now) {
		return call.isAbandoned() || now - call.deadlineNanos() >= 0;
	}

	private void takeIf(Predicate<C> unwanted, List<C> taken) {
		int before = this.waiting.size();
		this.waiting.removeIf((call) -> unwanted.test(call) && taken.add(call));
		this.size.addAndGet(this.waiting.size() - before);
	}

	/** Take out some of the calls. */
	public synchronized List<C> removeIf(Predicate<C> unwanted) {
		List<C> taken = new ArrayList<>();
		takeAdded();
		takeIf(unwanted, taken);
		return taken;
	}

	/** The client is closed: nobody will take calls any more. */
	public void close() {
		removeIf((call) -> true).forEach(QueuedCall::clientClosed);
	}

}
