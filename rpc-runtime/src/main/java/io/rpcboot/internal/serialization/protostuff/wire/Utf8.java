package io.rpcboot.internal.serialization.protostuff.wire;

import io.rpcboot.serialization.PathException;

/**
 * Strings as UTF-8, with the one extension that a lone surrogate is three bytes like any
 * other character of its size, so that every string comes back as it was. Everything else
 * that is not UTF-8 is refused.
 */
final class Utf8 {

	private static final long NOT_ASCII = 0x8080808080808080L;

	private Utf8() {
	}

	/** Put characters until the first that is not ASCII and return its index. */
	static int putAscii(String text, byte[] array, int at) {
		int length = text.length();
		for (int i = 0; i < length; i++) {
			char c = text.charAt(i);
			if (c >= 0x80) {
				return i;
			}
			array[at + i] = (byte) c;
		}
		return length;
	}

	/** The bytes that a text takes whose characters before an index are ASCII. */
	static int length(String text, int from) {
		long bytes = from;
		int length = text.length();
		for (int i = from; i < length; i++) {
			char c = text.charAt(i);
			if (c < 0x80) {
				bytes++;
			}
			else if (c < 0x800) {
				bytes += 2;
			}
			else if (isPair(text, i)) {
				bytes += 4;
				i++;
			}
			else {
				bytes += 3;
			}
		}
		if (bytes > Integer.MAX_VALUE) {
			throw new PathException("text of %d bytes (expected: at most %d)".formatted(bytes, Integer.MAX_VALUE));
		}
		return (int) bytes;
	}

	/** The index, or the one before it if it is in the middle of a pair. */
	static int startOfCharacter(String text, int index) {
		return isPair(text, index - 1) ? index - 1 : index;
	}

	/** Put characters that are all ASCII. Deprecated for others, whose bits it drops. */
	@SuppressWarnings("deprecation")
	static int putAsciiPiece(String text, int from, int to, byte[] array, int at) {
		text.getBytes(from, to, array, at);
		return at + to - from;
	}

	/**
	 * Put at least one character and no byte beyond them. Neither index is in the middle
	 * of a pair.
	 */
	static int putPiece(String text, int from, int to, byte[] array, int at) {
		char last = text.charAt(to - 1);
		if (last < 0x800 || (to - 1 > from && isPair(text, to - 2))) {
			return put(text, from, to, array, at);
		}
		int index = put(text, from, to - 1, array, at);
		array[index] = (byte) (0xE0 | last >> 12);
		array[index + 1] = (byte) (0x80 | last >> 6 & 0x3F);
		array[index + 2] = (byte) (0x80 | last & 0x3F);
		return index + 3;
	}

	/**
	 * Put the characters between two indexes and return the index behind the bytes.
	 * Beyond them one more byte may be overwritten.
	 */
	static int put(String text, int from, int to, byte[] array, int at) {
		int index = at;
		for (int i = from; i < to; i++) {
			char c = text.charAt(i);
			if (c < 0x80) {
				array[index++] = (byte) c;
			}
			else if (c < 0x800) {
				array[index++] = (byte) (0xC0 | c >> 6);
				array[index++] = (byte) (0x80 | c & 0x3F);
			}
			else if (Character.isSurrogate(c) && isPair(text, i)) {
				int point = Character.toCodePoint(c, text.charAt(++i));
				array[index++] = (byte) (0xF0 | point >> 18);
				array[index++] = (byte) (0x80 | point >> 12 & 0x3F);
				array[index++] = (byte) (0x80 | point >> 6 & 0x3F);
				array[index++] = (byte) (0x80 | point & 0x3F);
			}
			else {
				LittleEndian.putInt(array, index, 0x8080E0 | c >> 12 | (c & 0xFC0) << 2 | (c & 0x3F) << 16);
				index += 3;
			}
		}
		return index;
	}

	private static boolean isPair(String text, int index) {
		return Character.isHighSurrogate(text.charAt(index)) && index + 1 < text.length()
				&& Character.isLowSurrogate(text.charAt(index + 1));
	}

	static boolean isAscii(byte[] array, int offset, int length) {
		int end = offset + length;
		int i = offset;
		for (; i <= end - Long.BYTES; i += Long.BYTES) {
			if ((LittleEndian.getLong(array, i) & NOT_ASCII) != 0) {
				return false;
			}
		}
		if (i < end && end >= Long.BYTES) {
			int before = Long.BYTES - (end - i);
			return (LittleEndian.getLong(array, i - before) & NOT_ASCII << (before << 3)) == 0;
		}
		for (; i < end; i++) {
			if (array[i] < 0) {
				return false;
			}
		}
		return true;
	}

	/** Deprecated for what is not Latin-1; the one constructor that only copies. */
	@SuppressWarnings("deprecation")
	static String ascii(byte[] array, int offset, int length) {
		return new String(array, 0, offset, length);
	}

	/**
	 * Decode into characters, of which there are at most as many as bytes, and return how
	 * many there are.
	 */
	static int decode(byte[] array, int offset, int length, char[] chars) {
		int end = offset + length;
		int lastWord = Math.min(end - 3, array.length - Integer.BYTES);
		int count = 0;
		int i = offset;
		while (i <= lastWord) {
			int word = LittleEndian.getInt(array, i);
			if ((word & 0x80) == 0) {
				chars[count++] = (char) (word & 0x7F);
				i++;
				continue;
			}
			int c = (word & 0x0F) << 12 | (word & 0x3F00) >> 2 | word >> 16 & 0x3F;
			if ((word & 0xC0C0F0) != 0x8080E0 || c < 0x800) {
				break;
			}
			chars[count++] = (char) c;
			i += 3;
		}
		while (i < end) {
			int b = array[i++];
			if (b >= 0) {
				chars[count++] = (char) b;
			}
			else if ((b & 0xF0) == 0xE0) {
				int c = (b & 0x0F) << 12 | next(array, i, end) << 6 | next(array, i + 1, end);
				chars[count++] = (char) require(c, 0x800);
				i += 2;
			}
			else if ((b & 0xE0) == 0xC0) {
				chars[count++] = (char) require((b & 0x1F) << 6 | next(array, i++, end), 0x80);
			}
			else if ((b & 0xF8) == 0xF0) {
				int point = (b & 0x07) << 18 | next(array, i, end) << 12 | next(array, i + 1, end) << 6
						| next(array, i + 2, end);
				if (require(point, 0x10000) > Character.MAX_CODE_POINT) {
					throw malformed();
				}
				chars[count++] = Character.highSurrogate(point);
				chars[count++] = Character.lowSurrogate(point);
				i += 3;
			}
			else {
				throw malformed();
			}
		}
		return count;
	}

	private static int next(byte[] array, int at, int end) {
		if (at >= end || (array[at] & 0xC0) != 0x80) {
			throw malformed();
		}
		return array[at] & 0x3F;
	}

	private static int require(int point, int atLeast) {
		if (point < atLeast) {
			throw malformed();
		}
		return point;
	}

	private static PathException malformed() {
		return new PathException("text is not UTF-8");
	}

}
