package io.rpcboot.internal.serialization.protostuff.wire;

import io.rpcboot.serialization.PathException;

/**
 * Encodes and decodes UTF-8 with one extension: a lone surrogate has three bytes, like
 * other characters of its range. Every string is therefore read as it was written. All
 * other malformed bytes are refused.
 */
final class Utf8 {

	private static final long NOT_ASCII = 0x8080808080808080L;

	private Utf8() {
	}

	/**
	 * Puts characters up to the first that is not ASCII. Returns its index, or the length
	 * of the text.
	 */
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

	/**
	 * Returns the number of bytes of a text.
	 * @param from number of leading ASCII characters, which are not looked at
	 */
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

	/** Returns the index, or the one before it if the index splits a surrogate pair. */
	static int startOfCharacter(String text, int index) {
		return isPair(text, index - 1) ? index - 1 : index;
	}

	/**
	 * Puts characters that are all ASCII. The deprecated method drops the upper bits of
	 * other characters.
	 */
	@SuppressWarnings("deprecation")
	static int putAsciiPiece(String text, int from, int to, byte[] array, int at) {
		text.getBytes(from, to, array, at);
		return at + to - from;
	}

	/**
	 * Puts one or more characters and overwrites no byte behind them. Neither index
	 * splits a surrogate pair.
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
	 * Puts the characters between two indexes. Returns the index behind the bytes; the
	 * byte at that index may be overwritten.
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

	/**
	 * Creates a string of ASCII bytes. The deprecated constructor is the only one that
	 * just copies.
	 */
	@SuppressWarnings("deprecation")
	static String ascii(byte[] array, int offset, int length) {
		return new String(array, 0, offset, length);
	}

	/**
	 * Decodes bytes.
	 * @param chars target, at least {@code length} characters
	 * @return number of characters
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
