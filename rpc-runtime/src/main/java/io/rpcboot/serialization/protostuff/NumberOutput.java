package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

/**
 * Writes numbers of all kinds.
 */
final class NumberOutput {

	private NumberOutput() {
	}

	/** What a repeated field cannot say: see {@link CollectionType}. */
	static void writeMarker(ProtostuffOutput out, int number, int marker) {
		writeVarint(out, WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE), marker);
	}

	static void writeInt32(ProtostuffOutput out, int number, int value) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT);
		if (value >= 0) {
			writeVarint(out, tag, value);
		}
		else {
			writeVarint(out, tag, (long) value);
		}
	}

	static void writeUInt32(ProtostuffOutput out, int number, int value) {
		writeVarint(out, WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	static void writeSInt32(ProtostuffOutput out, int number, int value) {
		writeUInt32(out, number, (value << 1) ^ (value >> 31));
	}

	static void writeInt64(ProtostuffOutput out, int number, long value) {
		writeVarint(out, WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	static void writeSInt64(ProtostuffOutput out, int number, long value) {
		writeInt64(out, number, (value << 1) ^ (value >> 63));
	}

	static void writeFixed32(ProtostuffOutput out, int number, int value) {
		int at = out.tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED32), Integer.BYTES);
		LittleEndian.putInt(out.array, at, value);
		out.position = at + Integer.BYTES;
	}

	static void writeFixed64(ProtostuffOutput out, int number, long value) {
		int at = out.tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED64), Long.BYTES);
		LittleEndian.putLong(out.array, at, value);
		out.position = at + Long.BYTES;
	}

	static void writeFloat(ProtostuffOutput out, int number, float value) {
		writeFixed32(out, number, Float.floatToRawIntBits(value));
	}

	static void writeDouble(ProtostuffOutput out, int number, double value) {
		writeFixed64(out, number, Double.doubleToRawLongBits(value));
	}

	static void writeBool(ProtostuffOutput out, int number, boolean value) {
		writeVarint(out, WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value ? 1 : 0);
	}

	private static void writeVarint(ProtostuffOutput out, int tag, int value) {
		if (out.array.length - out.position < ProtostuffOutput.TAG_AND_VARINT) {
			out.room(ProtostuffOutput.sizeOfVarint(tag) + ProtostuffOutput.sizeOfVarint(value));
		}
		out.position = ProtostuffOutput.putVarint(out.array, ProtostuffOutput.putVarint(out.array, out.position, tag),
				value);
	}

	private static void writeVarint(ProtostuffOutput out, int tag, long value) {
		if (out.array.length - out.position < ProtostuffOutput.TAG_AND_VARINT) {
			out.room(ProtostuffOutput.sizeOfVarint(tag) + sizeOfVarint(value));
		}
		out.position = putVarint(out.array, ProtostuffOutput.putVarint(out.array, out.position, tag), value);
	}

	static int sizeOfVarint(long value) {
		return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
	}

	/** Put a varint, taken as unsigned, and return the index behind it. */
	static int putVarint(byte[] array, int at, long value) {
		if (value >>> 7 == 0) {
			array[at] = (byte) value;
			return at + 1;
		}
		if (value >>> 56 == 0 && at <= array.length - Long.BYTES) {
			return putWord(array, at, value);
		}
		int index = at;
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			array[index++] = (byte) (rest | 0x80);
			rest >>>= 7;
		}
		array[index] = (byte) rest;
		return index + 1;
	}

	/**
	 * Put at most eight bytes as one word, whose bits are moved apart in three steps
	 * instead of byte by byte.
	 */
	private static int putWord(byte[] array, int at, long value) {
		long word = (value & 0x00FFFFFFF0000000L) << 4 | value & 0x0FFFFFFFL;
		word = (word & 0x0FFFC0000FFFC000L) << 2 | word & 0x00003FFF00003FFFL;
		word = (word & 0x3F803F803F803F80L) << 1 | word & 0x007F007F007F007FL;
		int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(word) >>> 3;
		LittleEndian.putLong(array, at, word | 0x8080808080808080L & (1L << (last << 3)) - 1);
		return at + last + 1;
	}

}
