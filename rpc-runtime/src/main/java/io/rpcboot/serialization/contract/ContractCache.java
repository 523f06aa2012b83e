package io.rpcboot.serialization.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * What was computed from the contracts of other sides, by their hashes, so that a table
 * is exchanged and looked at once and not once for each connection. Bounded: the one that
 * was used least recently goes first. Thread-safe.
 *
 * @param <V> what is kept
 */
public final class ContractCache<V> {

	private final Map<ContractHash, V> values;

	/**
	 * Create a cache.
	 * @param capacity how many are kept at most, at least 1
	 */
	public ContractCache(int capacity) {
		if (capacity < 1) {
			throw new IllegalArgumentException("capacity: %d (expected: at least 1)".formatted(capacity));
		}
		this.values = new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<ContractHash, V> eldest) {
				return size() > capacity;
			}

		};
	}

	/**
	 * What is kept for a hash.
	 * @param hash the hash
	 * @return null if nothing is
	 */
	public synchronized @Nullable V get(ContractHash hash) {
		return this.values.get(hash);
	}

	/**
	 * Keep a value unless there is one.
	 * @param hash the hash
	 * @param value computes it
	 * @return the one that is kept
	 */
	public V getOrAdd(ContractHash hash, Supplier<V> value) {
		V known = get(hash);
		if (known != null) {
			return known;
		}
		V computed = value.get();
		synchronized (this) {
			V other = this.values.putIfAbsent(hash, computed);
			return (other != null) ? other : computed;
		}
	}

	/**
	 * The hashes that are known, the most recently used last.
	 * @return a copy
	 */
	public synchronized List<ContractHash> hashes() {
		return List.copyOf(this.values.keySet());
	}

}
