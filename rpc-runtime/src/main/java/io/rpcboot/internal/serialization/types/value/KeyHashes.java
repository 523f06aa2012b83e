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
 * Gathers keys and refuses too many with equal hash codes, which a peer can choose. A
 * {@code HashMap} orders colliding keys if their class is directly {@link Comparable}.
 * Otherwise it compares each new key with all earlier ones, and a message of some
 * megabytes would keep a thread busy for hours.
 */
public final class KeyHashes extends AbstractMap<@Nullable Object, @Nullable Object> {

	/**
	 * Allowed pairs of equal hash codes for each key: harmless, and far above the chance
	 * collisions of hash codes such as those of records.
	 */
	private static final int PAIRS_PER_KEY = 64;

	/**
	 * Allowed pairs beyond {@link #PAIRS_PER_KEY} for a whole message. Example: 2,000
	 * entities with one constant hash code have
	 * {@code 2000 * 1999 / 2 - 64 * 2000 = 1,871,000}.
	 */
	private static final int MORE_PAIRS = 2_000_000;

	/**
	 * Allowed comparisons for a whole message, in bytes of keys: about a second. A
	 * container of chains compares a hash code with all others, one byte each.
	 */
	private static final long MAX_COMPARED = 1L << 30;

	private final List<@Nullable Object> keys = new ArrayList<>();

	private final List<@Nullable Object> values = new ArrayList<>();

	/** Gathers an entry, also if the key was gathered before. */
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

	/** Puts the gathered entries, which were checked, into a map. */
	public void putInto(Map<@Nullable Object, @Nullable Object> map) {
		for (int i = 0; i < this.keys.size(); i++) {
			map.put(this.keys.get(i), this.values.get(i));
		}
	}

	/** Returns true if the keys of a kind of collection or map have to be checked. */
	public static boolean areChecked(Class<?> container, Class<?> key) {
		boolean hashed = Set.class.isAssignableFrom(container) || Map.class.isAssignableFrom(container);
		if (!hashed || container == IdentityHashMap.class || SortedSet.class.isAssignableFrom(container)
				|| SortedMap.class.isAssignableFrom(container)) {
			return false;
		}
		return isOfChains(container) || container == CopyOnWriteArraySet.class || !key.isEnum() && !isOrdered(key);
	}

	/** Returns true if a class never orders the keys of one bucket. */
	private static boolean isOfChains(Class<?> map) {
		return map == Hashtable.class || map == WeakHashMap.class;
	}

	/**
	 * Returns true if a {@code HashMap} orders colliding keys of a class. It looks at the
	 * class of the key, never at an abstract one such as {@code ByteBuffer}.
	 */
	private static boolean isOrdered(Class<?> type) {
		return !Modifier.isAbstract(type.getModifiers()) && Arrays.stream(type.getGenericInterfaces())
			.anyMatch((each) -> each.getTypeName().equals("java.lang.Comparable<" + type.getName() + ">"));
	}

	/**
	 * Refuses keys of which too many have equal hash codes, and counts the comparisons of
	 * the others: {@code most * (size + count)}. No key is compared with more than
	 * {@code most} others, and a comparison takes time in proportion to the smaller key.
	 * The size of a key includes the comparisons that were counted for sets within it.
	 * Called before the keys are put into a container.
	 * @param budget read budget of the message
	 * @param size size of all keys, in bytes
	 * @param container class of the container for the keys
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

	/** Returns the gathered keys. */
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
