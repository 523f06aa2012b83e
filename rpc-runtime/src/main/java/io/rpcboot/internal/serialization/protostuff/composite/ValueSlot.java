package io.rpcboot.internal.serialization.protostuff.composite;

import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Place of a value in a message: an argument, a result, or a field that can be null. A
 * record, because the JIT compiler trusts the fields of a record that is a constant,
 * bound to a handle.
 *
 * @param number number of its field
 * @param step step in the path of a failure
 * @param type type of the value
 * @param required type in the contract if null is impossible, as for a primitive; else
 * null
 */
public record ValueSlot(int number, String step, ValueType type, @Nullable TypeRef required) {

	public void write(ProtostuffOutput out, @Nullable Object value) {
		try {
			if (value != null) {
				this.type.writeField(out, this.number, value);
			}
			else if (this.required != null) {
				throw PathException.missing(this.required);
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at(this.step, ex);
		}
	}

	/** Reads the value if it is next, else returns null. */
	public @Nullable Object take(ProtostuffInput in) {
		try {
			Object value = this.type.takeField(in, this.number);
			if (value == null && this.required != null) {
				throw PathException.missing(this.required);
			}
			return value;
		}
		catch (RuntimeException ex) {
			throw PathException.at(this.step, ex);
		}
	}

}
