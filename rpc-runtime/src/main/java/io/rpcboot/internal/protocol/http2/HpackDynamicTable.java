package io.rpcboot.internal.protocol.http2;

import org.jspecify.annotations.Nullable;

/**
 * Dynamic table of an HPACK decoder (RFC 7541, section 2.3.2): the newest fields up to a
 * size in bytes. A field that does not fit evicts the oldest ones.
 */
final class HpackDynamicTable {

	/** Largest capacity, in bytes. */
	static final int MAX_CAPACITY = Http2Settings.DEFAULT_HEADER_TABLE_SIZE;

	/** Ring, long enough for fields without name and value. A power of two. */
	private final @Nullable HeaderField[] ring = new HeaderField[MAX_CAPACITY / HeaderField.OVERHEAD];

	/** Number of fields that were added; the place of the next one, modulo the ring. */
	private int added;

	private int count;

	/** Sum of the sizes of the fields, in bytes. */
	private int size;

	private int capacity = MAX_CAPACITY;

	/**
	 * Returns a field.
	 * @param index 0 for the newest field
	 */
	HeaderField get(int index) {
		HeaderField field = (index < this.count) ? this.ring[place(this.added - 1 - index)] : null;
		if (field == null) {
			throw HpackDecoder.failure("header index behind the last field (expected: that of a field in a table)");
		}
		return field;
	}

	private int place(int number) {
		return number & (this.ring.length - 1);
	}

	/** Changes the capacity, at most {@link #MAX_CAPACITY}. */
	void setCapacity(int bytes) {
		this.capacity = bytes;
		evict(bytes);
	}

	/**
	 * Evicts fields until one more has space.
	 * @param bytes its size
	 * @return false if it is larger than the table, which is empty then
	 */
	boolean reserve(int bytes) {
		evict(this.capacity - bytes);
		return bytes <= this.capacity;
	}

	private void evict(int remaining) {
		while (this.count > 0 && this.size > remaining) {
			int oldest = place(this.added - this.count);
			HeaderField field = this.ring[oldest];
			this.size -= (field != null) ? field.size() : 0;
			this.ring[oldest] = null;
			this.count--;
		}
	}

	/** Adds a field that was {@linkplain #reserve reserved}. */
	void add(HeaderField field) {
		this.ring[place(this.added++)] = field;
		this.count++;
		this.size += field.size();
	}

}
