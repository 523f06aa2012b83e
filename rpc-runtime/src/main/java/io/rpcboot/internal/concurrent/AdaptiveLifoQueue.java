package io.rpcboot.internal.concurrent;

import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Queue of calls that wait for their turn: first in, first out in normal operation,
 * newest first under overload. This is the adaptive LIFO of B. Maurer, "Fail at Scale"
 * (ACM Queue, 2015). The switch is a target for the waiting time, as in CoDel (K. Nichols
 * and V. Jacobson, "Controlling Queue Delay", ACM Queue, 2012); the target is half of the
 * time that a call has:
 *
 * <pre>newestFirst = waited(oldest) &gt; min(budget(oldest), budget(newest)) / 2</pre>
 *
 * Example: all calls have 3 s. While the oldest has waited for at most 1.5 s, it is next
 * and no call is late. Beyond that, first in, first out would run each call with little
 * of its time left; the newest call is next, and the oldest calls end at their deadlines.
 * <p>
 * Not thread-safe: a lock of the owner guards all methods.
 *
 * @param <E> the calls
 */
public final class AdaptiveLifoQueue<E> {

	private @Nullable Node<E> oldest;

	private @Nullable Node<E> newest;

	private int size;

	/**
	 * Place of one call in the queue.
	 *
	 * @param <E> the call
	 */
	public static final class Node<E> {

		private final E element;

		/** Start of the wait, as {@link System#nanoTime()}. */
		private final long queuedNanos;

		/** Time until the deadline at the start of the wait, in nanoseconds. */
		private final long budgetNanos;

		private @Nullable Node<E> older;

		private @Nullable Node<E> newer;

		/** True from the addition to the removal. */
		private boolean queued;

		Node(E element, long queuedNanos, long budgetNanos) {
			this.element = element;
			this.queuedNanos = queuedNanos;
			this.budgetNanos = budgetNanos;
		}

		public E element() {
			return this.element;
		}

		/** Returns the start of the wait, as {@link System#nanoTime()}. */
		public long queuedNanos() {
			return this.queuedNanos;
		}

		/** Returns the neighbor that was added before, null at the oldest. */
		public @Nullable Node<E> older() {
			return this.older;
		}

		/** Returns the neighbor that was added after, null at the newest. */
		public @Nullable Node<E> newer() {
			return this.newer;
		}

		/** Returns true until the call is removed. */
		public boolean isQueued() {
			return this.queued;
		}

	}

	/**
	 * Adds a call as the newest.
	 * @param queuedNanos start of its wait, as {@link System#nanoTime()}
	 * @param budgetNanos time until its deadline at that instant, in nanoseconds;
	 * {@link Long#MAX_VALUE} without a deadline
	 */
	public Node<E> add(E element, long queuedNanos, long budgetNanos) {
		return link(this.newest, new Node<>(element, queuedNanos, budgetNanos), null);
	}

	/** Adds a call as the oldest: it was removed before and returns. */
	public Node<E> addOldest(E element, long queuedNanos, long budgetNanos) {
		return link(null, new Node<>(element, queuedNanos, budgetNanos), this.oldest);
	}

	private Node<E> link(@Nullable Node<E> older, Node<E> node, @Nullable Node<E> newer) {
		node.queued = true;
		join(older, node);
		join(node, newer);
		this.size++;
		return node;
	}

	private void join(@Nullable Node<E> older, @Nullable Node<E> newer) {
		if (older == null) {
			this.oldest = newer;
		}
		else {
			older.newer = newer;
		}
		if (newer == null) {
			this.newest = older;
		}
		else {
			newer.older = older;
		}
	}

	/** Removes a call that is in this queue, in constant time. */
	public void remove(Node<E> node) {
		join(node.older, node.newer);
		node.older = null;
		node.newer = null;
		node.queued = false;
		this.size--;
	}

	/**
	 * Returns the call whose turn it is, by the rule above.
	 * @param now as {@link System#nanoTime()}
	 * @return null if no call waits
	 */
	public @Nullable Node<E> next(long now) {
		Node<E> first = this.oldest;
		Node<E> last = this.newest;
		if (first == null || last == null) {
			return null;
		}
		long waited = now - first.queuedNanos;
		return (waited > Math.min(first.budgetNanos, last.budgetNanos) / 2) ? last : first;
	}

	/**
	 * Removes calls, the oldest first.
	 * @param unwanted selects the calls to remove
	 * @param all false to stop at the first call that stays
	 * @param max length of the list at which to stop
	 * @param removed receives the removed calls
	 */
	public void removeIf(Predicate<? super E> unwanted, boolean all, int max, List<? super E> removed) {
		Node<E> node = this.oldest;
		while (node != null && removed.size() < max) {
			Node<E> following = node.newer;
			if (unwanted.test(node.element)) {
				removed.add(node.element);
				remove(node);
			}
			else if (!all) {
				return;
			}
			node = following;
		}
	}

	public @Nullable Node<E> oldest() {
		return this.oldest;
	}

	public @Nullable Node<E> newest() {
		return this.newest;
	}

	public int size() {
		return this.size;
	}

}
