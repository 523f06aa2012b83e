package io.rpcboot.internal.client.limits;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.rpcboot.internal.concurrent.AdaptiveLifoQueue;
import io.rpcboot.internal.concurrent.AdaptiveLifoQueue.Node;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of calls in the order of {@link AdaptiveLifoQueue}, which expires calls
 * at their deadlines. Any thread: additions take no lock, removals share one. The wait of
 * a call is counted from its start, so a call that returns is among the newest and keeps
 * its used time.
 *
 * @param <C> the calls
 */
public final class ExpiringCallQueue<C extends QueuedCall> {

	/** Pause between two sweeps: the oldest call expires at most this late. */
	private static final long SWEEP_MILLIS = 10;

	/**
	 * Sweeps of a long queue of which one looks at all calls: a call behind older ones
	 * expires at most SWEEPS_TO_ALL * SWEEP_MILLIS = 100 ms late.
	 */
	private static final int SWEEPS_TO_ALL = 10;

	/** Largest length at which each sweep looks at all calls. */
	private static final int SHORT = 8192;

	/** Calls that were added and not ordered yet. */
	private final Queue<C> added = new ConcurrentLinkedQueue<>();

	/** Guarded by this object. */
	private final AdaptiveLifoQueue<C> waiting = new AdaptiveLifoQueue<>();

	private final AtomicInteger size;

	/** True while a sweep is scheduled. */
	private final AtomicBoolean sweeping = new AtomicBoolean();

	private final ScheduledExecutorService control;

	private final Runnable afterSweep;

	private int sweeps;

	/**
	 * Creates an empty queue.
	 * @param size counts the calls in the queue, including ended calls that were not
	 * removed yet
	 * @param control runs the sweeps while calls wait
	 * @param afterSweep runs after each sweep, so that consumers poll again
	 */
	public ExpiringCallQueue(AtomicInteger size, ScheduledExecutorService control, Runnable afterSweep) {
		this.size = size;
		this.control = control;
		this.afterSweep = afterSweep;
	}

	/**
	 * Adds a call.
	 * @param max largest size
	 * @return false if the queue is full
	 */
	public boolean add(C call, int max) {
		if (this.size.incrementAndGet() > max) {
			this.size.decrementAndGet();
			return false;
		}
		this.added.add(call);
		sweepLater();
		return true;
	}

	/**
	 * Removes and returns the call whose turn it is. Ended calls are skipped.
	 * @param now as {@link System#nanoTime()}
	 * @param accepted selects the calls to return; others keep their places
	 * @return null if no accepted call waits
	 */
	public @Nullable C poll(long now, Predicate<C> accepted) {
		if (isEmpty()) {
			return null;
		}
		synchronized (this) {
			orderAdded();
			for (Node<C> node = next(now); node != null; node = next(now)) {
				if (!node.element().isAbandoned()) {
					return pollFrom(node, accepted);
				}
				remove(node);
			}
			return null;
		}
	}

	private @Nullable Node<C> next(long now) {
		Node<C> oldest = this.waiting.oldest();
		return (oldest != null && oldest.element().isAbandoned()) ? oldest : this.waiting.next(now);
	}

	private @Nullable C pollFrom(Node<C> first, Predicate<C> accepted) {
		boolean newestFirst = first != this.waiting.oldest();
		for (Node<C> node = first; node != null; node = newestFirst ? node.older() : node.newer()) {
			C call = node.element();
			if (!call.isAbandoned() && accepted.test(call)) {
				remove(node);
				return call;
			}
		}
		return null;
	}

	private void remove(Node<C> node) {
		this.waiting.remove(node);
		this.size.decrementAndGet();
	}

	/** Returns true if calls wait, some of which may have ended. */
	synchronized boolean hasCalls() {
		orderAdded();
		return this.waiting.size() > 0;
	}

	/** Returns a call that could not be sent to the end from which it was polled. */
	public void requeue(C call) {
		this.size.incrementAndGet();
		synchronized (this) {
			Node<C> oldest = this.waiting.oldest();
			if (oldest == null || call.startedNanos() - oldest.queuedNanos() <= 0) {
				this.waiting.addOldest(call, call.startedNanos(), timeoutNanos(call));
			}
			else {
				this.waiting.add(call, call.startedNanos(), timeoutNanos(call));
			}
		}
		sweepLater();
	}

	private static long timeoutNanos(QueuedCall call) {
		return call.deadlineNanos() - call.startedNanos();
	}

	private void orderAdded() {
		for (C call = this.added.poll(); call != null; call = this.added.poll()) {
			this.waiting.add(call, call.startedNanos(), timeoutNanos(call));
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
		}
	}

	private void sweep() {
		this.sweeping.set(false);
		try {
			removeEnded(System.nanoTime()).forEach(QueuedCall::expire);
			this.afterSweep.run();
		}
		finally {
			if (!isEmpty()) {
				sweepLater();
			}
		}
	}

	/** Removes and returns calls that have ended or whose deadline has passed. */
	synchronized List<C> removeEnded(long now) {
		orderAdded();
		boolean all = ++this.sweeps % SWEEPS_TO_ALL == 0 || this.waiting.size() <= SHORT;
		return removeIf((call) -> call.isAbandoned() || now - call.deadlineNanos() >= 0, all);
	}

	/** Removes and returns the calls that a predicate selects. */
	public synchronized List<C> removeIf(Predicate<C> unwanted) {
		orderAdded();
		return removeIf(unwanted, true);
	}

	private List<C> removeIf(Predicate<C> unwanted, boolean all) {
		List<C> removed = new ArrayList<>();
		this.waiting.removeIf(unwanted, all, Integer.MAX_VALUE, removed);
		this.size.addAndGet(-removed.size());
		return removed;
	}

	/** Fails all calls, because the client is closed. */
	public void close() {
		removeIf((call) -> true).forEach(QueuedCall::clientClosed);
	}

}
