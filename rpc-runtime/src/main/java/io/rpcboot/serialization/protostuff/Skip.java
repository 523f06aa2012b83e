package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.types.PathException;

/**
 * Passes over fields that only the writer has, whatever their types.
 */
final class Skip {

	private Skip() {
	}

	/** Skip all values of the fields of some numbers. */
	static void fields(ProtostuffInput in, int first, int last) {
		int tag = Groups.peekTag(in);
		while (isValue(tag) && tag >>> 3 >= first && tag >>> 3 <= last) {
			value(in, in.readTag());
			tag = Groups.peekTag(in);
		}
	}

	/** The end of a group has the number of the group, and the end of a message 0. */
	private static boolean isValue(int tag) {
		return WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_END_GROUP;
	}

	/** Skip all that remains of the group that was entered last. */
	static void rest(ProtostuffInput in, int end) {
		while (Groups.peekTag(in) != end) {
			value(in, in.readTag());
		}
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
