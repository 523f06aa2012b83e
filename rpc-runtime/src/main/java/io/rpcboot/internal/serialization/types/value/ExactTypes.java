package io.rpcboot.internal.serialization.types.value;

import io.rpcboot.serialization.PathException;

/**
 * Refuses subclasses of value types and arrays of a subclass, which would arrive as
 * another class.
 */
public final class ExactTypes {

	private ExactTypes() {
	}

	/** Refuses an instance of any other class. */
	public static Object require(Object value, Class<?> declared) {
		if (value.getClass() != declared) {
			String name = declared.getTypeName();
			throw new PathException("%s where %s is declared (expected: exactly that class)%s"
				.formatted(value.getClass().getTypeName(), name, declared.isArray()
						? "; copy it, as by Arrays.copyOf(value, value.length, %s.class)".formatted(name) : ""));
		}
		return value;
	}

}
