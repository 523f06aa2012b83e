package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.rpcboot.serialization.contract.TypeRef;

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

	/** The type in a contract. */
	TypeRef ref() {
		if (this.raw.isArray()) {
			return TypeRef.arrayOf(new ResolvedType(this.raw.getComponentType(), this.arguments).ref());
		}
		return new TypeRef(this.raw.getName(), this.arguments.stream().map(ResolvedType::ref).toList());
	}

	@Override
	public String toString() {
		return ref().toString();
	}

}
