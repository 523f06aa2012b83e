package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * Strings, length-delimited.
 */
final class Text {

	/** A text and its array, without what they hold. */
	static final int TEXT = 48;

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
		if (guess == prefix && most < out.array.length - start - prefix) {
			bytes = Utf8.put(text, first, out.array, start + prefix + first) - start - prefix;
		}
		else {
			bytes = Utf8.length(text, first);
			int at = start + ProtostuffOutput.sizeOfVarint(bytes);
			out.position = start;
			out.room(at - start + bytes);
			System.arraycopy(out.array, start + prefix, out.array, at, first);
			if (at + bytes < out.array.length) {
				Utf8.put(text, first, out.array, at + first);
			}
			else {
				byte[] rest = new byte[bytes - first + 1];
				System.arraycopy(rest, 0, out.array, at + first, Utf8.put(text, first, rest, 0));
			}
		}
		out.position = ProtostuffOutput.putVarint(out.array, start, bytes) + bytes;
	}

	/** Read the text of a field if it is next. */
	static @Nullable String take(ProtostuffInput in, int tag) {
		int at = in.position;
		if (NumberInput.isByte(in, at, tag) && in.array[at + 1] <= in.limit - at - 2) {
			in.position = at + 2 + in.array[at + 1];
			return decode(in, at + 2, in.array[at + 1]);
		}
		return in.tryTag(tag) ? read(in) : null;
	}

	static String read(ProtostuffInput in) {
		int length = in.readLength();
		return decode(in, in.take(length), length);
	}

	private static String decode(ProtostuffInput in, int at, int length) {
		in.allowance -= TEXT + length;
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
