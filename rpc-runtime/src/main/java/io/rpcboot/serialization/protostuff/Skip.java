package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

/**
 * Passes over a field that only the writer has, whatever its type.
 */
final class Skip {

	private Skip() {
	}

	/** Skip all values of a field, which is repeated if it is a collection. */
	static void field(ProtostuffInput in, int number) {
		while (peekTag(in) >>> 3 == number) {
			value(in, in.readTag());
		}
	}

	/** Skip all that remains of the group that was entered last. */
	static void rest(ProtostuffInput in, int end) {
		while (peekTag(in) != end) {
			value(in, in.readTag());
		}
	}

	/** The next tag, which is read again; 0 at the end of the message. */
	private static int peekTag(ProtostuffInput in) {
		int mark = in.position;
		int last = in.lastTag;
		int tag = in.readTag();
		in.position = mark;
		in.lastTag = last;
		return tag;
	}

	private static void value(ProtostuffInput in, int tag) {
		switch (WireFormat.getTagWireType(tag)) {
			case WireFormat.WIRETYPE_VARINT, WireFormat.WIRETYPE_REFERENCE -> in.readInt64();
			case WireFormat.WIRETYPE_FIXED64 -> in.take(Long.BYTES);
			case WireFormat.WIRETYPE_FIXED32 -> in.take(Integer.BYTES);
			case WireFormat.WIRETYPE_LENGTH_DELIMITED -> in.take(in.readLength());
			case WireFormat.WIRETYPE_START_GROUP -> {
				int end = Groups.enter(in);
				rest(in, end);
				Groups.leave(in, end);
			}
			default -> throw new PathException("tag %d (expected: the start of a value)".formatted(tag));
		}
	}

}
