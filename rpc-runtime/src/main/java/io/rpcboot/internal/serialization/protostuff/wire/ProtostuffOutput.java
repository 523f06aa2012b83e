package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;

/**
 * Writes protostuff's wire format straight into the array of an {@link OutputBuffer}.
 * Space is checked for the largest tag and number first, and to the byte only if that
 * check fails, so a message that fits the limit exactly is not refused. Kept with its
 * buffer, for one thread and one message at a time; {@link #begin} begins the next
 * message.
 */
public class ProtostuffOutput {

	/** Largest size of a tag and a 64-bit number, in bytes: 5 + 10. */
	public static final int TAG_AND_VARINT = 15;

	/** Largest value that is never written in pieces, in bytes. */
	public static final int LARGEST_WHOLE = 16 * 1024;

	/** Largest size of the tag and the length before a text, in bytes. */
	private static final int TAG_AND_LENGTH = TAG_AND_VARINT + 5;

	/** Number of characters of a text that are written at once if space is short. */
	private static final int TEXT_PIECE = 4096;

	private static final int MAX_BYTES_OF_CHAR = 3;

	/** Largest size of a pair with tag and length, and a word that is overwritten. */
	private static final int PAIR = 40;

	protected final OutputBuffer buffer;

	/** The array of the buffer. Any method that writes may replace it. */
	public byte[] array;

	/** Index behind the last byte that was written. */
	public int position;

	/** Number of groups around the position. */
	protected int depth;

	public ProtostuffOutput(OutputBuffer buffer) {
		this.buffer = buffer;
		this.array = buffer.array();
	}

	/** Begins a message behind the content of the buffer. */
	public void begin() {
		this.array = this.buffer.array();
		this.position = this.buffer.position();
		this.depth = 0;
	}

	/** Hands the position over to the buffer. */
	public void finish() {
		this.buffer.position(this.position);
	}

	public void startGroup(int number) {
		if (++this.depth > ProtostuffInput.MAX_DEPTH) {
			throw PathException.tooDeep(ProtostuffInput.MAX_DEPTH);
		}
		writeTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_START_GROUP));
	}

	public void endGroup(int number) {
		this.depth--;
		writeTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_END_GROUP));
	}

	private void writeTag(int tag) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			reserve(sizeOfVarint(tag));
		}
		this.position = putVarint(this.array, this.position, tag);
	}

	/**
	 * Writes a state that a repeated field cannot express, see {@code CollectionType}.
	 */
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
		writeInt64(number, zigzag(value));
	}

	public void writeBool(int number, boolean value) {
		writeVarint(WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT), value ? 1 : 0);
	}

	private void writeVarint(int tag, int value) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			reserve(sizeOfVarint(tag) + sizeOfVarint(value));
		}
		this.position = putVarint(this.array, putVarint(this.array, this.position, tag), value);
	}

	private void writeVarint(int tag, long value) {
		if (this.array.length - this.position < TAG_AND_VARINT) {
			reserve(sizeOfVarint(tag) + sizeOfVarint(value));
		}
		this.position = putVarint(this.array, putVarint(this.array, this.position, tag), value);
	}

	public void writeFloat(int number, float value) {
		int at = putTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED32), Integer.BYTES);
		LittleEndian.putInt(this.array, at, Float.floatToRawIntBits(value));
		this.position = at + Integer.BYTES;
	}

	public void writeDouble(int number, double value) {
		writeFixed64(number, Double.doubleToRawLongBits(value));
	}

	public void writeFixed64(int number, long value) {
		int at = putTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_FIXED64), Long.BYTES);
		LittleEndian.putLong(this.array, at, value);
		this.position = at + Long.BYTES;
	}

	/**
	 * Writes two 64-bit varints as one length-delimited value, the first one in zigzag.
	 * The pairs of java.time are written so.
	 */
	public void writePair(int number, long signed, long second) {
		long first = zigzag(signed);
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		if (this.array.length - this.position >= PAIR) {
			int start = putVarint(this.array, this.position, tag) + 1;
			int end = putVarint(this.array, start, first);
			end = putVarint(this.array, end, second);
			this.array[start - 1] = (byte) (end - start);
			this.position = end;
			return;
		}
		int length = sizeOfVarint(first) + sizeOfVarint(second);
		int at = startBytes(number, length);
		at = putVarint(this.array, at, first);
		this.position = putVarint(this.array, at, second);
	}

	private static long zigzag(long value) {
		return (value << 1) ^ (value >> 63);
	}

	/** Writes two 64-bit words as one length-delimited value. */
	public void writeFixedPair(int number, long first, long second) {
		int at = startBytes(number, 2 * Long.BYTES);
		LittleEndian.putLong(this.array, at, first);
		LittleEndian.putLong(this.array, at + Long.BYTES, second);
		this.position = at + 2 * Long.BYTES;
	}

	public void writeText(int number, String text) {
		int length = text.length();
		int prefix = sizeOfVarint(length);
		if (length > LARGEST_WHOLE && length > this.array.length - this.position - TAG_AND_LENGTH) {
			writeTextPieces(number, text);
			return;
		}
		int start = putTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED), prefix + length);
		int first = Utf8.putAscii(text, this.array, start + prefix);
		if (first == length) {
			putVarint(this.array, start, length);
			this.position = start + prefix + length;
			return;
		}
		writeRest(number, text, first, start, prefix);
	}

	/**
	 * Writes a text behind its first characters, which are ASCII and stand behind a
	 * length of {@code prefix} bytes.
	 */
	private void writeRest(int number, String text, int first, int start, int prefix) {
		long most = first + (long) MAX_BYTES_OF_CHAR * (text.length() - first);
		int guess = (most > Integer.MAX_VALUE - 5) ? 5 : sizeOfVarint((int) most);
		int bytes;
		if (guess == prefix && most < this.array.length - start - prefix) {
			bytes = Utf8.put(text, first, text.length(), this.array, start + prefix + first) - start - prefix;
		}
		else {
			bytes = Utf8.length(text, first);
			int at = start + sizeOfVarint(bytes);
			if (bytes >= this.array.length - at) {
				writeTextPieces(number, text);
				return;
			}
			System.arraycopy(this.array, start + prefix, this.array, at, first);
			Utf8.put(text, first, text.length(), this.array, at + first);
		}
		this.position = putVarint(this.array, start, bytes) + bytes;
	}

	/**
	 * Writes a text that may not fit into the array as a whole. Reserves no byte that the
	 * text does not need.
	 */
	private void writeTextPieces(int number, String text) {
		int length = text.length();
		int rest = Utf8.length(text, 0);
		boolean isAscii = rest == length;
		startPieces(number, rest);
		int end;
		for (int from = 0; from < length; from = end) {
			end = (length - from > TEXT_PIECE) ? Utf8.startOfCharacter(text, from + TEXT_PIECE) : length;
			reserve(isAscii ? end - from : Math.min(rest, (end - from) * MAX_BYTES_OF_CHAR));
			int start = this.position;
			this.position = isAscii ? Utf8.putAsciiPiece(text, from, end, this.array, start)
					: Utf8.putPiece(text, from, end, this.array, start);
			rest -= this.position - start;
		}
	}

	public void writeByteArray(int number, byte[] value) {
		writeByteRange(number, value, 0, value.length);
	}

	public void writeByteRange(int number, byte[] value, int offset, int length) {
		if (length >= OutputBuffer.LONG_VALUE) {
			startPieces(number, length);
			this.buffer.write(value, offset, length);
			this.array = this.buffer.array();
			this.position = this.buffer.position();
			return;
		}
		int at = startBytes(number, length);
		System.arraycopy(value, offset, this.array, at, length);
		this.position = at + length;
	}

	/**
	 * Writes the tag and the length of a value that follows in pieces, and checks the
	 * limit for the whole value.
	 */
	public void startPieces(int number, int length) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		reserve(sizeOfVarint(tag) + sizeOfVarint(length));
		this.position = putVarint(this.array, putVarint(this.array, this.position, tag), length);
		this.buffer.position(this.position);
		this.buffer.require(length);
	}

	/**
	 * Puts the tag and the length of a small value, and reserves its bytes.
	 * @param length at most {@value #LARGEST_WHOLE}
	 * @return index of the value; the position is unchanged
	 */
	private int startBytes(int number, int length) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		if (this.array.length - this.position < TAG_AND_VARINT + length) {
			reserve(sizeOfVarint(tag) + sizeOfVarint(length) + length);
		}
		return putVarint(this.array, putVarint(this.array, this.position, tag), length);
	}

	/**
	 * Puts a tag and reserves bytes behind it. Returns the index behind the tag; the
	 * position is unchanged.
	 */
	private int putTag(int tag, int bytes) {
		if (this.array.length - this.position < TAG_AND_VARINT + bytes) {
			reserve(sizeOfVarint(tag) + bytes);
		}
		return putVarint(this.array, this.position, tag);
	}

	/** Reserves bytes behind the position. May replace the array and the position. */
	public void reserve(int bytes) {
		if (bytes > this.array.length - this.position) {
			this.buffer.position(this.position);
			this.array = this.buffer.reserve(bytes);
			this.position = this.buffer.position();
		}
	}

	/** Returns the size of an unsigned varint, in bytes. */
	public static int sizeOfVarint(int value) {
		return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
	}

	protected static int sizeOfVarint(long value) {
		return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
	}

	/** Puts an unsigned varint. Returns the index behind it. */
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

	/** Puts an unsigned varint. Returns the index behind it. */
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
	 * Puts a varint of at most eight bytes as one word, whose bits are moved apart in
	 * three steps instead of byte by byte.
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
