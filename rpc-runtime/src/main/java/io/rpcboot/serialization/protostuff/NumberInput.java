package io.rpcboot.serialization.protostuff;

import io.rpcboot.serialization.types.PathException;

/**
 * Reads numbers of all kinds: a reader takes the value behind a tag, a taker the value of
 * a field if the field is next, else 0.
 */
final class NumberInput {

	private static final long HIGH_BITS = 0x8080808080808080L;

	private NumberInput() {
	}

	static int takeInt32(ProtostuffInput in, int tag) {
		int at = in.position;
		if (isByte(in, at, tag)) {
			in.position = at + 2;
			return in.array[at + 1];
		}
		return in.tryTag(tag) ? readInt32(in) : 0;
	}

	static long takeInt64(ProtostuffInput in, int tag) {
		int at = in.position;
		if (isByte(in, at, tag)) {
			in.position = at + 2;
			return in.array[at + 1];
		}
		return in.tryTag(tag) ? readInt64(in) : 0;
	}

	/**
	 * Whether a tag of one byte and a number of one byte are next: the usual case, with
	 * one look at the range and one change of the position.
	 */
	static boolean isByte(ProtostuffInput in, int at, int tag) {
		return (tag & ~0x7F) == 0 && at < in.limit - 1 && in.array[at] == tag && in.array[at + 1] >= 0;
	}

	static boolean takeBool(ProtostuffInput in, int tag) {
		return in.tryTag(tag) && readBool(in);
	}

	static float takeFloat(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? readFloat(in) : 0;
	}

	static double takeDouble(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? readDouble(in) : 0;
	}

	static int takeByte(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? readByte(in) : 0;
	}

	static int takeShort(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? readShort(in) : 0;
	}

	static int takeChar(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? readChar(in) : 0;
	}

	static byte readByte(ProtostuffInput in) {
		return (byte) require(in.readUInt32(), Byte.MIN_VALUE, Byte.MAX_VALUE, Byte.class);
	}

	static short readShort(ProtostuffInput in) {
		return (short) require(in.readUInt32(), Short.MIN_VALUE, Short.MAX_VALUE, Short.class);
	}

	static char readChar(ProtostuffInput in) {
		return (char) require(in.readUInt32(), Character.MIN_VALUE, Character.MAX_VALUE, Character.class);
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

	static int readInt32(ProtostuffInput in) {
		long value = in.readInt64();
		if (value != (int) value) {
			throw new PathException("number %d (expected: 32 bits)".formatted(value));
		}
		return (int) value;
	}

	/**
	 * Read a number that is seldom of one byte: up to eight bytes are read as one word,
	 * whose bits are then moved together in three steps instead of byte by byte.
	 */
	static long readInt64(ProtostuffInput in) {
		int at = in.position;
		if (at <= in.limit - Long.BYTES) {
			long word = LittleEndian.getLong(in.array, at);
			int end = Long.numberOfTrailingZeros(~word & HIGH_BITS);
			if (end < Long.SIZE) {
				in.position = at + (end + 1 >>> 3);
				word &= -1L >>> (Long.SIZE - 1 - end) & ~HIGH_BITS;
				word = (word & 0x7F007F007F007F00L) >>> 1 | word & 0x007F007F007F007FL;
				word = (word & 0x3FFF00003FFF0000L) >>> 2 | word & 0x00003FFF00003FFFL;
				return (word & 0x0FFFFFFF00000000L) >>> 4 | word & 0x0FFFFFFFL;
			}
		}
		return in.readInt64();
	}

	static int readSInt32(ProtostuffInput in) {
		int value = in.readUInt32();
		return (value >>> 1) ^ -(value & 1);
	}

	static int readFixed32(ProtostuffInput in) {
		int at = in.take(Integer.BYTES);
		return LittleEndian.getInt(in.array, at);
	}

	static long readSInt64(ProtostuffInput in) {
		long value = readInt64(in);
		return (value >>> 1) ^ -(value & 1);
	}

	static long readFixed64(ProtostuffInput in) {
		int at = in.take(Long.BYTES);
		return LittleEndian.getLong(in.array, at);
	}

	static float readFloat(ProtostuffInput in) {
		return Float.intBitsToFloat(readFixed32(in));
	}

	static double readDouble(ProtostuffInput in) {
		return Double.longBitsToDouble(readFixed64(in));
	}

	static boolean readBool(ProtostuffInput in) {
		long value = in.readInt64();
		if (value >>> 1 != 0) {
			throw new PathException("boolean %d (expected: 0 or 1)".formatted(value));
		}
		return value == 1;
	}

}
