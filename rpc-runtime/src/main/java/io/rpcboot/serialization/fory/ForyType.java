package io.rpcboot.serialization.fory;

import org.jspecify.annotations.Nullable;

/**
 * How the values of one type are laid out. Thread-safe once it is linked.
 */
abstract class ForyType {

	private final Class<?> javaType;

	ForyType(Class<?> javaType) {
		this.javaType = javaType;
	}

	/** The declared class. */
	final Class<?> javaType() {
		return this.javaType;
	}

	abstract void write(ForyOutput out, Object value);

	/** Read a value; null is an enum constant that only the writer has. */
	abstract @Nullable Object read(ForyInput in);

	/** Write a flag and then the value, if there is one. */
	void writeNullable(ForyOutput out, @Nullable Object value) {
		out.buffer.writeByte((value != null) ? 1 : 0);
		if (value != null) {
			write(out, value);
		}
		out.passOn();
	}

	@Nullable Object readNullable(ForyInput in) {
		return in.flag() ? read(in) : null;
	}

	static void requireExactly(Class<?> declared, Object value) {
		if (value.getClass() != declared) {
			throw new ForyFailure("%s where %s is declared (expected: exactly the declared class)"
				.formatted(value.getClass().getTypeName(), declared.getTypeName()));
		}
	}

	static void requireInstance(Class<?> declared, Object value) {
		if (!declared.isInstance(value)) {
			throw new ForyFailure("%s (expected: %s)".formatted(value.getClass().getName(), declared.getName()));
		}
	}

}
