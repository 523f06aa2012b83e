package io.rpcboot.internal.net;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Line in which groups take turns (round robin, as in fair queueing), within a group its
 * groups, and in the smallest group its members, in their order. A crowded group delays
 * its own members alone. Not thread-safe.
 *
 * @param <T> type of the members
 */
public final class Turns<T> {

	/** Groups by name; the first one has the next turn. */
	private final Map<String, Turns<T>> groups = new LinkedHashMap<>();

	/** Members that are in no smaller group. */
	private final Deque<T> waiting = new ArrayDeque<>();

	/** Returns true if nothing waits. */
	public boolean isEmpty() {
		return this.groups.isEmpty() && this.waiting.isEmpty();
	}

	/**
	 * Adds to the end of the line.
	 * @param path names of the groups, that of the largest one first
	 */
	public void add(List<String> path, T added) {
		if (path.isEmpty()) {
			this.waiting.add(added);
		}
		else {
			this.groups.computeIfAbsent(path.get(0), (any) -> new Turns<>()).add(rest(path), added);
		}
	}

	private static List<String> rest(List<String> path) {
		return path.subList(1, path.size());
	}

	/** Removes a member. Twice does nothing. */
	public void remove(List<String> path, T removed) {
		if (path.isEmpty()) {
			this.waiting.remove(removed);
			return;
		}
		this.groups.computeIfPresent(path.get(0), (name, group) -> {
			group.remove(rest(path), removed);
			return group.isEmpty() ? null : group;
		});
	}

	/** Removes and returns the member whose turn it is, null if nothing waits. */
	public @Nullable T next() {
		if (this.groups.isEmpty()) {
			return this.waiting.poll();
		}
		String name = this.groups.keySet().iterator().next();
		Turns<T> group = this.groups.remove(name);
		T next = group.next();
		if (!group.isEmpty()) {
			this.groups.put(name, group);
		}
		return next;
	}

}
