package io.rpcboot.serialization.protostuff;

import java.util.Arrays;

import io.protostuff.WireFormat;

/**
 * Reads protostuff's wire format from a range of an array and never beyond it: each
 * length is compared with what remains before anything is allocated, groups nest at most
 * {@value #MAX_DEPTH} deep, and a group ends within the range. For one thread and one
 * message.
 */
final class ProtostuffInput {

	static final int MAX_DEPTH = 64;

	private static final char[] NO_CHARS = {};

	private final byte[] array;

	private final int limit;

	private int position;

	private int depth;

	private int lastTag;

	private char[] chars = NO_CHARS;

	ProtostuffInput(byte[] array, int offset, int length) {
		if (offset < 0 || length < 0 || length > array.length - offset) {
			throw new IllegalArgumentException("range: offset %d, length %d (expected: within an array of %d bytes)"
				.formatted(offset, length, array.length));
		}
		this.array = array;
		this.position = offset;
		this.limit = offset + length;
	}

	/** The next tag, or 0 at the end of the message. */
	int readTag() {
		if (this.position == this.limit && this.depth == 0) {
			this.lastTag = 0;
			return 0;
		}
		int tag = readVarint32();
		if (tag >>> 3 == 0) {
			throw new PathException("field number 0 (expected: 1 or more)");
		}
		this.lastTag = tag;
		return tag;
	}

	/** The tag that was read last. */
	int lastTag() {
		return this.lastTag;
	}

	/** Read the next tag if it is the given one. */
	boolean tryTag(int tag) {
		if (tag > 0 && tag < 0x80) {
			if (this.position == this.limit || this.array[this.position] != tag) {
				return false;
			}
			this.position++;
			this.lastTag = tag;
			return true;
		}
		return tryLongTag(tag);
	}

	private boolean tryLongTag(int tag) {
		int mark = this.position;
		if (mark == this.limit || this.array[mark] >= 0 || readTag() != tag) {
			this.position = mark;
			return false;
		}
		return true;
	}

	int takeInt32(int tag) {
		return tryTag(tag) ? readInt32() : 0;
	}

	long takeInt64(int tag) {
		return tryTag(tag) ? readInt64() : 0;
	}

	boolean takeBool(int tag) {
		return tryTag(tag) && readBool();
	}

	float takeFloat(int tag) {
		return tryTag(tag) ? readFloat() : 0;
	}

	double takeDouble(int tag) {
		return tryTag(tag) ? readDouble() : 0;
	}

	int takeByte(int tag) {
		return tryTag(tag) ? Narrow.BYTE.require(readUInt32()) : 0;
	}

	int takeShort(int tag) {
		return tryTag(tag) ? Narrow.SHORT.require(readUInt32()) : 0;
	}

	int takeChar(int tag) {
		return tryTag(tag) ? Narrow.CHAR.require(readUInt32()) : 0;
	}

	/** Refuse what is left over behind a message. */
	void requireEnd() {
		if (this.position != this.limit) {
			throw new PathException("%d bytes are left over behind the value".formatted(this.limit - this.position));
		}
	}

	/** Enter the group whose tag was read last and return the tag that ends it. */
	int enter() {
		if (++this.depth > MAX_DEPTH) {
			throw new PathException("nested deeper than %d levels".formatted(MAX_DEPTH));
		}
		return WireFormat.makeTag(this.lastTag >>> 3, WireFormat.WIRETYPE_END_GROUP);
	}

	/** Leave the group whose end was read. */
	void leave() {
		this.depth--;
	}

	/** Read the end of the group and leave it. */
	void leave(int end) {
		if (readTag() != end) {
			throw new PathException("tag %d (expected: the end of the group)".formatted(this.lastTag));
		}
		leave();
	}

	/** Read the tag of a field that must be there. */
	void requireTag(int number, WireFormat.FieldType type) {
		if (readTag() != WireFormat.makeTag(number, type.wireType)) {
			throw new PathException("tag %d (expected: field %d)".formatted(this.lastTag, number));
		}
	}

	int readInt32() {
		long value = readInt64();
		if (value != (int) value) {
			throw new PathException("number %d (expected: 32 bits)".formatted(value));
		}
		return (int) value;
	}

	int readUInt32() {
		return readVarint32();
	}

	int readSInt32() {
		int value = readVarint32();
		return (value >>> 1) ^ -(value & 1);
	}

	int readFixed32() {
		int at = take(Integer.BYTES);
		return LittleEndian.getInt(this.array, at);
	}

	long readInt64() {
		if (this.position < this.limit) {
			byte first = this.array[this.position];
			if (first >= 0) {
				this.position++;
				return first;
			}
		}
		return readLongVarint();
	}

	private long readLongVarint() {
		int at = this.position;
		long value = 0;
		for (int shift = 0; shift < Long.SIZE && at < this.limit; shift += 7) {
			byte b = this.array[at++];
			value |= (b & 0x7FL) << shift;
			if (b >= 0 && (shift < 63 || b <= 1)) {
				this.position = at;
				return value;
			}
		}
		if (at == this.limit) {
			throw new PathException("the bytes end too early");
		}
		throw new PathException("number of more than 64 bits");
	}

	long readSInt64() {
		long value = readInt64();
		return (value >>> 1) ^ -(value & 1);
	}

	long readFixed64() {
		int at = take(Long.BYTES);
		return LittleEndian.getLong(this.array, at);
	}

	float readFloat() {
		return Float.intBitsToFloat(readFixed32());
	}

	double readDouble() {
		return Double.longBitsToDouble(readFixed64());
	}

	boolean readBool() {
		long value = readInt64();
		if (value >>> 1 != 0) {
			throw new PathException("boolean %d (expected: 0 or 1)".formatted(value));
		}
		return value == 1;
	}

	String readString() {
		int length = readLength();
		int at = take(length);
		if (Utf8.isAscii(this.array, at, length)) {
			return Utf8.ascii(this.array, at, length);
		}
		if (this.chars.length < length) {
			this.chars = new char[length];
		}
		return new String(this.chars, 0, Utf8.decode(this.array, at, length, this.chars));
	}

	byte[] readByteArray() {
		int length = readLength();
		int at = take(length);
		return Arrays.copyOfRange(this.array, at, at + length);
	}

	/** A length, of which as many bytes remain. */
	int readLength() {
		int length = readVarint32();
		if (length < 0 || length > this.limit - this.position) {
			throw new PathException("length %s (expected: at most the %d bytes that remain)"
				.formatted(Integer.toUnsignedString(length), this.limit - this.position));
		}
		return length;
	}

	/** Read a length; the index behind as many bytes, for {@link #requireAt}. */
	int readEnd() {
		int length = readLength();
		return this.position + length;
	}

	/** Refuse a value that did not fill the length it announced. */
	void requireAt(int end) {
		if (this.position != end) {
			throw new PathException("length does not fit the value");
		}
	}

	private int readVarint32() {
		if (this.position < this.limit) {
			byte first = this.array[this.position];
			if (first >= 0) {
				this.position++;
				return first;
			}
		}
		long value = readLongVarint();
		if (value >>> Integer.SIZE != 0) {
			throw new PathException("number %s (expected: 32 bits)".formatted(Long.toUnsignedString(value)));
		}
		return (int) value;
	}

	private int take(int bytes) {
		int at = this.position;
		if (bytes > this.limit - at) {
			throw new PathException("the bytes end too early");
		}
		this.position = at + bytes;
		return at;
	}

}
