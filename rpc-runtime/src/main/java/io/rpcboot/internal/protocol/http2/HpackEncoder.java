package io.rpcboot.internal.protocol.http2;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Encodes header blocks (RFC 7541). It enters a field into the table of the peer's
 * decoder only while the table has space, and never evicts one. Therefore a block stays
 * the same bytes until another field enters the table: while {@link #generation()} is the
 * same, these bytes can be sent again. Strings are written as they are, without Huffman
 * code.
 * <p>
 * The table of the peer follows the blocks in the order in which they are sent. Each
 * encoded block must be sent, and before the next one.
 */
public final class HpackEncoder {

	private static final int MAX_CAPACITY = Http2Settings.DEFAULT_HEADER_TABLE_SIZE;

	/** Names of received fields that have few values. */
	private static final Set<String> COMMON = Set.of(":status", "content-type", "te", "accept-encoding",
			"grpc-accept-encoding", "grpc-encoding", "grpc-status");

	/** Ways to encode a field that is not yet in a table. */
	public enum Indexing {

		/** The field comes again: it enters the table of the peer while it fits. */
		FIELD(0x40, 6),

		/**
		 * The name comes again with other values: its first field enters the table while
		 * it fits, and later ones refer to its name. For names that are few and known.
		 */
		NAME(0, 4),

		/** Neither comes again. For names that a peer or an application invents. */
		NONE(0, 4),

		/** The value is sensitive: it enters no table here or behind a proxy. */
		NEVER(0x10, 4);

		private final int pattern;

		private final int prefix;

		Indexing(int pattern, int prefix) {
			this.pattern = pattern;
			this.prefix = prefix;
		}

	}

	/**
	 * Field in the table of the peer.
	 *
	 * @param value its value
	 * @param number 1 for the first field that entered
	 * @param older field of the same name that entered before
	 */
	private record Entry(String value, int number, @Nullable Entry older) {

	}

	/** Newest field of each name in the table of the peer. */
	private final Map<String, Entry> entries = new HashMap<>();

	/** Number of fields in the table of the peer. */
	private int count;

	/** Sum of their sizes, in bytes. */
	private int size;

	private int capacity = MAX_CAPACITY;

	/** True if the next block has to empty the table of the peer. */
	private boolean capacityChanged;

	private int generation;

	/**
	 * Returns the number of the state of the peer's table. An encoded block can be sent
	 * again if this number was the same before the block was begun, and still is.
	 */
	public int generation() {
		return this.generation;
	}

	/** Encodes a field that another connection has received. */
	public void encode(ByteBuf out, HeaderField field) {
		String name = field.name();
		boolean isSecret = field.isNeverIndexed() || name.equals("authorization") || name.equals("cookie");
		encode(out, name, field.value(),
				isSecret ? Indexing.NEVER : COMMON.contains(name) ? Indexing.FIELD : Indexing.NONE);
	}

	/** Adopts the size of the peer's table. A change empties the table. */
	void apply(Http2Settings settings) {
		setCapacity(settings.smallestTableSize(this.capacity));
		setCapacity(settings.get(Http2Settings.HEADER_TABLE_SIZE, this.capacity));
	}

	private void setCapacity(long allowed) {
		int changed = (int) Math.min(allowed, MAX_CAPACITY);
		if (changed != this.capacity) {
			this.capacity = changed;
			this.capacityChanged = true;
			this.entries.clear();
			this.count = 0;
			this.size = 0;
			this.generation++;
		}
	}

	/** Begins a block. */
	void beginBlock(ByteBuf out) {
		if (this.capacityChanged) {
			this.capacityChanged = false;
			this.generation++;
			integer(out, 0x20, 5, 0);
			if (this.capacity > 0) {
				integer(out, 0x20, 5, this.capacity);
			}
		}
	}

	/**
	 * Encodes a field.
	 * @param out target, which holds the begin of the block
	 * @param name its name, ASCII without capitals
	 * @param value its value, one byte for each char, without control characters; chars
	 * above 255 become question marks
	 * @param indexing way to encode it
	 */
	public void encode(ByteBuf out, String name, String value, Indexing indexing) {
		Entry newest = this.entries.get(name);
		if (indexing != Indexing.NEVER) {
			int index = indexOf(name, value, newest);
			if (index > 0) {
				integer(out, 0x80, 7, index);
				return;
			}
		}
		int nameIndex = HpackStaticTable.indexOf(name);
		if (nameIndex == 0 && newest != null) {
			nameIndex = indexOf(newest);
		}
		int fieldSize = name.length() + value.length() + HeaderField.OVERHEAD;
		boolean enters = (indexing == Indexing.FIELD || (indexing == Indexing.NAME && nameIndex == 0))
				&& this.size + fieldSize <= this.capacity;
		Indexing way = enters ? Indexing.FIELD : (indexing == Indexing.NEVER) ? Indexing.NEVER : Indexing.NONE;
		integer(out, way.pattern, way.prefix, nameIndex);
		if (nameIndex == 0) {
			string(out, name);
		}
		string(out, value);
		if (enters) {
			this.count++;
			this.entries.put(name, new Entry(value, this.count, newest));
			this.size += fieldSize;
			this.generation++;
		}
	}

	private int indexOf(String name, String value, @Nullable Entry newest) {
		int hash = value.hashCode();
		for (Entry entry = newest; entry != null; entry = entry.older) {
			if (entry.value.hashCode() == hash && entry.value.equals(value)) {
				return indexOf(entry);
			}
		}
		return HpackStaticTable.indexOf(name, value);
	}

	/** Returns the index of an entry: the newest one follows the static table. */
	private int indexOf(Entry entry) {
		return HpackStaticTable.LENGTH + 1 + this.count - entry.number;
	}

	private static void string(ByteBuf out, String text) {
		integer(out, 0, 7, text.length());
		ByteBufUtil.writeAscii(out, text);
	}

	/**
	 * Encodes an integer.
	 * @param out target
	 * @param pattern bits of the first byte before the integer
	 * @param prefix number of bits of the first byte for the integer
	 * @param value the integer
	 */
	private static void integer(ByteBuf out, int pattern, int prefix, int value) {
		int mask = (1 << prefix) - 1;
		if (value < mask) {
			out.writeByte(pattern | value);
			return;
		}
		out.writeByte(pattern | mask);
		int rest = value - mask;
		while (rest >= 0x80) {
			out.writeByte((rest & 0x7f) | 0x80);
			rest >>>= 7;
		}
		out.writeByte(rest);
	}

}
