package io.rpcboot.internal.serialization.protostuff.wire;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.serialization.PathException;

/**
 * Values that stand between a start and an end, of which at most {@value #MAX_DEPTH}
 * nest.
 */
public final class Groups {

	static final int MAX_DEPTH = Format.MAX_DEPTH;

	private Groups() {
	}

	public static void start(ProtostuffOutput out, int number) {
		if (++out.depth > MAX_DEPTH) {
			throw PathException.tooDeep(MAX_DEPTH);
		}
		writeTag(out, WireFormat.makeTag(number, WireFormat.WIRETYPE_START_GROUP));
	}

	public static void end(ProtostuffOutput out, int number) {
		out.depth--;
		writeTag(out, WireFormat.makeTag(number, WireFormat.WIRETYPE_END_GROUP));
	}

	private static void writeTag(ProtostuffOutput out, int tag) {
		if (out.array.length - out.position < ProtostuffOutput.TAG_AND_VARINT) {
			out.room(ProtostuffOutput.sizeOfVarint(tag));
		}
		out.position = ProtostuffOutput.putVarint(out.array, out.position, tag);
	}

	/** Enter the group whose tag was read last and return the tag that ends it. */
	public static int enter(ProtostuffInput in) {
		if (++in.depth > MAX_DEPTH) {
			throw PathException.tooDeep(MAX_DEPTH);
		}
		return WireFormat.makeTag(in.lastTag >>> 3, WireFormat.WIRETYPE_END_GROUP);
	}

	/** Leave the group whose end was read. */
	public static void leave(ProtostuffInput in) {
		in.depth--;
	}

	/** Read the end of the group and leave it. */
	public static void leave(ProtostuffInput in, int end) {
		if (in.readTag() != end) {
			throw new PathException("tag %d (expected: the end of the group)".formatted(in.lastTag));
		}
		leave(in);
	}

	/** The next tag, which is read again; 0 at the end of the message. */
	public static int peekTag(ProtostuffInput in) {
		int mark = in.position;
		int last = in.lastTag;
		int tag = in.readTag();
		in.position = mark;
		in.lastTag = last;
		return tag;
	}

	/** Read the tag of a field that must be there. */
	public static void requireTag(ProtostuffInput in, int number, WireFormat.FieldType type) {
		if (in.readTag() != WireFormat.makeTag(number, type.wireType)) {
			throw new PathException("tag %d (expected: field %d)".formatted(in.lastTag, number));
		}
	}

}
