package io.rpcboot.serialization.types;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.PriorityBlockingQueue;

import org.jspecify.annotations.Nullable;

/**
 * What kinds of collections and kinds of maps have in common.
 */
final class Containers {

	private Containers() {
	}

	/** The order of a sorted container; null for the natural one, or for none. */
	static @Nullable Comparator<?> comparator(Object container) {
		if (container instanceof SortedSet<?> set) {
			return set.comparator();
		}
		if (container instanceof SortedMap<?, ?> map) {
			return map.comparator();
		}
		if (container instanceof PriorityQueue<?> queue) {
			return queue.comparator();
		}
		return (container instanceof PriorityBlockingQueue<?> queue) ? queue.comparator() : null;
	}

	/**
	 * Whether its order is the reverse of the natural one, which is the only other one.
	 */
	static boolean isReversed(Object container) {
		Comparator<?> comparator = comparator(container);
		if (comparator == null || comparator.equals(Comparator.naturalOrder())) {
			return false;
		}
		if (comparator.equals(Collections.reverseOrder())) {
			return true;
		}
		throw new PathException("sorted by %s (expected: the natural order or its reverse, which alone can be carried)"
			.formatted(comparator.getClass().getName()));
	}

	/**
	 * Refuse a set or map that finds its keys by anything but {@code equals}: what
	 * arrives in its place would find others. A class that is not known is asked for a
	 * copy of one of its texts, and for one in another case.
	 */
	static void requireEquals(Object container) {
		isReversed(container);
		Class<?> type = container.getClass();
		boolean isKnown = type.getModule() == Object.class.getModule() && !isView(type);
		String found = isKnown ? null : foundInAnotherCase(container);
		if (found != null || type.getName().startsWith(IdentityHashMap.class.getName())
				|| (!isKnown && isByIdentity(container))) {
			throw new PathException(
					"%s, which finds %s (expected: one that finds its keys by equals, as what arrives does)".formatted(
							type.getName(),
							(found != null) ? "'%s' without having it".formatted(found) : "keys by identity"));
		}
	}

	/** Whether it does not find a copy of its first text. */
	private static boolean isByIdentity(Object container) {
		Collection<?> keys = keys(container);
		Object first = keys.isEmpty() ? null : keys.iterator().next();
		return first instanceof String text && !has(container, new String(text)) && has(container, text);
	}

	private static Collection<?> keys(Object container) {
		return (container instanceof Map<?, ?> map) ? map.keySet() : (Collection<?>) container;
	}

	private static boolean has(Object container, Object key) {
		return (container instanceof Map<?, ?> map) ? map.containsKey(key) : ((Collection<?>) container).contains(key);
	}

	/** Whether its ways are those of a container that it hides. */
	static boolean isView(Class<?> type) {
		return type.getName().startsWith("java.util.Collections$")
				|| type.getName().startsWith("java.util.AbstractMap$");
	}

	private static @Nullable String foundInAnotherCase(Object container) {
		Collection<?> keys = keys(container);
		for (Object each : keys) {
			String lower = (each instanceof String text) ? text.toLowerCase(Locale.ROOT) : "";
			String other = lower.equals(each) ? lower.toUpperCase(Locale.ROOT) : lower;
			if (each instanceof String && !other.equals(each)) {
				return (has(container, other) && keys.stream().noneMatch(other::equals)) ? other : null;
			}
		}
		return null;
	}

	/** Whether the first type argument is an enum. */
	static boolean isOfEnum(ResolvedType type) {
		return !type.arguments().isEmpty() && type.arguments().get(0).raw().isEnum();
	}

	/** A type of the JDK that came after Java 17. */
	static @Nullable Class<?> find(String type) {
		try {
			return Class.forName(type);
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

}
