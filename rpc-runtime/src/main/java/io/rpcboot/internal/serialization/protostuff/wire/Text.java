package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;

/**
 * Strings, length-delimited.
 */
public final class Text {

	/** The most that stands before a text: tag and length. */
	private static final int MOST_BEFORE = ProtostuffOutput.TAG_AND_VARINT + 5;

	/** Characters that are written at once if the whole has no room. */
	private static final int PIECE = 4096;

	private static final int MOST_OF_CHAR = 3;

	private Text() {
	}

	public static void write(ProtostuffOutput out, int number, String text) {
		int length = text.length();
		int prefix = ProtostuffOutput.sizeOfVarint(length);
		if (length > ProtostuffOutput.LARGEST_WHOLE && length > out.array.length - out.position - MOST_BEFORE) {
			writePieces(out, number, text);
			return;
		}
		int start = out.tagAndRoom(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED), prefix + length);
		int first = Utf8.putAscii(text, out.array, start + prefix);
		if (first == length) {
			ProtostuffOutput.putVarint(out.array, start, length);
			out.position = start + prefix + length;
			return;
		}
		writeText(out, number, text, first, start, prefix);
	}

	/**
	 * Write the rest of a text whose first characters stand behind a prefix for ASCII.
	 */
	private static void writeText(ProtostuffOutput out, int number, String text, int first, int start, int prefix) {
		long most = first + 3L * (text.length() - first);
		int guess = (most > Integer.MAX_VALUE - 5) ? 5 : ProtostuffOutput.sizeOfVarint((int) most);
		int bytes;
		if (guess == prefix && most < out.array.length - start - prefix) {
			bytes = Utf8.put(text, first, text.length(), out.array, start + prefix + first) - start - prefix;
		}
		else {
			bytes = Utf8.length(text, first);
			int at = start + ProtostuffOutput.sizeOfVarint(bytes);
			if (bytes >= out.array.length - at) {
				writePieces(out, number, text);
				return;
			}
			System.arraycopy(out.array, start + prefix, out.array, at, first);
			Utf8.put(text, first, text.length(), out.array, at + first);
		}
		out.position = ProtostuffOutput.putVarint(out.array, start, bytes) + bytes;
	}

	/**
	 * Write a text for which there is no room as a whole, or perhaps none to spare. Asks
	 * for no byte that the text does not need.
	 */
	private static void writePieces(ProtostuffOutput out, int number, String text) {
		int length = text.length();
		int rest = Utf8.length(text, 0);
		boolean isAscii = rest == length;
		out.startPieces(number, rest);
		int end;
		for (int from = 0; from < length; from = end) {
			end = (length - from > PIECE) ? Utf8.startOfCharacter(text, from + PIECE) : length;
			out.room(isAscii ? end - from : Math.min(rest, (end - from) * MOST_OF_CHAR));
			int start = out.position;
			out.position = isAscii ? Utf8.putAsciiPiece(text, from, end, out.array, start)
					: Utf8.putPiece(text, from, end, out.array, start);
			rest -= out.position - start;
		}
	}

	/** Read the text of a field if it is next. */
	public static @Nullable String take(ProtostuffInput in, int tag) {
		int at = in.position;
		if (in.isByte(at, tag) && in.array[at + 1] <= in.limit - at - 2) {
			in.position = at + 2 + in.array[at + 1];
			return decode(in, at + 2, in.array[at + 1]);
		}
		return in.tryTag(tag) ? read(in) : null;
	}

	public static String read(ProtostuffInput in) {
		int length = in.readLength();
		return decode(in, in.take(length), length);
	}

	private static String decode(ProtostuffInput in, int at, int length) {
		in.note(ReadBudget.TEXT + length);
		if (Utf8.isAscii(in.array, at, length)) {
			return Utf8.ascii(in.array, at, length);
		}
		if (in.chars.length < length) {
			in.note(Character.BYTES * (long) length);
			in.chars = new char[length];
		}
		in.note(length);
		return new String(in.chars, 0, Utf8.decode(in.array, at, length, in.chars));
	}

}
