package io.rpcboot.serialization.protostuff;

/**
 * Refuses subclasses of value types, which would arrive as something else.
 */
final class Exact {

	private Exact() {
	}

	static void require(Object value, Class<?> declared) {
		if (value.getClass() != declared) {
			throw new PathException("%s where %s is declared (expected: exactly that class)"
				.formatted(value.getClass().getName(), declared.getName()));
		}
	}

}
