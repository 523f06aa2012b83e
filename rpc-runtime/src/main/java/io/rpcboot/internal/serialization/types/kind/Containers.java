package io.rpcboot.internal.serialization.types.kind;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.PriorityBlockingQueue;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Checks of values, shared by the kinds of collections and maps.
 */
public final class Containers {

	/** Letter of a text that equals none with letters. */
	private static final String UNRELATED = "\uFFFF";

	/** Comparators of libraries that compare by the natural order. */
	private static final Set<String> NATURAL = Set.of("com.google.common.collect.NaturalOrdering",
			"kotlin.comparisons.NaturalOrderComparator",
			"org.apache.commons.collections4.comparators.ComparableComparator",
			"org.springframework.util.comparator.ComparableComparator");

	/** Comparators of libraries that compare by the reverse of the natural order. */
	private static final Set<String> REVERSED = Set.of("com.google.common.collect.ReverseNaturalOrdering",
			"kotlin.comparisons.ReverseOrderComparator");

	private Containers() {
	}

	/**
	 * Returns the comparator of a sorted container; null for the natural order or none.
	 */
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
	 * Returns true if the order is the reverse of the natural one. Refuses all orders
	 * except these two.
	 */
	static boolean isReversed(Object container) {
		Comparator<?> comparator = comparator(container);
		if (isNatural(comparator)) {
			return false;
		}
		if (isReversed(comparator)) {
			return true;
		}
		throw new PathException(
				"sorted by %s (expected: the natural order or its reverse, because a comparator is code); declare %s, which keeps the order of the entries"
					.formatted(Objects.requireNonNull(comparator).getClass().getName(), unsorted(container)));
	}

	/**
	 * Returns true if a container is sorted, and neither by the natural order nor by its
	 * reverse.
	 */
	public static boolean hasOwnOrder(Object container) {
		Comparator<?> comparator = comparator(container);
		return !isNatural(comparator) && !isReversed(comparator);
	}

	private static boolean isNatural(@Nullable Comparator<?> comparator) {
		return comparator == null || comparator.equals(Comparator.naturalOrder())
				|| NATURAL.contains(comparator.getClass().getName());
	}

	private static boolean isReversed(@Nullable Comparator<?> comparator) {
		return comparator != null && (comparator.equals(Collections.reverseOrder())
				|| REVERSED.contains(comparator.getClass().getName()));
	}

	private static String unsorted(Object container) {
		Class<?> type = (container instanceof Map) ? Map.class : (container instanceof Set) ? Set.class : Queue.class;
		return type.getName();
	}

	/**
	 * Refuses a set or map that does not find its keys by {@code equals}, because the
	 * container that arrives would find others. An unknown class is probed with a copy of
	 * one of its texts, and with a text in another case.
	 */
	static void requireEquals(Object container) {
		Class<?> type = container.getClass();
		boolean isKnown = isKnown(type) && !hasOwnOrder(container);
		String found = isKnown ? null : foundInAnotherCase(container);
		if (found != null || type.getName().startsWith(IdentityHashMap.class.getName())
				|| (!isKnown && isByIdentity(container))) {
			throw refusal(container, (found != null) ? "'%s' without having it".formatted(found) : "keys by identity");
		}
	}

	static boolean isKnown(Class<?> type) {
		return type.getModule() == Object.class.getModule() && !isView(type);
	}

	private static PathException refusal(Object container, String found) {
		return new PathException(
				"%s, which finds %s (expected: one that finds its keys by equals, as what arrives does); send a copy of it in a %s"
					.formatted(container.getClass().getName(), found,
							((container instanceof Map) ? LinkedHashMap.class : LinkedHashSet.class).getSimpleName()));
	}

	/**
	 * Refuses decimals that a container finds regardless of their scale, if the one that
	 * arrives is not sorted. {@code BigDecimal} is the only class of the JDK whose
	 * natural order differs from {@code equals}.
	 */
	static void requireScales(Object container) {
		boolean isHashed = isKnown(container.getClass()) && !(container instanceof SortedSet)
				&& !(container instanceof SortedMap);
		BigDecimal found = isHashed ? null : foundInAnotherScale(container);
		if (found != null) {
			throw refusal(container, "%s without having it".formatted(found));
		}
	}

	/** Returns the refusal of keys that are found in any case, for a reader. */
	static PathException otherLookUps(Class<?> type) {
		return new PathException(
				"keys that are found in any case, for a %s (expected: the Map, Set, SortedMap or SortedSet that the other side declares)"
					.formatted(type.getName()));
	}

	/** Returns true if the container does not find a copy of its first text. */
	private static boolean isByIdentity(Object container) {
		Collection<?> keys = keys(container);
		Object first = keys.isEmpty() ? null : keys.iterator().next();
		return first instanceof String text && !has(container, new String(text)) && has(container, text);
	}

	static Collection<?> keys(Object container) {
		return (container instanceof Map<?, ?> map) ? map.keySet() : (Collection<?>) container;
	}

	/** Returns true if a container finds a key. A comparator may refuse it. */
	static boolean has(Object container, Object key) {
		try {
			return (container instanceof Map<?, ?> map) ? map.containsKey(key)
					: ((Collection<?>) container).contains(key);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Returns true if the class wraps another container, which decides how keys are
	 * found.
	 */
	public static boolean isView(Class<?> type) {
		return type.getName().startsWith("java.util.Collections$")
				|| type.getName().startsWith("java.util.AbstractMap$");
	}

	/**
	 * Returns a text in another case that the container finds. An order such as the one
	 * by length finds every text of a length, and is no comparison of letters.
	 */
	static @Nullable String foundInAnotherCase(Object container) {
		Collection<?> keys = keys(container);
		for (Object each : keys) {
			String lower = (each instanceof String text) ? text.toLowerCase(Locale.ROOT) : "";
			String other = lower.equals(each) ? lower.toUpperCase(Locale.ROOT) : lower;
			if (each instanceof String && !other.equals(each)) {
				return (has(container, other) && keys.stream().noneMatch(other::equals)
						&& !has(container, UNRELATED.repeat(other.length()))) ? other : null;
			}
		}
		return null;
	}

	private static @Nullable BigDecimal foundInAnotherScale(Object container) {
		Collection<?> keys = keys(container);
		if (keys.isEmpty() || !(keys.iterator().next() instanceof BigDecimal number)
				|| number.scale() == Integer.MAX_VALUE) {
			return null;
		}
		BigDecimal other = new BigDecimal(number.unscaledValue().multiply(BigInteger.TEN), number.scale() + 1);
		return (has(container, other) && keys.stream().noneMatch(other::equals)) ? other : null;
	}

	/** Returns true if the first type argument is an enum. */
	static boolean isOfEnum(ResolvedType type) {
		return !type.arguments().isEmpty() && type.arguments().get(0).raw().isEnum();
	}

	/** Finds a class of the JDK that may be absent, such as one newer than Java 17. */
	public static @Nullable Class<?> find(String type) {
		try {
			return Class.forName(type);
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

}
