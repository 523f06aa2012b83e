package io.rpcboot.serialization.protostuff;

import java.io.IOException;

import io.protostuff.ByteString;
import io.protostuff.Output;
import io.protostuff.Schema;
import io.protostuff.WireFormat;

import io.rpcboot.serialization.OutputBuffer;

/**
 * Writes numbers of all kinds, and what the delegates and schemas of users write. A field
 * that is repeated is written as any other.
 */
final class ProtostuffOutput extends WireOutput implements Output {

	ProtostuffOutput(OutputBuffer buffer) {
		super(buffer);
	}

	/** What a repeated field cannot say: see {@link CollectionType}. */
	void writeMarker(int number, int marker) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE), marker);
	}

	@Override
	public void writeInt32(int number, int value, boolean repeated) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT);
		if (value >= 0) {
			writeVarint(tag, value);
		}
		else {
			writeVarint(tag, (long) value);
		}
	}

	@Override
	public void writeUInt32(int number, int value, boolean repeated) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	@Override
	public void writeSInt32(int number, int value, boolean repeated) {
		writeUInt32(number, (value << 1) ^ (value >> 31), repeated);
	}

	@Override
	public void writeInt64(int number, long value, boolean repeated) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value);
	}

	@Override
	public void writeSInt64(int number, long value, boolean repeated) {
		writeInt64(number, (value << 1) ^ (value >> 63), repeated);
	}

	@Override
	public void writeFixed32(int number, int value, boolean repeated) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED32), Integer.BYTES);
		LittleEndian.putInt(this.array, at, value);
		this.position = at + Integer.BYTES;
	}

	@Override
	public void writeFixed64(int number, long value, boolean repeated) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED64), Long.BYTES);
		LittleEndian.putLong(this.array, at, value);
		this.position = at + Long.BYTES;
	}

	@Override
	public void writeFloat(int number, float value, boolean repeated) {
		writeFixed32(number, Float.floatToRawIntBits(value), repeated);
	}

	@Override
	public void writeDouble(int number, double value, boolean repeated) {
		writeFixed64(number, Double.doubleToRawLongBits(value), repeated);
	}

	@Override
	public void writeBool(int number, boolean value, boolean repeated) {
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

	@Override
	public void writeUInt64(int number, long value, boolean repeated) {
		writeInt64(number, value, repeated);
	}

	@Override
	public void writeSFixed32(int number, int value, boolean repeated) {
		writeFixed32(number, value, repeated);
	}

	@Override
	public void writeSFixed64(int number, long value, boolean repeated) {
		writeFixed64(number, value, repeated);
	}

	@Override
	public void writeEnum(int number, int value, boolean repeated) {
		writeInt32(number, value, repeated);
	}

	@Override
	public void writeString(int number, CharSequence value, boolean repeated) {
		Text.write(this, number, value.toString());
	}

	@Override
	public void writeBytes(int number, ByteString value, boolean repeated) throws IOException {
		ByteString.writeTo(this, value, number, repeated);
	}

	@Override
	public void writeByteRange(boolean utf8String, int number, byte[] value, int offset, int length, boolean repeated) {
		writeByteRange(number, value, offset, length);
	}

	@Override
	public <T> void writeObject(int number, T value, Schema<T> schema, boolean repeated) throws IOException {
		Groups.start(this, number);
		schema.writeTo(this, value);
		Groups.end(this, number);
	}

}
