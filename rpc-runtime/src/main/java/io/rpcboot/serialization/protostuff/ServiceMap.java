package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A declared kind of map of a closed world. Immutable and thread-safe.
 */
public final class ServiceMap {

	private static final int ENTRIES = 48;

	private final MapKind kind;

	/** Whether keys whose hash codes were chosen to be equal could come. */
	private final boolean isChecked;

	private final Sizes sizes;

	ServiceMap(MapKind kind, boolean isChecked, Sizes sizes) {
		this.kind = kind;
		this.isChecked = isChecked;
		this.sizes = sizes;
	}

	/**
	 * The declared class.
	 * @return a class or interface
	 */
	public Class<?> javaType() {
		return this.kind.type();
	}

	/**
	 * Whether a value is kept in the reverse of the natural order.
	 * @param value an instance
	 * @return true if so, false for one without an order of its own
	 * @throws SerializationException if the order is any other
	 */
	public boolean isReversed(Object value) {
		try {
			return this.kind.isReversed(value);
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
	}

	/**
	 * Begin a map.
	 * @param budget of the message
	 * @param reversed whether its order is the reverse of the natural one
	 * @return what takes the entries
	 * @throws SerializationException if the budget is used up
	 */
	public Entries begin(ReadBudget budget, boolean reversed) {
		long start = budget.size();
		budget.charge(ENTRIES + this.sizes.empty());
		return new Entries(budget, start, reversed ? this.kind.createReversed() : this.kind.factory().get());
	}

	/**
	 * The entries of a map that arrives. For one thread.
	 */
	public final class Entries {

		private final Map<@Nullable Object, @Nullable Object> map;

		private final @Nullable KeyHashes gathered = ServiceMap.this.isChecked ? new KeyHashes() : null;

		private int count;

		private final ReadBudget budget;

		private final long start;

		private Entries(ReadBudget budget, long start, Map<@Nullable Object, @Nullable Object> map) {
			this.budget = budget;
			this.start = start;
			this.map = map;
		}

		/**
		 * Add an entry.
		 * @param key the key
		 * @param value the value
		 * @throws SerializationException if the map cannot hold it or the budget is used
		 * up
		 */
		public void put(@Nullable Object key, @Nullable Object value) {
			Sizes sizes = ServiceMap.this.sizes;
			this.budget.charge(sizes.element() + ((this.count == 0) ? sizes.first() - sizes.empty() : 0));
			try {
				if (key == null || value == null) {
					ServiceMap.this.kind.requireHolds(key, value);
				}
			}
			catch (PathException ex) {
				throw ValueForm.failure(ex);
			}
			this.count++;
			if (this.gathered != null) {
				this.gathered.add(key, value);
			}
			else {
				this.map.put(key, value);
			}
		}

		/**
		 * Finish the map.
		 * @return what arrives
		 * @throws SerializationException if a key was added twice, or too many have equal
		 * hash codes
		 */
		public Object finish() {
			try {
				if (this.gathered != null) {
					this.budget.compare(this.start, this.gathered.keys());
					this.gathered.putAll(this.map);
				}
			}
			catch (PathException ex) {
				throw ValueForm.failure(ex);
			}
			if (this.count != this.map.size() && ServiceMap.this.kind.keepsEntries()) {
				throw new SerializationException(
						"%d entries of which some have the same key (expected: %d different keys)".formatted(this.count,
								this.count));
			}
			return this.map;
		}

	}

}
