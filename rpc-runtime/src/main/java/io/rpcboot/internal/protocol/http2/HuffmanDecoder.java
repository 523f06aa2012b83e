package io.rpcboot.internal.protocol.http2;

import org.jspecify.annotations.Nullable;

/**
 * Decodes strings in the Huffman code of HPACK (RFC 7541, appendix B). The code is
 * canonical: codes of one length are consecutive numbers in the order of their symbols,
 * and the lengths of the codes define it.
 */
final class HuffmanDecoder {

	/** Lengths of the codes of bytes 0 to 255 and of the end of the string, in bits. */
	private static final byte[] CODE_LENGTHS = { 13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28,
			28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6,
			6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
			7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5,
			5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24,
			24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24,
			21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22,
			25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24,
			20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27,
			27, 27, 26, 30 };

	private static final int END_OF_STRING = 256;

	private static final int SHORTEST_CODE = 5;

	private static final int LONGEST_CODE = 30;

	/** Symbols in the order of their codes. */
	private static final short[] SYMBOLS = new short[CODE_LENGTHS.length];

	/**
	 * By length: the first code behind the codes of this length, at the left of 32 bits.
	 */
	private static final long[] LIMITS = new long[LONGEST_CODE + 1];

	/** By length: index of the first symbol, less its code. */
	private static final int[] OFFSETS = new int[LONGEST_CODE + 1];

	static {
		int code = 0;
		int index = 0;
		for (int length = 1; length <= LONGEST_CODE; length++) {
			code <<= 1;
			OFFSETS[length] = index - code;
			for (int symbol = 0; symbol < CODE_LENGTHS.length; symbol++) {
				if (CODE_LENGTHS[symbol] == length) {
					SYMBOLS[index++] = (short) symbol;
					code++;
				}
			}
			LIMITS[length] = (long) code << (Integer.SIZE - length);
		}
	}

	private HuffmanDecoder() {
	}

	/**
	 * Decodes a string.
	 * @param in holds the string
	 * @param from index of its first byte
	 * @param to index behind its last byte
	 * @param out array that is long enough for the decoded bytes, or null to count them
	 * @return number of decoded bytes
	 * @throws Http2Exception if the string contains its end or has a wrong padding
	 */
	static int decode(byte[] in, int from, int to, byte @Nullable [] out) {
		int decoded = 0;
		int next = from;
		long bits = 0; // from the left
		int count = 0;
		while (true) {
			while (count <= Long.SIZE - Byte.SIZE && next < to) {
				bits |= (in[next++] & 0xffL) << (Long.SIZE - Byte.SIZE - count);
				count += Byte.SIZE;
			}
			long window = bits >>> Integer.SIZE;
			int length = SHORTEST_CODE;
			while (window >= LIMITS[length]) {
				length++;
			}
			if (length > count) {
				break;
			}
			int symbol = SYMBOLS[OFFSETS[length] + (int) (window >>> (Integer.SIZE - length))];
			if (symbol == END_OF_STRING) {
				throw HpackDecoder.failure("Huffman string with an end of string (expected: none)");
			}
			if (out != null) {
				out[decoded] = (byte) symbol;
			}
			decoded++;
			bits <<= length;
			count -= length;
		}
		// ones up to the end of the last byte
		if (count >= Byte.SIZE || (count > 0 && bits != -1L << (Long.SIZE - count))) {
			throw HpackDecoder.failure("Huffman string: wrong padding (expected: at most 7 bits, all ones)");
		}
		return decoded;
	}

}
