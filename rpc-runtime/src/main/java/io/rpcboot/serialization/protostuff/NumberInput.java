package io.rpcboot.serialization.protostuff;

/**
 * Reads numbers of all kinds: a reader takes the value behind a tag, a taker the value of
 * a field if the field is next, else 0.
 */
final class NumberInput {

	private NumberInput() {
	}

	static int takeInt32(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? readInt32(in) : 0;
	}

	static long takeInt64(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? in.readInt64() : 0;
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
		return in.tryTag(tag) ? Narrow.BYTE.require(in.readUInt32()) : 0;
	}

	static int takeShort(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? Narrow.SHORT.require(in.readUInt32()) : 0;
	}

	static int takeChar(ProtostuffInput in, int tag) {
		return in.tryTag(tag) ? Narrow.CHAR.require(in.readUInt32()) : 0;
	}

	static int readInt32(ProtostuffInput in) {
		long value = in.readInt64();
		if (value != (int) value) {
			throw new PathException("number %d (expected: 32 bits)".formatted(value));
		}
		return (int) value;
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
		long value = in.readInt64();
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
