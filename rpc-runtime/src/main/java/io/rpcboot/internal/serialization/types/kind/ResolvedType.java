package io.rpcboot.internal.serialization.types.kind;

import java.util.List;

import io.rpcboot.serialization.contract.TypeRef;

/**
 * Class with resolved type arguments.
 *
 * @param raw the class
 * @param arguments type arguments, for an array those of its component; empty for a class
 * without arguments, or used without
 */
public record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

	public static ResolvedType of(Class<?> raw) {
		return new ResolvedType(raw, List.of());
	}

	/** Returns an array of this type, with the same type arguments. */
	public ResolvedType arrayOf() {
		return new ResolvedType(this.raw.arrayType(), this.arguments);
	}

	/** Returns the component of an array. */
	public ResolvedType component() {
		return new ResolvedType(this.raw.getComponentType(), this.arguments);
	}

	/** Returns the type in a contract. */
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
