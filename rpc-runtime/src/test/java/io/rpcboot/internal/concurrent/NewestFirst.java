package io.rpcboot.internal.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

/** Chooses the task that came last. */
final class NewestFirst implements TaskSelector {

	private final Queue<Runnable> arrivals;

	private final Deque<Runnable> tasks = new ArrayDeque<>();

	final List<Runnable> lasts = new ArrayList<>();

	volatile boolean isHolding;

	NewestFirst(Queue<Runnable> arrivals) {
		this.arrivals = arrivals;
	}

	@Override
	public synchronized @Nullable Runnable take(@Nullable Runnable last) {
		if (last != null) {
			this.lasts.add(last);
		}
		for (Runnable task = this.arrivals.poll(); task != null; task = this.arrivals.poll()) {
			this.tasks.push(task);
		}
		return this.isHolding ? null : this.tasks.poll();
	}

	@Override
	public synchronized @Nullable Runnable takeAny() {
		return this.tasks.poll();
	}

	@Override
	public synchronized boolean isEmpty() {
		return this.isHolding || this.tasks.isEmpty();
	}

	@Override
	public synchronized int size() {
		return this.tasks.size();
	}

}
