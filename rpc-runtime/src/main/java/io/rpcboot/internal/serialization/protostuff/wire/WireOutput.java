package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.OutputBuffer;

/**
 * Writes protostuff's wire format straight into the array of an {@link OutputBuffer}.
 * Room is asked for generously first and to the byte only when that fails, so that a
 * message that fits the limit exactly is not refused. {@link ProtostuffOutput},
 * {@link Text}, {@link Pairs} and {@link Groups} write the values that are not bytes. For
 * one message at a time; kept with its buffer.
 */
public abstract class WireOutput {

	public static final int TAG_AND_VARINT = 15;

	/** What is larger is written in pieces, each with room of its own, if need be. */
	public static final int LARGEST_WHOLE = 16 * 1024;

	private final OutputBuffer buffer;

	public byte[] array;

	public int position;

	int depth;

	WireOutput(OutputBuffer buffer) {
		this.buffer = buffer;
		this.array = buffer.array();
	}

	/** Begin a message behind what is in the buffer. */
	public final void begin() {
		this.array = this.buffer.array();
		this.position = this.buffer.position();
		this.depth = 0;
	}

	public final void finish() {
		this.buffer.position(this.position);
	}

	public final void writeByteArray(int number, byte[] value) {
		writeByteRange(number, value, 0, value.length);
	}

	public final void writeByteRange(int number, byte[] value, int offset, int length) {
		if (length >= OutputBuffer.LONG_VALUE) {
			startPieces(number, length);
			this.buffer.writeValue(value, offset, length);
			this.array = this.buffer.array();
			this.position = this.buffer.position();
			return;
		}
		int at = startBytes(number, length);
		System.arraycopy(value, offset, this.array, at, length);
		this.position = at + length;
	}

	/** Write tag and length of bytes that the limit allows and that follow in pieces. */
	public final void startPieces(int number, int length) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		room(sizeOfVarint(tag) + sizeOfVarint(length));
		this.position = putVarint(this.array, putVarint(this.array, this.position, tag), length);
		this.buffer.position(this.position);
		this.buffer.require(length);
	}

	/** At most {@value #LARGEST_WHOLE} bytes, or those of a value that is as small. */
	final int startBytes(int number, int length) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		if (this.array.length - this.position < TAG_AND_VARINT + length) {
			room(sizeOfVarint(tag) + sizeOfVarint(length) + length);
		}
		return putVarint(this.array, putVarint(this.array, this.position, tag), length);
	}

	final int tagAndRoom(int tag, int bytes) {
		if (this.array.length - this.position < TAG_AND_VARINT + bytes) {
			room(sizeOfVarint(tag) + bytes);
		}
		return putVarint(this.array, this.position, tag);
	}

	/** Make room behind the position, which may be another one afterwards. */
	public final void room(int bytes) {
		if (bytes > this.array.length - this.position) {
			this.buffer.position(this.position);
			this.array = this.buffer.reserve(bytes);
			this.position = this.buffer.position();
		}
	}

	static int sizeOfVarint(int value) {
		return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
	}

	/** Put a varint, taken as unsigned, and return the index behind it. */
	public static int putVarint(byte[] array, int at, int value) {
		int index = at;
		int rest = value;
		while ((rest & ~0x7F) != 0) {
			array[index++] = (byte) (rest | 0x80);
			rest >>>= 7;
		}
		array[index] = (byte) rest;
		return index + 1;
	}

}
