package io.rpcboot.internal.protocol.http2;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Decodes header blocks in place (RFC 7541). A field that a peer refers to by its index
 * is the object in the table, with its meaning; only new fields become objects. A field
 * over the limit of the list becomes an object only if it enters the table. A decoder
 * belongs to one direction of one connection, and reads each block of it, in order.
 */
final class HpackDecoder {

	private static final int INDEXED = 0x80;

	private static final int INCREMENTAL_INDEXING = 0x40;

	private static final int SIZE_UPDATE = 0x20;

	private static final int NEVER_INDEXED = 0x10;

	/** Bits behind the first byte of an integer that are read. */
	private static final int MAX_INTEGER_BITS = 28;

	/** Length from which on a value is not kept beyond its block. */
	private static final int LONG_VALUE = 64;

	private final HeaderResolver resolver;

	private final int maxListSize;

	/** Fields of the static table, resolved when a peer uses them. */
	private final @Nullable HeaderField[] statics = new HeaderField[HpackStaticTable.LENGTH + 1];

	private final HpackDynamicTable table = new HpackDynamicTable();

	/**
	 * Last short field of a known name that did not enter the table, such as a timeout:
	 * the next one is often the same.
	 */
	private @Nullable HeaderField repeated;

	/** Index of the next byte of the block, and index behind the last one. */
	private int at;

	private int end;

	/** Size of the fields of the block; above the limit, it does not grow. */
	private int listSize;

	/**
	 * Creates a decoder.
	 * @param resolver resolves fields
	 * @param maxListSize largest size of the fields of a block, 32 bytes for each
	 * included
	 */
	HpackDecoder(HeaderResolver resolver, int maxListSize) {
		this.resolver = resolver;
		this.maxListSize = maxListSize;
	}

	/**
	 * Decodes a block.
	 * @param in holds the block
	 * @param from index of its first byte
	 * @param to index behind its last byte
	 * @param fields receives the fields up to the limit of the list
	 * @return false if the list is too long
	 * @throws Http2Exception if the block is invalid; in scope of the connection, because
	 * the table is lost
	 */
	boolean decode(byte[] in, int from, int to, Consumer<HeaderField> fields) {
		this.at = from;
		this.end = to;
		this.listSize = 0;
		while (this.at < to && (in[this.at] & 0xe0) == SIZE_UPDATE) {
			updateSize(in);
		}
		while (this.at < to) {
			HeaderField field = field(in);
			if (field != null) {
				fields.accept(field);
			}
		}
		return this.listSize <= this.maxListSize;
	}

	private void updateSize(byte[] in) {
		int size = integer(in, 5);
		if (size > HpackDynamicTable.MAX_CAPACITY) {
			throw failure("size of the header table (expected: at most 4096, SETTINGS_HEADER_TABLE_SIZE)");
		}
		this.table.setCapacity(size);
	}

	/** Decodes the next field. Returns null if it is beyond the limit of the list. */
	private @Nullable HeaderField field(byte[] in) {
		int first = in[this.at];
		if ((first & INDEXED) != 0) {
			HeaderField field = indexed(integer(in, 7));
			return addToList(field.size()) ? field : null;
		}
		if ((first & INCREMENTAL_INDEXING) != 0) {
			return literal(in, 6, true, false);
		}
		if ((first & SIZE_UPDATE) != 0) {
			throw failure("size of the header table behind a field (expected: at the begin of a block)");
		}
		return literal(in, 4, false, (first & NEVER_INDEXED) != 0);
	}

	private HeaderField indexed(int index) {
		if (index > HpackStaticTable.LENGTH) {
			return this.table.get(index - HpackStaticTable.LENGTH - 1);
		}
		if (index == 0) {
			throw failure("header index: 0 (expected: from 1)");
		}
		HeaderField field = this.statics[index];
		if (field == null) {
			field = create(name(HpackStaticTable.name(index)), HpackStaticTable.value(index), false);
			this.statics[index] = field;
		}
		return field;
	}

	private HeaderName name(String text) {
		return new HeaderName(text, this.resolver.kindOf(text), HeaderRole.ofName(text));
	}

	private HeaderField create(HeaderName name, String value, boolean neverIndexed) {
		return new HeaderField(name, value, this.resolver.resolve(name.kind(), value), neverIndexed);
	}

	/** Counts a field. Returns false if the list is too long. */
	private boolean addToList(int size) {
		if (this.listSize <= this.maxListSize) {
			this.listSize += size;
		}
		return this.listSize <= this.maxListSize;
	}

	private @Nullable HeaderField literal(byte[] in, int prefix, boolean indexing, boolean neverIndexed) {
		int index = integer(in, prefix);
		HeaderName name = (index != 0) ? indexed(index).header() : null;
		int nameAt = this.at;
		int nameLength = (name != null) ? name.text().length() : skipString(in);
		int valueAt = this.at;
		int valueLength = skipString(in);
		int size = nameLength + valueLength + HeaderField.OVERHEAD;
		boolean listed = addToList(size);
		boolean entered = indexing && this.table.reserve(size);
		if (!listed && !entered) {
			return null;
		}
		int next = this.at;
		HeaderField field = this.repeated;
		if (field == null || entered || field.header() != name || field.isNeverIndexed() != neverIndexed
				|| !isText(in, valueAt, field.value())) {
			HeaderName known = (name != null) ? name : name(string(in, nameAt, nameLength));
			field = create(known, string(in, valueAt, valueLength), neverIndexed);
		}
		this.at = next;
		if (entered) {
			this.table.add(field);
		}
		else if (name != null && valueLength < LONG_VALUE) {
			this.repeated = field;
		}
		return listed ? field : null;
	}

	/** Returns true if a string is a text of less than 127 bytes without Huffman code. */
	private static boolean isText(byte[] in, int index, String text) {
		int length = text.length();
		if (in[index] != length) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			if ((in[index + 1 + i] & 0xff) != text.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/** Skips a string and returns its length when decoded. */
	private int skipString(byte[] in) {
		if (this.at == this.end) {
			throw failure("header block: ends before a string");
		}
		boolean huffman = in[this.at] < 0;
		int length = integer(in, 7);
		int start = this.at;
		if (length > this.end - start) {
			throw failure("header block: ends within a string");
		}
		this.at = start + length;
		return huffman ? HuffmanDecoder.decode(in, start, this.at, null) : length;
	}

	/**
	 * Decodes a string that was skipped.
	 * @param in holds the block
	 * @param index index of the string
	 * @param decodedLength its length when decoded
	 */
	private String string(byte[] in, int index, int decodedLength) {
		this.at = index;
		boolean huffman = in[index] < 0;
		int length = integer(in, 7);
		if (!huffman) {
			return new String(in, this.at, length, StandardCharsets.ISO_8859_1);
		}
		byte[] decoded = new byte[decodedLength];
		HuffmanDecoder.decode(in, this.at, this.at + length, decoded);
		return new String(decoded, StandardCharsets.ISO_8859_1);
	}

	/** Decodes an integer whose first byte has a prefix of some bits for it. */
	private int integer(byte[] in, int prefix) {
		int mask = (1 << prefix) - 1;
		int value = in[this.at++] & mask;
		if (value < mask) {
			return value;
		}
		for (int shift = 0; shift < MAX_INTEGER_BITS && this.at < this.end; shift += 7) {
			int next = in[this.at++];
			value += (next & 0x7f) << shift;
			if (next >= 0) {
				return value;
			}
		}
		throw failure("header block: ends within an integer, or an integer of more than 28 bits");
	}

	/**
	 * Returns an exception that ends the connection.
	 * @param message found and expected value
	 */
	static Http2Exception failure(String message) {
		return Http2Exception.connection(Http2Error.COMPRESSION_ERROR, message);
	}

}
