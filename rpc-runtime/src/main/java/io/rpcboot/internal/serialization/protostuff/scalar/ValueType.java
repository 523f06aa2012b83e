package io.rpcboot.internal.serialization.protostuff.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the values of one node. The holder of a value handles null. Immutable
 * once linked.
 */
public abstract class ValueType {

	private static final int USUAL_WEIGHT = 24;

	private final int wireType;

	private final int weight;

	protected ValueType(int wireType) {
		this(wireType, USUAL_WEIGHT);
	}

	/**
	 * Creates a type.
	 * @param wireType wire type of its tag
	 * @param weight heap size of an instance in bytes, without the bytes that
	 * {@link #read} charges
	 */
	protected ValueType(int wireType, int weight) {
		this.wireType = wireType;
		this.weight = weight;
	}

	/** Creates a type by its type in protostuff, which writes a message as a group. */
	ValueType(WireFormat.FieldType type, int weight) {
		this((type == WireFormat.FieldType.MESSAGE) ? WireFormat.WIRETYPE_START_GROUP : type.wireType, weight);
	}

	/** Writes a value as an element with a number. */
	public abstract void write(ProtostuffOutput out, int number, Object value);

	/**
	 * Reads an element behind its tag. Returns null only for an enum constant that this
	 * side does not know.
	 */
	public abstract @Nullable Object read(ProtostuffInput in);

	/** Writes a value as the field of a message. */
	public void writeField(ProtostuffOutput out, int number, Object value) {
		write(out, number, value);
	}

	/** Reads the field of a message if it is next, else returns null. */
	public @Nullable Object takeField(ProtostuffInput in, int number) {
		if (!in.tryTag(WireFormat.makeTag(number, this.wireType))) {
			return null;
		}
		in.note(this.weight);
		return read(in);
	}

	public final int weight() {
		return this.weight;
	}

	public final int wireType() {
		return this.wireType;
	}

}
