package io.rpcboot.internal.serialization.types.kind;

import java.util.List;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * A class with its type arguments, all of them resolved.
 *
 * @param raw the class
 * @param arguments the type arguments, of an array those of what it holds; empty for a
 * class without, or used without
 */
public record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

	public static ResolvedType of(Class<?> raw) {
		return new ResolvedType(raw, List.of());
	}

	/** An array of it; its type arguments are those of the component. */
	public ResolvedType arrayOf() {
		return new ResolvedType(this.raw.arrayType(), this.arguments);
	}

	/** What an array holds. */
	public ResolvedType component() {
		return new ResolvedType(this.raw.getComponentType(), this.arguments);
	}

	/** The type in a contract. */
	public TypeRef ref() {
		if (this.raw.isArray()) {
			return TypeRef.arrayOf(component().ref());
		}
		return new TypeRef(this.raw.getName(), this.arguments.stream().map(ResolvedType::ref).toList());
	}

	@Override
	public String toString() {
		return ref().toString();
	}

}
