package io.rpcboot.internal.serialization.types.value;

import java.lang.reflect.Modifier;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Keys whose hash codes were chosen to be equal. A HashMap orders such keys when their
 * class is directly {@link Comparable}; among others it looks at each one for each new
 * one, so a message of some megabytes would keep a thread busy for hours. Keys of such
 * classes are gathered first and refused if too many of them collide.
 */
public final class KeyHashes extends AbstractMap<@Nullable Object, @Nullable Object> {

	/**
	 * Pairs of equal hash codes for each key: far above what hash codes such as those of
	 * records have by chance, and harmless.
	 */
	private static final int PAIRS_PER_KEY = 64;

	/**
	 * As many pairs more for a whole message: 2,000 entities whose hash code is one
	 * constant have them.
	 */
	private static final int MORE_PAIRS = 2_000_000;

	/**
	 * In bytes of keys, for a whole message: a second or so. A look at a hash code, as a
	 * container of chains takes at those of all others, is one.
	 */
	private static final long MAX_COMPARED = 1L << 30;

	private final List<@Nullable Object> keys = new ArrayList<>();

	private final List<@Nullable Object> values = new ArrayList<>();

	/** Gather an entry, whether the key is there already or not. */
	@Override
	public @Nullable Object put(@Nullable Object key, @Nullable Object value) {
		this.keys.add(key);
		this.values.add(value);
		return null;
	}

	@Override
	public Set<Map.Entry<@Nullable Object, @Nullable Object>> entrySet() {
		throw new UnsupportedOperationException("entries are gathered, not looked up");
	}

	/** Put what was gathered and checked into a map. */
	public void putInto(Map<@Nullable Object, @Nullable Object> map) {
		for (int i = 0; i < this.keys.size(); i++) {
			map.put(this.keys.get(i), this.values.get(i));
		}
	}

	/** Whether keys in a kind of collection or map have to be checked. */
	public static boolean areChecked(Class<?> container, Class<?> key) {
		boolean hashed = Set.class.isAssignableFrom(container) || Map.class.isAssignableFrom(container);
		if (!hashed || container == IdentityHashMap.class || SortedSet.class.isAssignableFrom(container)
				|| SortedMap.class.isAssignableFrom(container)) {
			return false;
		}
		return isOfChains(container) || container == CopyOnWriteArraySet.class || !key.isEnum() && !isOrdered(key);
	}

	/** Whether keys of one bucket are never ordered. */
	private static boolean isOfChains(Class<?> map) {
		return map == Hashtable.class || map == WeakHashMap.class;
	}

	/**
	 * As HashMap decides, which looks at the class of the key: not at an abstract one,
	 * such as {@code ByteBuffer}.
	 */
	private static boolean isOrdered(Class<?> type) {
		return !Modifier.isAbstract(type.getModifiers()) && Arrays.stream(type.getGenericInterfaces())
			.anyMatch((each) -> each.getTypeName().equals("java.lang.Comparable<" + type.getName() + ">"));
	}

	/**
	 * Refuse keys of which too many have equal hash codes, before they are put anywhere,
	 * and count the comparisons of the others. One takes as long as the smaller key is
	 * large, and longer when a set in it has colliding elements of its own: what was
	 * counted for these counts as size. However the size is spread over the keys, none is
	 * compared with more others than {@code most}.
	 * @param budget of the message
	 * @param size of all the keys
	 * @param container what they are put into
	 */
	public static void compare(ReadBudget budget, long size, Collection<@Nullable Object> keys, Class<?> container) {
		if (keys.size() < 2) {
			return;
		}
		int[] hashes = hashes(keys);
		long pairs = 0;
		long most = (container == CopyOnWriteArraySet.class) ? hashes.length - 1 : 0;
		long equal = 0;
		for (int i = 1; i < hashes.length; i++) {
			equal = (hashes[i] == hashes[i - 1]) ? equal + 1 : 0;
			most = Math.max(most, equal);
			pairs += equal;
		}
		long count = hashes.length;
		long cost = most * (size + count) + (isOfChains(container) ? count * (count - 1) : 0);
		if (budget.compared + cost > MAX_COMPARED) {
			throw new PathException(
					"%d keys with %d pairs of equal hash codes in a %s, which take too long to compare (expected: few)"
						.formatted(count, pairs, container.getName()));
		}
		long more = Math.max(0, pairs - PAIRS_PER_KEY * count);
		budget.morePairs = (budget.compared == 0) ? more : budget.morePairs + more;
		budget.compared += cost;
		if (budget.morePairs > MORE_PAIRS) {
			throw new PathException(
					"%d keys with %d pairs of equal hash codes (expected: at most %d for each key, and %d more in a message)"
						.formatted(count, pairs, PAIRS_PER_KEY, MORE_PAIRS));
		}
	}

	/** What was gathered. */
	public Collection<@Nullable Object> keys() {
		return this.keys;
	}

	private static int[] hashes(Collection<@Nullable Object> keys) {
		int[] hashes = new int[keys.size()];
		int count = 0;
		for (Object each : keys) {
			hashes[count++] = Objects.hashCode(each);
		}
		Arrays.sort(hashes);
		return hashes;
	}

}
