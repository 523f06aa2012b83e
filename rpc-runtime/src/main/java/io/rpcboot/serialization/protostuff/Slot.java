package io.rpcboot.serialization.protostuff;

import org.jspecify.annotations.Nullable;

/**
 * An argument or a result: a value that stands in a message without belonging to a class.
 *
 * @param number of its field
 * @param name for messages
 * @param type how it is carried
 * @param required whether null is impossible, as for a primitive
 * @param contract the type in the text of the contract
 */
record Slot(int number, String name, ValueType type, boolean required, String contract) {

	static Slot of(int number, String name, Class<?> declared, ValueType type) {
		return new Slot(number, name, type, declared.isPrimitive(),
				declared.isPrimitive() ? declared.getName() : type.contract());
	}

	void write(ProtostuffOutput out, @Nullable Object value) {
		try {
			if (value != null) {
				this.type.writeField(out, this.number, value);
			}
			else if (this.required) {
				throw missing();
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at(this.name, ex);
		}
	}

	/** Read the value if it is next. */
	@Nullable Object take(ProtostuffInput in) {
		try {
			Object value = this.type.takeField(in, this.number);
			if (value == null && this.required) {
				throw missing();
			}
			return value;
		}
		catch (RuntimeException ex) {
			throw PathException.at(this.name, ex);
		}
	}

	private PathException missing() {
		return new PathException("null (expected: %s)".formatted(this.contract));
	}

}
