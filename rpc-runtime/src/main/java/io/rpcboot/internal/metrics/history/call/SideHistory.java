package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodSeries;
import io.rpcboot.metrics.history.MethodStats;
import org.jspecify.annotations.Nullable;

/**
 * Methods of one side. The lock of the history guards everything that recorders do not
 * use; recorders never wait for it.
 */
public final class SideHistory {

	/**
	 * Ticks between two shifts of the window. Rates cover the time since the shift before
	 * the last one.
	 */
	private static final int SHIFT_TICKS = 6;

	public final Side side;

	/** Durations of calls of untracked methods. */
	final Durations rest;

	/** Failed calls, by ordinal of their status. */
	public final LongAdder[] errors = Stream.generate(LongAdder::new)
		.limit(RpcStatus.values().length)
		.toArray(LongAdder[]::new);

	final NotedCalls noted;

	/** Number of further methods that may be listed, shared by both sides. */
	private final AtomicInteger room;

	private final TickClock ticks;

	private final ReentrantLock lock;

	private final Map<ServiceId, List<MethodHistory>> services = new HashMap<>();

	private final List<MethodHistory> methods = new ArrayList<>();

	private final TopMethods busiest;

	/** Start of the window of rates by {@code nanoTime}. */
	private long windowNanos;

	private long nextWindowNanos;

	public SideHistory(Side side, NotedCalls noted, TickClock ticks, AtomicInteger room, ReentrantLock lock,
			int processors) {
		this.side = side;
		this.noted = noted;
		this.ticks = ticks;
		this.room = room;
		this.lock = lock;
		this.rest = new Durations(TopMethods.stripes(processors));
		this.busiest = new TopMethods(processors);
		this.windowNanos = ticks.nanoTime();
		this.nextWindowNanos = ticks.nanoTime();
	}

	/**
	 * Returns the recorder of a method, the same for all its descriptors unless the
	 * maximum of methods is reached.
	 */
	public MethodHistory method(MethodDescriptor method) {
		this.lock.lock();
		try {
			List<MethodHistory> known = this.services.computeIfAbsent(method.service(), (key) -> new ArrayList<>(0));
			for (MethodHistory each : known) {
				if (each.isOf(method)) {
					return each;
				}
			}
			MethodHistory added = new MethodHistory(this, method);
			if (this.room.getAndDecrement() <= 0) {
				this.room.incrementAndGet();
				return added.unlisted();
			}
			known.add(added);
			this.methods.add(added);
			return added;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Tracks a method at its first call, if there is a free place and the lock is free.
	 */
	void track(MethodHistory method) {
		if (!this.lock.tryLock()) {
			return;
		}
		try {
			if (!method.isTracked() && this.busiest.hasFreePlace()) {
				this.busiest.track(method, this.ticks.count());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends a step.
	 * @param counts empty; receives the calls of the side by bucket
	 * @return the longest duration, in nanoseconds
	 */
	public long tick(int[] counts) {
		long longest = this.busiest.tick(this.ticks, counts);
		this.rest.drain(counts);
		longest = Math.max(longest, this.rest.takeLongest());
		this.busiest.choose(this.methods, this.ticks);
		if (this.ticks.count() % SHIFT_TICKS == 0) {
			this.methods.forEach(MethodHistory::shift);
			this.windowNanos = this.nextWindowNanos;
			this.nextWindowNanos = this.ticks.nanoTime();
		}
		return longest;
	}

	/** Returns true if this process has methods of this side. */
	public boolean isUsed() {
		return !this.methods.isEmpty();
	}

	public Stream<MethodStats> all() {
		return this.methods.stream().map(this::stats);
	}

	/** Returns the methods with the most calls per second, in no order. */
	public Stream<MethodStats> busiest(int most) {
		PriorityQueue<MethodHistory> found = new PriorityQueue<>(Comparator.comparingInt(MethodHistory::recentCalls));
		for (MethodHistory each : this.methods) {
			found.add(each);
			if (found.size() > most) {
				found.remove();
			}
		}
		return found.stream().map(this::stats);
	}

	public Stream<MethodStats> ofService(String service) {
		return methodsOf(service).stream().map(this::stats);
	}

	private MethodStats stats(MethodHistory method) {
		double seconds = Math.max(1, this.ticks.nanoTime() - this.windowNanos) / 1e9;
		TrackedMethod tracked = method.isTracked() ? this.busiest.find(method) : null;
		return new MethodStats(this.side, method.service(), method.signature(), method.recentCalls() / seconds,
				Math.min(method.recentErrors(), method.recentCalls()) / seconds, method.calls(),
				Math.min(method.errors(), method.calls()), (tracked != null) ? tracked.percentile(0.5) : 0,
				(tracked != null) ? tracked.percentile(0.99) : 0, (tracked != null) ? tracked.longest() : 0,
				(tracked != null) ? tracked.meanWaited() : 0, (tracked != null) ? tracked.meanRan() : 0,
				tracked != null);
	}

	public @Nullable MethodSeries series(String service, String signature, long since) {
		for (MethodHistory each : methodsOf(service)) {
			TrackedMethod tracked = each.signature().equals(signature) ? this.busiest.find(each) : null;
			if (tracked != null) {
				return tracked.series(this.ticks, since);
			}
		}
		return null;
	}

	private List<MethodHistory> methodsOf(String service) {
		for (Map.Entry<ServiceId, List<MethodHistory>> each : this.services.entrySet()) {
			if (each.getKey().toString().equals(service)) {
				return each.getValue();
			}
		}
		return List.of();
	}

}
