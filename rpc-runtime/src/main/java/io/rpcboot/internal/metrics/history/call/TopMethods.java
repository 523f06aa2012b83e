package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * Tracked methods of a side: the methods with the most calls in the last 30 to 60
 * seconds. Every method has an exact counter, so the choice is exact and no call decides
 * anything. A sketch such as space-saving would estimate the counts, change a shared
 * table with each call, and pass the durations of a displaced method to its successor.
 * Guarded by the lock of the side.
 */
final class TopMethods {

	/** Maximum of tracked methods. */
	static final int MOST = 64;

	/**
	 * Maximum of stripes beyond the first one of each method, summed over all methods.
	 */
	private static final int MOST_EXTRA = 32;

	private static final int MOST_STRIPES = 16;

	/** Rate above which a method gets a stripe for each processor. */
	private static final double WIDE_PER_SECOND = 10_000;

	/** Rate below which a method gets one stripe again. */
	private static final double NARROW_PER_SECOND = 1_000;

	private final int stripes;

	private final List<TrackedMethod> tracked = new ArrayList<>(MOST);

	/**
	 * Methods that are no longer tracked, but which a call may still use; drained once
	 * more.
	 */
	private final List<TrackedMethod> leaving = new ArrayList<>();

	private final int[] counts = new int[Buckets.COUNT];

	private int extra = MOST_EXTRA;

	TopMethods(int processors) {
		this.stripes = stripes(processors);
	}

	/**
	 * Returns the stripes of a method with many calls: a power of two, at least one for
	 * each processor, at most 16.
	 */
	static int stripes(int processors) {
		return Math.min(MOST_STRIPES, Integer.highestOneBit(Math.max(1, processors * 2 - 1)));
	}

	boolean hasFreePlace() {
		return this.tracked.size() < MOST;
	}

	void track(MethodHistory method, long ticks) {
		TrackedMethod begun = new TrackedMethod(method, ticks);
		this.tracked.add(begun);
		method.track(begun.durations);
	}

	@Nullable TrackedMethod find(MethodHistory method) {
		for (TrackedMethod each : this.tracked) {
			if (each.method == method) {
				return each;
			}
		}
		return null;
	}

	/**
	 * Ends a step.
	 * @param ticks the clock
	 * @param all receives the calls of all tracked methods by bucket
	 * @return the longest duration, in nanoseconds
	 */
	long tick(TickClock ticks, int[] all) {
		long longest = 0;
		for (TrackedMethod each : this.leaving) {
			each.method.count(each.durations.drain(all));
			longest = Math.max(longest, each.durations.takeLongest());
		}
		this.leaving.clear();
		for (TrackedMethod each : this.tracked) {
			Arrays.fill(this.counts, 0);
			longest = Math.max(longest, each.tick(ticks, this.counts));
			for (int bucket = 0; bucket < all.length; bucket++) {
				all[bucket] += this.counts[bucket];
			}
			share(each, each.lastCalls(ticks) / ticks.elapsedSeconds());
		}
		return longest;
	}

	/** Adapts the number of stripes of a method to its rate. */
	private void share(TrackedMethod method, double perSecond) {
		int now = method.durations.stripes();
		if (now == 1 && perSecond > WIDE_PER_SECOND && this.stripes - 1 <= this.extra) {
			method.durations.widen(this.stripes);
			this.extra -= this.stripes - 1;
		}
		else if (now > 1 && perSecond < NARROW_PER_SECOND) {
			method.durations.narrow();
			this.extra += now - 1;
		}
	}

	/**
	 * Chooses the tracked methods. An untracked method needs a quarter more calls than
	 * the method that it displaces, so that two similar methods do not displace each
	 * other and lose their series each time.
	 */
	void choose(Collection<MethodHistory> methods, TickClock ticks) {
		for (Iterator<TrackedMethod> each = this.tracked.iterator(); each.hasNext();) {
			TrackedMethod method = each.next();
			if (method.isForgotten(ticks)) {
				each.remove();
				leave(method);
			}
		}
		List<MethodHistory> candidates = busiestUntracked(methods);
		if (candidates.isEmpty()) {
			return;
		}
		this.tracked.sort(Comparator.comparingInt((each) -> each.method.recentCalls()));
		int least = 0;
		for (MethodHistory candidate : candidates) {
			if (hasFreePlace()) {
				track(candidate, ticks.count());
				continue;
			}
			TrackedMethod displaced = this.tracked.get(least);
			if (candidate.recentCalls() * 4L <= displaced.method.recentCalls() * 5L) {
				return;
			}
			TrackedMethod begun = new TrackedMethod(candidate, ticks.count());
			this.tracked.set(least++, begun);
			leave(displaced);
			candidate.track(begun.durations);
		}
	}

	private void leave(TrackedMethod method) {
		this.extra += method.durations.stripes() - 1;
		method.method.track(null);
		this.leaving.add(method);
	}

	/**
	 * Returns the untracked methods with the most calls, busiest first, at most
	 * {@link #MOST}.
	 */
	private List<MethodHistory> busiestUntracked(Collection<MethodHistory> methods) {
		PriorityQueue<MethodHistory> busiest = new PriorityQueue<>(Comparator.comparingInt(MethodHistory::recentCalls));
		for (MethodHistory each : methods) {
			if (!each.isTracked() && each.recentCalls() > 0) {
				busiest.add(each);
				if (busiest.size() > MOST) {
					busiest.remove();
				}
			}
		}
		List<MethodHistory> sorted = new ArrayList<>(busiest.size());
		while (!busiest.isEmpty()) {
			sorted.add(0, busiest.remove());
		}
		return sorted;
	}

}
