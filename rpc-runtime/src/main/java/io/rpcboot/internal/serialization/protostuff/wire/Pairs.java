package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;
import io.rpcboot.serialization.PathException;

/**
 * Two 64-bit numbers as one length-delimited value.
 */
public final class Pairs {

	/** The most that a pair takes, and a word more. */
	private static final int ROOM = 40;

	private Pairs() {
	}

	/**
	 * Two 64-bit varints as one length-delimited value, the first one in zigzag, for the
	 * pairs of java.time.
	 */
	public static void write(ProtostuffOutput out, int number, long signed, long second) {
		long first = (signed << 1) ^ (signed >> 63);
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		if (out.array.length - out.position >= ROOM) {
			int start = ProtostuffOutput.putVarint(out.array, out.position, tag) + 1;
			int end = ProtostuffOutput.putVarint(out.array, start, first);
			end = ProtostuffOutput.putVarint(out.array, end, second);
			out.array[start - 1] = (byte) (end - start);
			out.position = end;
			return;
		}
		int length = ProtostuffOutput.sizeOfVarint(first) + ProtostuffOutput.sizeOfVarint(second);
		int at = out.startBytes(number, length);
		at = ProtostuffOutput.putVarint(out.array, at, first);
		out.position = ProtostuffOutput.putVarint(out.array, at, second);
	}

	/** Two 64-bit words as one length-delimited value. */
	public static void writeFixed(ProtostuffOutput out, int number, long first, long second) {
		int at = out.startBytes(number, 2 * Long.BYTES);
		LittleEndian.putLong(out.array, at, first);
		LittleEndian.putLong(out.array, at + Long.BYTES, second);
		out.position = at + 2 * Long.BYTES;
	}

	/** Read a length; the index behind as many bytes, for {@link #requireAt}. */
	public static int readEnd(ProtostuffInput in) {
		int length = in.readLength();
		return in.position + length;
	}

	/** Refuse a value that did not fill the length it announced. */
	public static void requireAt(ProtostuffInput in, int end) {
		if (in.position != end) {
			throw new PathException("length does not fit the value");
		}
	}

}
