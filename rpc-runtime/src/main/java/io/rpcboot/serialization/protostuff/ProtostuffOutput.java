package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.protostuff.ByteString;
import io.protostuff.Output;
import io.protostuff.Schema;
import io.protostuff.WireFormat;

import io.rpcboot.serialization.OutputBuffer;

/**
 * Writes protostuff's wire format straight into the array of an {@link OutputBuffer}. The
 * only {@link Output} of the process, so that calls to it stay monomorphic. Room is asked
 * for generously first and to the byte only when that fails, so that a message that fits
 * the limit exactly is not refused. For one thread and one message.
 */
final class ProtostuffOutput implements Output {

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
	public void writeUInt64(int number, long value, boolean repeated) {
		writeInt64(number, value, repeated);
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
	public void writeSFixed32(int number, int value, boolean repeated) {
		writeFixed32(number, value, repeated);
	}

	@Override
	public void writeFixed64(int number, long value, boolean repeated) {
		int at = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED64), Long.BYTES);
		LittleEndian.putLong(this.array, at, value);
		this.position = at + Long.BYTES;
	}

	@Override
	public void writeSFixed64(int number, long value, boolean repeated) {
		writeFixed64(number, value, repeated);
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

	@Override
	public void writeEnum(int number, int value, boolean repeated) {
		writeInt32(number, value, repeated);
	}

	@Override
	public void writeString(int number, CharSequence value, boolean repeated) {
		String text = value.toString();
		int length = text.length();
		int prefix = Varint.size(length);
		int start = tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED), prefix + length);
		int first = Utf8.putAscii(text, this.array, start + prefix);
		if (first == length) {
			Varint.put(this.array, start, length);
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
		int guess = (most > Integer.MAX_VALUE - 5) ? 5 : Varint.size((int) most);
		int bytes;
		if (guess == prefix && most <= this.array.length - start - prefix) {
			bytes = Utf8.put(text, first, this.array, start + prefix + first) - start - prefix;
		}
		else {
			bytes = Utf8.length(text, first);
			int at = start + Varint.size(bytes);
			this.position = start;
			room(at - start + bytes);
			System.arraycopy(this.array, start + prefix, this.array, at, first);
			Utf8.put(text, first, this.array, at + first);
		}
		this.position = Varint.put(this.array, start, bytes) + bytes;
	}

	@Override
	public void writeBytes(int number, ByteString value, boolean repeated) {
		writeByteArray(number, value.toByteArray(), repeated);
	}

	@Override
	public void writeByteArray(int number, byte[] value, boolean repeated) {
		writeByteRange(false, number, value, 0, value.length, repeated);
	}

	@Override
	public void writeByteRange(boolean utf8String, int number, byte[] value, int offset, int length, boolean repeated) {
		int at = startBytes(number, length);
		System.arraycopy(value, offset, this.array, at, length);
		this.position = at + length;
	}

	@Override
	public void writeBytes(int number, ByteBuffer value, boolean repeated) {
		int length = value.remaining();
		int at = startBytes(number, length);
		value.duplicate().get(this.array, at, length);
		this.position = at + length;
	}

	@Override
	public <T> void writeObject(int number, T value, Schema<T> schema, boolean repeated) throws IOException {
		startGroup(number);
		schema.writeTo(this, value);
		endGroup(number);
	}

	/** Two 64-bit varints as one length-delimited value, for the pairs of java.time. */
	void writePair(int number, long first, long second) {
		int length = Varint.size(first) + Varint.size(second);
		int at = startBytes(number, length);
		at = Varint.put(this.array, at, first);
		this.position = Varint.put(this.array, at, second);
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
			room(Varint.size(tag) + Varint.size(length) + length);
		}
		return Varint.put(this.array, Varint.put(this.array, this.position, tag), length);
	}

	private int tagAndRoom(int tag, int bytes) {
		if (this.array.length - this.position < TAG_AND_VARINT + bytes) {
			room(Varint.size(tag) + bytes);
		}
		return Varint.put(this.array, this.position, tag);
	}

	private void writeTag(int tag) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			room(Varint.size(tag));
		}
		this.position = Varint.put(this.array, this.position, tag);
	}

	private void writeVarint(int tag, int value) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			room(Varint.size(tag) + Varint.size(value));
		}
		this.position = Varint.put(this.array, Varint.put(this.array, this.position, tag), value);
	}

	private void writeVarint(int tag, long value) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			room(Varint.size(tag) + Varint.size(value));
		}
		this.position = Varint.put(this.array, Varint.put(this.array, this.position, tag), value);
	}

	private void room(int bytes) {
		if (bytes > this.array.length - this.position) {
			this.buffer.length(this.position);
			this.array = this.buffer.reserve(bytes);
		}
	}

}
