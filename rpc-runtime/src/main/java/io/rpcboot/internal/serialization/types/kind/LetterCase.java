package io.rpcboot.internal.serialization.types.kind;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Recognises sets and maps that find their keys in any case. A sorted one tells it by its
 * comparator. A class of a library or a view is asked for each of its keys in lower and
 * upper case, and with the letters that only {@link String#CASE_INSENSITIVE_ORDER} takes
 * for the same, such as the dotless i.
 */
public final class LetterCase {

	/** Classes of most maps and sets, which find keys by {@code equals}. */
	private static final Set<Class<?>> USUAL = Set.of(LinkedHashMap.class, HashMap.class, HashSet.class);

	private LetterCase() {
	}

	/**
	 * Returns the order of a set or map that finds its keys in any case.
	 * @return null for any other, and for one that nothing can arrive as
	 */
	public static @Nullable Order of(Object container) {
		if (USUAL.contains(container.getClass())) {
			return null;
		}
		Comparator<?> comparator = Containers.comparator(container);
		if (comparator != null) {
			return String.CASE_INSENSITIVE_ORDER.equals(comparator) ? Order.IGNORING_CASE : null;
		}
		if (container instanceof CaseInsensitiveMap) {
			return Order.LOWER_CASE;
		}
		return (Containers.isKnown(container.getClass()) || Containers.foundInAnotherCase(container) == null) ? null
				: probed(container);
	}

	private static @Nullable Order probed(Object container) {
		Set<String> lower = new HashSet<>();
		String last = null;
		boolean isSorted = true;
		boolean isFolded = false;
		boolean isOnlyLower = false;
		Collection<?> keys = Containers.keys(container);
		for (Object each : keys) {
			if (!(each instanceof String key) || !isFound(container, key) || !lower.add(lowerCase(key))) {
				return null;
			}
			isSorted &= last == null || String.CASE_INSENSITIVE_ORDER.compare(last, key) < 0;
			last = key;
			String folded = Folds.replaced(key);
			if (!folded.equals(key)) {
				boolean found = Containers.has(container, folded);
				isFolded |= found;
				isOnlyLower |= !found;
			}
		}
		if (!isFolded) {
			return Order.LOWER_CASE;
		}
		return (isSorted && !isOnlyLower) ? Order.IGNORING_CASE : null;
	}

	/** Returns true if a key is found in lower case, and in upper case if it is one. */
	private static boolean isFound(Object container, String key) {
		String lower = lowerCase(key);
		String upper = key.toUpperCase(Locale.ROOT);
		return Containers.has(container, lower)
				&& (!lowerCase(upper).equals(lower) || Containers.has(container, upper));
	}

	private static String lowerCase(String key) {
		return key.toLowerCase(Locale.ROOT);
	}

	/**
	 * Letters with equal ones of another lower case. Loaded with the first probed
	 * container.
	 */
	private static final class Folds {

		private static final Map<Character, Character> ALL = all();

		private static Map<Character, Character> all() {
			Map<Character, Character> all = new HashMap<>();
			for (int i = 0; i <= Character.MAX_VALUE; i++) {
				char other = (char) i;
				char folded = folded(other);
				if (folded != Character.toLowerCase(other)) {
					all.put(folded, other);
				}
			}
			return Map.copyOf(all);
		}

		/** Returns the letter that {@code CASE_INSENSITIVE_ORDER} compares. */
		private static char folded(char letter) {
			return Character.toLowerCase(Character.toUpperCase(letter));
		}

		/** Replaces letters by equal ones of another lower case. */
		static String replaced(String key) {
			StringBuilder replaced = new StringBuilder(key);
			for (int i = 0; i < key.length(); i++) {
				replaced.setCharAt(i, ALL.getOrDefault(folded(key.charAt(i)), key.charAt(i)));
			}
			return replaced.toString();
		}

	}

}
