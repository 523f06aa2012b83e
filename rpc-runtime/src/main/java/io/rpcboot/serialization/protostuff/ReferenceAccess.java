package io.rpcboot.serialization.protostuff;

import io.rpcboot.serialization.types.PathException;

import org.jspecify.annotations.Nullable;

/**
 * The part of a field that can be null between its handles and its type. A record,
 * because the compiler trusts the fields of a record to be constants when the record
 * itself is one, bound to a handle.
 *
 * @param type of the value
 * @param number of the field
 * @param name of the field, for the path of a failure
 */
record ReferenceAccess(ValueType type, int number, String name) {

	void write(ProtostuffOutput out, @Nullable Object value) {
		if (value == null) {
			return;
		}
		try {
			this.type.writeField(out, this.number, value);
		}
		catch (RuntimeException ex) {
			throw PathException.at("." + this.name, ex);
		}
	}

	@Nullable Object take(ProtostuffInput in) {
		try {
			return this.type.takeField(in, this.number);
		}
		catch (RuntimeException ex) {
			throw PathException.at("." + this.name, ex);
		}
	}

}
