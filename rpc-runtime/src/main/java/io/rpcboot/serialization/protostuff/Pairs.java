package io.rpcboot.serialization.protostuff;

/**
 * Two 64-bit numbers as one length-delimited value.
 */
final class Pairs {

	private Pairs() {
	}

	/** Two 64-bit varints as one length-delimited value, for the pairs of java.time. */
	static void write(ProtostuffOutput out, int number, long first, long second) {
		int length = NumberOutput.sizeOfVarint(first) + NumberOutput.sizeOfVarint(second);
		int at = out.startBytes(number, length);
		at = NumberOutput.putVarint(out.array, at, first);
		out.position = NumberOutput.putVarint(out.array, at, second);
	}

	/** Two 64-bit words as one length-delimited value. */
	static void writeFixed(ProtostuffOutput out, int number, long first, long second) {
		int at = out.startBytes(number, 2 * Long.BYTES);
		LittleEndian.putLong(out.array, at, first);
		LittleEndian.putLong(out.array, at + Long.BYTES, second);
		out.position = at + 2 * Long.BYTES;
	}

	/** Read a length; the index behind as many bytes, for {@link #requireAt}. */
	static int readEnd(ProtostuffInput in) {
		int length = in.readLength();
		return in.position + length;
	}

	/** Refuse a value that did not fill the length it announced. */
	static void requireAt(ProtostuffInput in, int end) {
		if (in.position != end) {
			throw new PathException("length does not fit the value");
		}
	}

}
