package io.rpcboot.serialization.protostuff;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A class with its type arguments, all of them resolved.
 *
 * @param raw the class
 * @param arguments the type arguments; empty for a class without, or used without
 */
record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

	static ResolvedType of(Class<?> raw) {
		return new ResolvedType(raw, List.of());
	}

	@Override
	public String toString() {
		if (this.arguments.isEmpty()) {
			return this.raw.getTypeName();
		}
		return this.arguments.stream()
			.map(ResolvedType::toString)
			.collect(Collectors.joining(",", this.raw.getTypeName() + "<", ">"));
	}

}
