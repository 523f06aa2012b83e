package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

/**
 * How the values of one resolved type are written and read; null is the business of
 * whoever holds the value. Immutable once its contract is linked.
 */
abstract class ValueType {

	private final int wireType;

	ValueType(int wireType) {
		this.wireType = wireType;
	}

	/** Write a value as an element, under a number. */
	abstract void write(ProtostuffOutput out, int number, Object value);

	/** Read an element whose tag was read and has the wire type of this. */
	abstract Object read(ProtostuffInput in);

	/** The type in the text of the contract. */
	abstract String contract();

	/** Write a value as the field of a message. */
	void writeField(ProtostuffOutput out, int number, Object value) {
		write(out, number, value);
	}

	/** Read the field of a message whose tag was read. */
	Object readField(ProtostuffInput in, int tag) {
		requireWireType(tag, this.wireType);
		return read(in);
	}

	final int wireType() {
		return this.wireType;
	}

	@Override
	public final String toString() {
		return contract();
	}

	static void requireWireType(int tag, int wireType) {
		if (WireFormat.getTagWireType(tag) != wireType) {
			throw new PathException("wire type %d (expected: %d)".formatted(WireFormat.getTagWireType(tag), wireType));
		}
	}

}
