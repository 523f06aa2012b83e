package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the values of one node as the field of a message. Immutable once
 * linked.
 */
public abstract class FieldType {

	/** Writes a field. A value that is absent in protobuf writes nothing. */
	public abstract void writeField(ProtobufOutput out, int number, @Nullable Object value);

	/**
	 * Reads the next part of a field, behind its tag.
	 * @param tag the tag that was read
	 * @param before result for the part before, null for the first one
	 * @return state for the next part and for {@link #finish}
	 */
	public abstract @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before);

	/**
	 * Returns the value of a field at the end of its message.
	 * @param state state after the last part, null for an absent field
	 */
	public abstract @Nullable Object finish(ProtobufInput in, @Nullable Object state);

	/** Declares the field and the types that it needs. */
	public abstract FieldDeclaration declare(Declarations file, String name, int number);

	/** Refuses a tag of another wire type. */
	protected static void requireTag(int tag, int wireType) {
		if (WireFormat.getTagWireType(tag) != wireType) {
			throw new PathException("wire type %d (expected: %d)".formatted(WireFormat.getTagWireType(tag), wireType));
		}
	}

}
