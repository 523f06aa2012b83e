package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;

/**
 * One field of a class, as method handles of exact types. A reader or taker asks whether
 * the next field is its own; when not, the field is absent: null or zero.
 *
 * @param number on the wire
 * @param name in Java
 * @param type in the text of the contract
 * @param writer {@code (ProtostuffOutput, Object)void}: from an instance to the wire
 * @param reader {@code (ProtostuffInput, Object)void}: from the wire into an instance
 * @param taker {@code (ProtostuffInput)Object}: from the wire, for a constructor
 * @param setter {@code (Object, Object)void}: what was taken into an instance
 */
record Field(int number, String name, String type, MethodHandle writer, MethodHandle reader, MethodHandle taker,
		MethodHandle setter) {

	/** The field in the text of the contract. */
	String contract() {
		return "%d %s %s".formatted(this.number, this.name, this.type);
	}

	@Override
	public String toString() {
		return contract();
	}

}
