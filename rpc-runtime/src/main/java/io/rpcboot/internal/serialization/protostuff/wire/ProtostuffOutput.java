package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.composite.CollectionType;
import io.rpcboot.serialization.OutputBuffer;

/**
 * Writes numbers of all kinds.
 */
public final class ProtostuffOutput extends WireOutput {

	public ProtostuffOutput(OutputBuffer buffer) {
		super(buffer);
	}

	/** What a repeated field cannot say: see {@link CollectionType}. */
	public void writeMarker(int number, int marker) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE), marker);
	}

	public void writeInt32(int number, int value) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT);
		if (value >= 0) {
			writeVarint(tag, value);
		}
		else {
			writeVarint(tag, (long) value);
		}
	}

	public void writeUInt32(int number, int value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	public void writeSInt32(int number, int value) {
		writeUInt32(number, (value << 1) ^ (value >> 31));
	}

	public void writeInt64(int number, long value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	public void writeSInt64(int number, long value) {
		writeInt64(number, (value << 1) ^ (value >> 63));
	}

	void writeFixed32(int number, int value) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED32), Integer.BYTES);
		LittleEndian.putInt(this.array, at, value);
		this.position = at + Integer.BYTES;
	}

	public void writeFixed64(int number, long value) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED64), Long.BYTES);
		LittleEndian.putLong(this.array, at, value);
		this.position = at + Long.BYTES;
	}

	public void writeFloat(int number, float value) {
		writeFixed32(number, Float.floatToRawIntBits(value));
	}

	public void writeDouble(int number, double value) {
		writeFixed64(number, Double.doubleToRawLongBits(value));
	}

	public void writeBool(int number, boolean value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value ? 1 : 0);
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

	static int sizeOfVarint(long value) {
		return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
	}

	/** Put a varint, taken as unsigned, and return the index behind it. */
	public static int putVarint(byte[] array, int at, long value) {
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
