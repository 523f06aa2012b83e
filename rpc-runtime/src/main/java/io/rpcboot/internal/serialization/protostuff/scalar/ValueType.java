package io.rpcboot.internal.serialization.protostuff.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one node are written and read; null is the business of whoever holds
 * the value. Immutable once linked.
 */
public abstract class ValueType {

	private static final int USUAL_WEIGHT = 24;

	private final int wireType;

	private final int weight;

	protected ValueType(int wireType) {
		this(wireType, USUAL_WEIGHT);
	}

	/**
	 * Create a type.
	 * @param wireType of its tag
	 * @param weight the bytes that an instance takes, without what {@link #read} charges
	 */
	protected ValueType(int wireType, int weight) {
		this.wireType = wireType;
		this.weight = weight;
	}

	/** Protostuff writes a message as a group. */
	ValueType(WireFormat.FieldType type, int weight) {
		this((type == WireFormat.FieldType.MESSAGE) ? WireFormat.WIRETYPE_START_GROUP : type.wireType, weight);
	}

	/** Write a value as an element, under a number. */
	public abstract void write(ProtostuffOutput out, int number, Object value);

	/**
	 * Read an element whose tag was read and has the wire type of this. Null only for a
	 * constant that this side does not know.
	 */
	public abstract @Nullable Object read(ProtostuffInput in);

	/** Write a value as the field of a message. */
	public void writeField(ProtostuffOutput out, int number, Object value) {
		write(out, number, value);
	}

	/** Read the field of a message if it is next, else it is null. */
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
