package io.rpcboot.serialization.protostuff;

import org.jspecify.annotations.Nullable;

/**
 * One field of a class: its number and name, and how it is moved between an instance and
 * the wire. Fields are accessed through method handles whose types are exact at each call
 * site.
 */
abstract class Field {

	final int number;

	final String name;

	private final String contract;

	Field(int number, String name, String contract) {
		this.number = number;
		this.name = name;
		this.contract = contract;
	}

	/** Write the field of an instance. */
	abstract void write(ProtostuffOutput out, Object instance);

	/**
	 * Read into the field of an instance; the tag was read and has the number of this.
	 */
	abstract void read(ProtostuffInput in, int tag, Object instance);

	/** Read what is to be handed to a constructor. */
	abstract @Nullable Object readValue(ProtostuffInput in, int tag);

	/** Set what {@link #readValue} or {@link #zero} gave. */
	abstract void set(Object instance, @Nullable Object value);

	/** Set null or zero, whatever the constructor left there. */
	abstract void clear(Object instance);

	/** Null, or the zero of a primitive. */
	abstract @Nullable Object zero();

	/** The field in the text of the contract. */
	final String contract() {
		return "%d %s %s".formatted(this.number, this.name, this.contract);
	}

}
