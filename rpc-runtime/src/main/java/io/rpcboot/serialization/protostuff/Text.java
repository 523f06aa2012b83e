package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

/**
 * Strings, length-delimited.
 */
final class Text {

	/** A text and its array, without what they hold. */
	private static final int TEXT = 48;

	private Text() {
	}

	static void write(ProtostuffOutput out, int number, String text) {
		int length = text.length();
		int prefix = ProtostuffOutput.sizeOfVarint(length);
		int start = out.tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED), prefix + length);
		int first = Utf8.putAscii(text, out.array, start + prefix);
		if (first == length) {
			ProtostuffOutput.putVarint(out.array, start, length);
			out.position = start + prefix + length;
			return;
		}
		writeText(out, text, first, start, prefix);
	}

	/**
	 * Write the rest of a text whose first characters stand behind a prefix for ASCII.
	 */
	private static void writeText(ProtostuffOutput out, String text, int first, int start, int prefix) {
		long most = first + 3L * (text.length() - first);
		int guess = (most > Integer.MAX_VALUE - 5) ? 5 : ProtostuffOutput.sizeOfVarint((int) most);
		int bytes;
		if (guess == prefix && most <= out.array.length - start - prefix) {
			bytes = Utf8.put(text, first, out.array, start + prefix + first) - start - prefix;
		}
		else {
			bytes = Utf8.length(text, first);
			int at = start + ProtostuffOutput.sizeOfVarint(bytes);
			out.position = start;
			out.room(at - start + bytes);
			System.arraycopy(out.array, start + prefix, out.array, at, first);
			Utf8.put(text, first, out.array, at + first);
		}
		out.position = ProtostuffOutput.putVarint(out.array, start, bytes) + bytes;
	}

	static String read(ProtostuffInput in) {
		int length = in.readLength();
		in.allowance -= TEXT + length;
		int at = in.take(length);
		if (Utf8.isAscii(in.array, at, length)) {
			return Utf8.ascii(in.array, at, length);
		}
		if (in.chars.length < length) {
			in.allowance -= Character.BYTES * length;
			in.chars = new char[length];
		}
		in.allowance -= length;
		return new String(in.chars, 0, Utf8.decode(in.array, at, length, in.chars));
	}

}
