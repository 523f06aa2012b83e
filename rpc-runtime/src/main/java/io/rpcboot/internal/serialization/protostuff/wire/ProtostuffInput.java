package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;
import io.rpcboot.serialization.PathException;

/**
 * Reads numbers of all kinds: a reader takes the value behind a tag, a taker the value of
 * a field if the field is next, else 0. What only the writer has is passed over, whatever
 * its type.
 */
public final class ProtostuffInput extends WireInput {

	private static final long HIGH_BITS = 0x8080808080808080L;

	public ProtostuffInput(byte[] array, int offset, int length) {
		super(array, offset, length);
	}

	/** The next tag, or 0 at the end of the message. */
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

	@Override
	boolean tryLongTag(int tag) {
		int mark = this.position;
		if (mark == this.limit || this.array[mark] >= 0 || readTag() != tag) {
			this.position = mark;
			return false;
		}
		return true;
	}

	int takeInt32(int tag) {
		int at = this.position;
		if (isByte(at, tag)) {
			this.position = at + 2;
			return this.array[at + 1];
		}
		return tryTag(tag) ? readInt32() : 0;
	}

	long takeInt64(int tag) {
		int at = this.position;
		if (isByte(at, tag)) {
			this.position = at + 2;
			return this.array[at + 1];
		}
		return tryTag(tag) ? readLargeInt64() : 0;
	}

	/**
	 * Whether a tag of one byte and a number of one byte are next: the usual case, with
	 * one look at the range and one change of the position.
	 */
	boolean isByte(int at, int tag) {
		return (tag & ~0x7F) == 0 && at < this.limit - 1 && this.array[at] == tag && this.array[at + 1] >= 0;
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
		return tryTag(tag) ? readByte() : 0;
	}

	int takeShort(int tag) {
		return tryTag(tag) ? readShort() : 0;
	}

	int takeChar(int tag) {
		return tryTag(tag) ? readChar() : 0;
	}

	public byte readByte() {
		return (byte) require(readUInt32(), Byte.MIN_VALUE, Byte.MAX_VALUE, Byte.class);
	}

	public short readShort() {
		return (short) require(readUInt32(), Short.MIN_VALUE, Short.MAX_VALUE, Short.class);
	}

	public char readChar() {
		return (char) require(readUInt32(), Character.MIN_VALUE, Character.MAX_VALUE, Character.class);
	}

	/**
	 * An integer narrower than {@code int} is an unsigned 32-bit varint, as
	 * protostuff-runtime has it.
	 */
	private static int require(int value, int lowest, int highest, Class<?> type) {
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

	/**
	 * Read a number that is seldom of one byte: up to eight bytes are read as one word,
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

	public int readSInt32() {
		int value = readUInt32();
		return (value >>> 1) ^ -(value & 1);
	}

	int readFixed32() {
		int at = take(Integer.BYTES);
		return LittleEndian.getInt(this.array, at);
	}

	public long readSInt64() {
		long value = readLargeInt64();
		return (value >>> 1) ^ -(value & 1);
	}

	public long readFixed64() {
		int at = take(Long.BYTES);
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

	/** Pass over all values of the fields of some numbers, which only the writer has. */
	public void skip(int first, int last) {
		int tag = Groups.peekTag(this);
		while (isValue(tag) && tag >>> 3 >= first && tag >>> 3 <= last) {
			skipValue(readTag());
			tag = Groups.peekTag(this);
		}
	}

	/** The end of a group has the number of the group, and the end of a message 0. */
	private static boolean isValue(int tag) {
		return WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_END_GROUP;
	}

	/** Pass over all that remains of the group that was entered last. */
	public void skipRest(int end) {
		while (Groups.peekTag(this) != end) {
			skipValue(readTag());
		}
	}

	private void skipValue(int tag) {
		switch (WireFormat.getTagWireType(tag)) {
			case WireFormat.WIRETYPE_VARINT, WireFormat.WIRETYPE_REFERENCE -> readInt64();
			case WireFormat.WIRETYPE_FIXED64 -> take(Long.BYTES);
			case WireFormat.WIRETYPE_FIXED32 -> take(Integer.BYTES);
			case WireFormat.WIRETYPE_LENGTH_DELIMITED -> DetachedByteArrays.skip(this);
			case WireFormat.WIRETYPE_START_GROUP -> {
				int end = Groups.enter(this);
				skipRest(end);
				Groups.leave(this, end);
			}
			default -> throw new PathException("tag %d (expected: the start of a value)".formatted(tag));
		}
	}

}
