package io.rpcboot.internal.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/** Chooses the task that came last, and fails when it is told to. */
final class NewestFirst implements TaskSelector {

	private final Queue<Runnable> arrivals;

	private final Deque<Runnable> tasks = new ArrayDeque<>();

	final List<Runnable> lasts = new ArrayList<>();

	final AtomicInteger failures = new AtomicInteger();

	final AtomicInteger failuresAfterLast = new AtomicInteger();

	final AtomicInteger failuresOfWorkers = new AtomicInteger();

	volatile boolean isHolding;

	NewestFirst(Queue<Runnable> arrivals) {
		this.arrivals = arrivals;
	}

	@Override
	public synchronized @Nullable Runnable take(@Nullable Runnable last) {
		if (this.failures.getAndDecrement() > 0) {
			throw new OutOfMemoryError("injected");
		}
		if (last != null) {
			this.lasts.add(last);
			if (this.failuresAfterLast.getAndDecrement() > 0) {
				throw new OutOfMemoryError("injected");
			}
		}
		for (Runnable task = this.arrivals.poll(); task != null; task = this.arrivals.poll()) {
			this.tasks.push(task);
		}
		return this.isHolding ? null : this.tasks.poll();
	}

	synchronized boolean reported(Runnable last) {
		return this.lasts.contains(last);
	}

	@Override
	public synchronized @Nullable Runnable takeAny() {
		return this.tasks.poll();
	}

	@Override
	public synchronized boolean isEmpty() {
		if (Thread.currentThread().getName().startsWith("test-worker-")
				&& this.failuresOfWorkers.getAndDecrement() > 0) {
			throw new OutOfMemoryError("injected");
		}
		return this.isHolding || this.tasks.isEmpty();
	}

	@Override
	public synchronized int size() {
		return this.tasks.size();
	}

}
