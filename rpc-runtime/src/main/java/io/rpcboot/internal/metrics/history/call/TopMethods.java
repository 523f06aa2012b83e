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
 * The tracked methods of a side: those with the most calls in the last 30 to 60 seconds.
 * Every method has an exact counter anyway, so the choice is exact, and nothing is
 * decided on the path of a call. A sketch such as space-saving would estimate the counts,
 * would have to change a shared table with each call, and would hand the times that a
 * slot has gathered for one method to the next one. Guarded by the side's lock.
 */
final class TopMethods {

	/** Most methods that are tracked. */
	static final int MOST = 64;

	/** Stripes beside the first one of each method, all methods together. */
	private static final int MOST_EXTRA = 32;

	private static final int MOST_STRIPES = 16;

	/** From here on a method has a stripe for each processor. */
	private static final double WIDE_PER_SECOND = 10_000;

	/** From here on it has one again. */
	private static final double NARROW_PER_SECOND = 1_000;

	private final int stripes;

	private final List<TrackedMethod> tracked = new ArrayList<>(MOST);

	/** Not tracked any more, but a call may just be adding itself; drained once more. */
	private final List<TrackedMethod> leaving = new ArrayList<>();

	private final int[] counts = new int[Buckets.COUNT];

	private int extra = MOST_EXTRA;

	TopMethods(int processors) {
		this.stripes = stripes(processors);
	}

	/** A power of two, at most 16: a stripe for each processor that records. */
	static int stripes(int processors) {
		return Math.min(MOST_STRIPES, Integer.highestOneBit(Math.max(1, processors * 2 - 1)));
	}

	boolean hasRoom() {
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
	 * A step is over.
	 * @param ticks the time
	 * @param all calls of all tracked methods are added to these
	 * @return the longest of them, in nanoseconds
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

	/** Threads of a method with many calls must not fight for its counters. */
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
	 * Choose again. A method that is not tracked must have a quarter more calls than the
	 * one it displaces, so that two of about the same do not take turns and lose their
	 * past each time.
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
			if (hasRoom()) {
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

	/** With the most calls first, at most as many as may be tracked. */
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
