package io.rpcboot.internal.serialization.protostuff.wire;

import java.util.Arrays;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Reads protostuff's wire format from a range of an array and never beyond it: each
 * length is compared with the remaining bytes before anything is allocated, and a group
 * ends within the range. A {@code read} method reads the value behind a tag. A
 * {@code take} method reads a field if its tag is next, else returns 0, false or null.
 * For one thread and one message at a time; {@link #read} begins the next message.
 */
public class ProtostuffInput extends ReadBudget {

	/** Maximum number of nested groups. */
	static final int MAX_DEPTH = Format.MAX_DEPTH;

	private static final long HIGH_BITS = 0x8080808080808080L;

	private static final char[] NO_CHARS = {};

	private static final byte[] NO_BYTES = {};

	/** The array that holds the message. */
	public byte[] array;

	/** Index behind the last byte of the message. */
	public int limit;

	/** Index of the next byte. */
	public int position;

	/** Number of groups around the position. */
	private int depth;

	/** The tag that was read last. */
	private int lastTag;

	/** Decoded characters, reused for each text that is not ASCII. */
	private char[] chars = NO_CHARS;

	public ProtostuffInput(byte[] array, int offset, int length) {
		super(length);
		read(array, offset, length);
	}

	/** Begins another message. */
	public final void read(byte[] array, int offset, int length) {
		if (offset < 0 || length < 0 || length > array.length - offset) {
			throw new IllegalArgumentException("%d + %d (expected: up to %d)".formatted(offset, length, array.length));
		}
		this.array = array;
		this.position = offset;
		this.limit = offset + length;
		this.length = length;
		this.allowance = FREE + (long) length;
		this.compared = 0;
		this.hashed = 0;
		this.depth = 0;
		this.lastTag = 0;
	}

	/**
	 * Refuses bytes that are left over and releases the arrays. {@link #read} must be
	 * called before anything else is read.
	 */
	public void finish() {
		requireEnd();
		this.array = NO_BYTES;
		this.chars = NO_CHARS;
		if (this.entered > 0) {
			leave();
		}
	}

	/** Refuses bytes that are left over behind a message. */
	public void requireEnd() {
		if (this.position != this.limit) {
			throw new PathException("%d bytes are left over behind the value".formatted(this.limit - this.position));
		}
	}

	@Override
	public long size() {
		return this.position + this.compared;
	}

	/** Reads the next tag. Returns 0 at the end of the message. */
	public int readTag() {
		if (this.position == this.limit && this.depth == 0) {
			this.lastTag = 0;
			return 0;
		}
		int tag = readUInt32();
		if (tag >>> 3 == 0) {
			throw new PathException("field number 0 (expected: 1 or more)");
		}
		this.lastTag = tag;
		return tag;
	}

	/**
	 * Returns the next tag without a change of the position, or 0 at the end of the
	 * message.
	 */
	public int peekTag() {
		int mark = this.position;
		int last = this.lastTag;
		int tag = readTag();
		this.position = mark;
		this.lastTag = last;
		return tag;
	}

	/** Reads the next tag if it is the given one. */
	public boolean tryTag(int tag) {
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

	/** Reads the tag of a field that must be next. */
	public void requireTag(int number, WireFormat.FieldType type) {
		if (readTag() != WireFormat.makeTag(number, type.wireType)) {
			throw new PathException("tag %d (expected: field %d)".formatted(this.lastTag, number));
		}
	}

	/** Enters the group whose tag was read last. Returns the tag that ends the group. */
	public int enterGroup() {
		if (++this.depth > MAX_DEPTH) {
			throw PathException.tooDeep(MAX_DEPTH);
		}
		return WireFormat.makeTag(this.lastTag >>> 3, WireFormat.WIRETYPE_END_GROUP);
	}

	/** Leaves the group whose end was read. */
	public void leaveGroup() {
		this.depth--;
	}

	/** Reads the end of the group and leaves it. */
	public void leaveGroup(int end) {
		if (readTag() != end) {
			throw new PathException("tag %d (expected: the end of the group)".formatted(this.lastTag));
		}
		leaveGroup();
	}

	// The take methods of numbers are found by name, see ScalarType

	public int takeInt32(int tag) {
		int at = this.position;
		if (isOneByteField(at, tag)) {
			this.position = at + 2;
			return this.array[at + 1];
		}
		return tryTag(tag) ? readInt32() : 0;
	}

	public long takeInt64(int tag) {
		int at = this.position;
		if (isOneByteField(at, tag)) {
			this.position = at + 2;
			return this.array[at + 1];
		}
		return tryTag(tag) ? readLargeInt64() : 0;
	}

	/**
	 * Returns true if a tag of one byte and a number of one byte are next: the usual
	 * case, with one check of the range and one change of the position.
	 */
	private boolean isOneByteField(int at, int tag) {
		return (tag & ~0x7F) == 0 && at < this.limit - 1 && this.array[at] == tag && this.array[at + 1] >= 0;
	}

	public boolean takeBool(int tag) {
		return tryTag(tag) && readBool();
	}

	public float takeFloat(int tag) {
		return tryTag(tag) ? readFloat() : 0;
	}

	public double takeDouble(int tag) {
		return tryTag(tag) ? readDouble() : 0;
	}

	public int takeByte(int tag) {
		return tryTag(tag) ? readByte() : 0;
	}

	public int takeShort(int tag) {
		return tryTag(tag) ? readShort() : 0;
	}

	public int takeChar(int tag) {
		return tryTag(tag) ? readChar() : 0;
	}

	public byte readByte() {
		return (byte) readNarrow(Byte.MIN_VALUE, Byte.MAX_VALUE, Byte.class);
	}

	public short readShort() {
		return (short) readNarrow(Short.MIN_VALUE, Short.MAX_VALUE, Short.class);
	}

	public char readChar() {
		return (char) readNarrow(Character.MIN_VALUE, Character.MAX_VALUE, Character.class);
	}

	/**
	 * Reads an integer narrower than {@code int}: an unsigned 32-bit varint, as in
	 * protostuff-runtime.
	 */
	private int readNarrow(int lowest, int highest, Class<?> type) {
		int value = readUInt32();
		if (value < lowest || value > highest) {
			throw new PathException("number %d (expected: a %s)".formatted(value, type.getName()));
		}
		return value;
	}

	public int readInt32() {
		long value = readInt64();
		if (value != (int) value) {
			throw new PathException("number %d (expected: 32 bits)".formatted(value));
		}
		return (int) value;
	}

	public int readUInt32() {
		long value = readInt64();
		if (value >>> Integer.SIZE != 0) {
			throw new PathException("number %s (expected: 32 bits)".formatted(Long.toUnsignedString(value)));
		}
		return (int) value;
	}

	public int readSInt32() {
		int value = readUInt32();
		return (value >>> 1) ^ -(value & 1);
	}

	public long readInt64() {
		int at = this.position;
		if (at < this.limit && this.array[at] >= 0) {
			this.position = at + 1;
			return this.array[at];
		}
		return readLongVarint();
	}

	private long readLongVarint() {
		int at = this.position;
		long value = 0;
		for (int shift = 0; shift < Long.SIZE && at < this.limit; shift += 7) {
			byte b = this.array[at++];
			value |= (b & 0x7FL) << shift;
			if (b >= 0 && (shift < 63 || b <= 1 || isCut())) {
				this.position = at;
				return value;
			}
		}
		if (at == this.limit) {
			throw new PathException("the bytes end too early");
		}
		throw new PathException("number of more than 64 bits");
	}

	/**
	 * Returns true if the bits of a number beyond 64 are cut, false if they are refused.
	 */
	protected boolean isCut() {
		return false;
	}

	/**
	 * Reads a number that rarely has one byte. Up to eight bytes are read as one word,
	 * whose bits are then moved together in three steps instead of byte by byte.
	 */
	public long readLargeInt64() {
		int at = this.position;
		if (at <= this.limit - Long.BYTES) {
			long word = LittleEndian.getLong(this.array, at);
			int end = Long.numberOfTrailingZeros(~word & HIGH_BITS);
			if (end < Long.SIZE) {
				this.position = at + (end + 1 >>> 3);
				word &= -1L >>> (Long.SIZE - 1 - end) & ~HIGH_BITS;
				word = (word & 0x7F007F007F007F00L) >>> 1 | word & 0x007F007F007F007FL;
				word = (word & 0x3FFF00003FFF0000L) >>> 2 | word & 0x00003FFF00003FFFL;
				return (word & 0x0FFFFFFF00000000L) >>> 4 | word & 0x0FFFFFFFL;
			}
		}
		return readInt64();
	}

	public long readSInt64() {
		long value = readLargeInt64();
		return (value >>> 1) ^ -(value & 1);
	}

	public int readFixed32() {
		int at = advance(Integer.BYTES);
		return LittleEndian.getInt(this.array, at);
	}

	public long readFixed64() {
		int at = advance(Long.BYTES);
		return LittleEndian.getLong(this.array, at);
	}

	public float readFloat() {
		return Float.intBitsToFloat(readFixed32());
	}

	public double readDouble() {
		return Double.longBitsToDouble(readFixed64());
	}

	public boolean readBool() {
		long value = readInt64();
		if (value >>> 1 != 0) {
			throw new PathException("boolean %d (expected: 0 or 1)".formatted(value));
		}
		return value == 1;
	}

	/**
	 * Reads the length of a pair of numbers. Returns the index behind the pair, for
	 * {@link #requirePosition}.
	 */
	public int readPairEnd() {
		int length = readLength();
		return this.position + length;
	}

	/** Refuses a value that did not fill the length that it announced. */
	public void requirePosition(int end) {
		if (this.position != end) {
			throw new PathException("length does not fit the value");
		}
	}

	/** Reads the text of a field if it is next, else returns null. */
	public @Nullable String takeText(int tag) {
		int at = this.position;
		if (isOneByteField(at, tag) && this.array[at + 1] <= this.limit - at - 2) {
			this.position = at + 2 + this.array[at + 1];
			return decodeText(at + 2, this.array[at + 1]);
		}
		return tryTag(tag) ? readText() : null;
	}

	public String readText() {
		int length = readLength();
		return decodeText(advance(length), length);
	}

	private String decodeText(int at, int length) {
		note(TEXT + length);
		if (Utf8.isAscii(this.array, at, length)) {
			return Utf8.ascii(this.array, at, length);
		}
		if (this.chars.length < length) {
			note(Character.BYTES * (long) length);
			this.chars = new char[length];
		}
		note(length);
		return new String(this.chars, 0, Utf8.decode(this.array, at, length, this.chars));
	}

	public byte[] readByteArray() {
		int length = readLength();
		this.position += length;
		this.allowance -= OBJECT + length;
		return Arrays.copyOfRange(this.array, this.position - length, this.position);
	}

	/** Reads a length, refused if fewer bytes remain. */
	private int readLength() {
		int length = readUInt32();
		if (length < 0 || length > this.limit - this.position) {
			throw new PathException("length %s (expected: at most the %d bytes that remain)"
				.formatted(Integer.toUnsignedString(length), this.limit - this.position));
		}
		return length;
	}

	/** Moves the position behind some bytes. Returns the index of the first. */
	private int advance(int bytes) {
		int at = this.position;
		if (bytes > this.limit - at) {
			throw new PathException("the bytes end too early");
		}
		this.position = at + bytes;
		return at;
	}

	/** Skips all fields with numbers from {@code first} to {@code last}. */
	public void skip(int first, int last) {
		int tag = peekTag();
		while (isValue(tag) && tag >>> 3 >= first && tag >>> 3 <= last) {
			skipValue(readTag());
			tag = peekTag();
		}
	}

	/** Returns false for the end of a group, whose tag has the number of the group. */
	private static boolean isValue(int tag) {
		return WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_END_GROUP;
	}

	/** Skips the remaining fields of the group that was entered last. */
	public void skipRest(int end) {
		while (peekTag() != end) {
			skipValue(readTag());
		}
	}

	/** Skips the value behind a tag. */
	protected final void skipValue(int tag) {
		switch (WireFormat.getTagWireType(tag)) {
			case WireFormat.WIRETYPE_VARINT, WireFormat.WIRETYPE_REFERENCE -> readInt64();
			case WireFormat.WIRETYPE_FIXED64 -> advance(Long.BYTES);
			case WireFormat.WIRETYPE_FIXED32 -> advance(Integer.BYTES);
			case WireFormat.WIRETYPE_LENGTH_DELIMITED -> advance(readLength());
			case WireFormat.WIRETYPE_START_GROUP -> {
				int end = enterGroup();
				skipRest(end);
				leaveGroup(end);
			}
			default -> throw new PathException("tag %d (expected: the start of a value)".formatted(tag));
		}
	}

}
