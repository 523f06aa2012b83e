package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are one value of protobuf, so they can be the elements of a repeated
 * field. As a field it is {@code optional} unless a subclass says otherwise.
 */
public abstract class SingularType extends FieldType {

	private final int wireType;

	private final int weight;

	/**
	 * Creates a type.
	 * @param wireType wire type of its tag
	 * @param weight heap size of an instance in bytes, without the bytes that
	 * {@link #read} charges
	 */
	protected SingularType(int wireType, int weight) {
		this.wireType = wireType;
		this.weight = weight;
	}

	/** Writes a value with its tag, also zero. */
	public abstract void write(ProtobufOutput out, int number, Object value);

	/**
	 * Reads a value behind its tag. Returns null only for an enum constant that this side
	 * does not know.
	 */
	public abstract @Nullable Object read(ProtobufInput in);

	/** Returns the type in a declaration, and declares it. */
	public abstract TypeName name(Declarations file);

	/** Returns the heap size of an instance in bytes, see the constructor. */
	public final int weight() {
		return this.weight;
	}

	/** Returns true if elements of a repeated field are packed. */
	public final boolean isPacked() {
		return this.wireType != WireFormat.WIRETYPE_LENGTH_DELIMITED;
	}

	/** Returns true if a {@code map} of protobuf can have keys of this type. */
	public boolean isMapKey() {
		return false;
	}

	/** Writes a value as an element of a packed field. */
	public void pack(ProtobufOutput out, Object value) {
		throw new IllegalStateException("values behind a length are not packed");
	}

	/** Returns the value to write for a null element, which most types refuse. */
	public Object ofNull() {
		throw new PathException(
				"null (expected: a value, because a list or map of protobuf has no null); leave it out, or declare Optional");
	}

	/** Refuses a tag of another wire type than that of a value. */
	public final void requireTag(int tag) {
		requireTag(tag, this.wireType);
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		if (value != null) {
			write(out, number, value);
		}
	}

	/** Reads the field. Of several values the last one counts. */
	@Override
	public @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		requireTag(tag);
		in.note(this.weight);
		return read(in);
	}

	@Override
	public @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		return state;
	}

	@Override
	public FieldDeclaration declare(Declarations file, String name, int number) {
		return new FieldDeclaration(name, number, label(), name(file), null);
	}

	/** Returns the label of the type as a field. */
	protected Label label() {
		return Label.OPTIONAL;
	}

}
