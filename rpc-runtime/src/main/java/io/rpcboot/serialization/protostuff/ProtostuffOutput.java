package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.OutputBuffer;

/**
 * Writes protostuff's wire format straight into the array of an {@link OutputBuffer}.
 * Room is asked for generously first and to the byte only when that fails, so that a
 * message that fits the limit exactly is not refused. For one thread and one message.
 */
final class ProtostuffOutput {

	private static final int TAG_AND_VARINT = 15;

	private final OutputBuffer buffer;

	private byte[] array;

	private int position;

	private int depth;

	ProtostuffOutput(OutputBuffer buffer) {
		this.buffer = buffer;
		this.array = buffer.array();
		this.position = buffer.length();
	}

	void finish() {
		this.buffer.length(this.position);
	}

	void startGroup(int number) {
		if (++this.depth > ProtostuffInput.MAX_DEPTH) {
			throw new PathException("nested deeper than %d levels (expected: a tree, not a cycle)"
				.formatted(ProtostuffInput.MAX_DEPTH));
		}
		writeTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_START_GROUP));
	}

	void endGroup(int number) {
		this.depth--;
		writeTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_END_GROUP));
	}

	/** What a repeated field cannot say: see {@link CollectionType}. */
	void writeMarker(int number, int marker) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE), marker);
	}

	void writeInt32(int number, int value) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT);
		if (value >= 0) {
			writeVarint(tag, value);
		}
		else {
			writeVarint(tag, (long) value);
		}
	}

	void writeUInt32(int number, int value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	void writeSInt32(int number, int value) {
		writeUInt32(number, (value << 1) ^ (value >> 31));
	}

	void writeInt64(int number, long value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	void writeSInt64(int number, long value) {
		writeInt64(number, (value << 1) ^ (value >> 63));
	}

	void writeFixed32(int number, int value) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED32), Integer.BYTES);
		LittleEndian.putInt(this.array, at, value);
		this.position = at + Integer.BYTES;
	}

	void writeFixed64(int number, long value) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED64), Long.BYTES);
		LittleEndian.putLong(this.array, at, value);
		this.position = at + Long.BYTES;
	}

	void writeFloat(int number, float value) {
		writeFixed32(number, Float.floatToRawIntBits(value));
	}

	void writeDouble(int number, double value) {
		writeFixed64(number, Double.doubleToRawLongBits(value));
	}

	void writeBool(int number, boolean value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value ? 1 : 0);
	}

	void writeString(int number, String text) {
		int length = text.length();
		int prefix = sizeOfVarint(length);
		int start = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED), prefix + length);
		int first = Utf8.putAscii(text, this.array, start + prefix);
		if (first == length) {
			putVarint(this.array, start, length);
			this.position = start + prefix + length;
			return;
		}
		writeText(text, first, start, prefix);
	}

	/**
	 * Write the rest of a text whose first characters stand behind a prefix for ASCII.
	 */
	private void writeText(String text, int first, int start, int prefix) {
		long most = first + 3L * (text.length() - first);
		int guess = (most > Integer.MAX_VALUE - 5) ? 5 : sizeOfVarint((int) most);
		int bytes;
		if (guess == prefix && most <= this.array.length - start - prefix) {
			bytes = Utf8.put(text, first, this.array, start + prefix + first) - start - prefix;
		}
		else {
			bytes = Utf8.length(text, first);
			int at = start + sizeOfVarint(bytes);
			this.position = start;
			room(at - start + bytes);
			System.arraycopy(this.array, start + prefix, this.array, at, first);
			Utf8.put(text, first, this.array, at + first);
		}
		this.position = putVarint(this.array, start, bytes) + bytes;
	}

	void writeByteArray(int number, byte[] value) {
		writeByteRange(number, value, 0, value.length);
	}

	void writeByteRange(int number, byte[] value, int offset, int length) {
		int at = startBytes(number, length);
		System.arraycopy(value, offset, this.array, at, length);
		this.position = at + length;
	}

	/** Two 64-bit varints as one length-delimited value, for the pairs of java.time. */
	void writePair(int number, long first, long second) {
		int length = sizeOfVarint(first) + sizeOfVarint(second);
		int at = startBytes(number, length);
		at = putVarint(this.array, at, first);
		this.position = putVarint(this.array, at, second);
	}

	/** Two 64-bit words as one length-delimited value. */
	void writeFixedPair(int number, long first, long second) {
		int at = startBytes(number, 2 * Long.BYTES);
		LittleEndian.putLong(this.array, at, first);
		LittleEndian.putLong(this.array, at + Long.BYTES, second);
		this.position = at + 2 * Long.BYTES;
	}

	private int startBytes(int number, int length) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		if (this.array.length - this.position < TAG_AND_VARINT + length) {
			room(sizeOfVarint(tag) + sizeOfVarint(length) + length);
		}
		return putVarint(this.array, putVarint(this.array, this.position, tag), length);
	}

	private int tagAndRoom(int tag, int bytes) {
		if (this.array.length - this.position < TAG_AND_VARINT + bytes) {
			room(sizeOfVarint(tag) + bytes);
		}
		return putVarint(this.array, this.position, tag);
	}

	private void writeTag(int tag) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			room(sizeOfVarint(tag));
		}
		this.position = putVarint(this.array, this.position, tag);
	}

	private void writeVarint(int tag, int value) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			room(sizeOfVarint(tag) + sizeOfVarint(value));
		}
		this.position = putVarint(this.array, putVarint(this.array, this.position, tag), value);
	}

	private void writeVarint(int tag, long value) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			room(sizeOfVarint(tag) + sizeOfVarint(value));
		}
		this.position = putVarint(this.array, putVarint(this.array, this.position, tag), value);
	}

	private void room(int bytes) {
		if (bytes > this.array.length - this.position) {
			this.buffer.length(this.position);
			this.array = this.buffer.reserve(bytes);
		}
	}

	private static int sizeOfVarint(int value) {
		return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
	}

	private static int sizeOfVarint(long value) {
		return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
	}

	/** Put a varint, taken as unsigned, and return the index behind it. */
	private static int putVarint(byte[] array, int at, int value) {
		int index = at;
		int rest = value;
		while ((rest & ~0x7F) != 0) {
			array[index++] = (byte) (rest | 0x80);
			rest >>>= 7;
		}
		array[index] = (byte) rest;
		return index + 1;
	}

	/** Put a varint, taken as unsigned, and return the index behind it. */
	private static int putVarint(byte[] array, int at, long value) {
		int index = at;
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			array[index++] = (byte) (rest | 0x80);
			rest >>>= 7;
		}
		array[index] = (byte) rest;
		return index + 1;
	}

}
