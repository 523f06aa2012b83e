package io.rpcboot.serialization.protostuff;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the type variables of a class and all that it extends stand for.
 */
final class TypeBindings {

	private final Map<TypeVariable<?>, Type> types = new HashMap<>();

	private TypeBindings() {
	}

	/** The bindings within a class of given arguments, its superclasses included. */
	static TypeBindings of(ResolvedType type) {
		TypeBindings bindings = new TypeBindings();
		TypeVariable<?>[] variables = type.raw().getTypeParameters();
		for (int i = 0; i < type.arguments().size(); i++) {
			bindings.types.put(variables[i], new Bound(type.arguments().get(i)));
		}
		bindings.collect(type.raw().getGenericSuperclass());
		for (Type each : type.raw().getGenericInterfaces()) {
			bindings.collect(each);
		}
		return bindings;
	}

	private void collect(@Nullable Type type) {
		Class<?> raw = null;
		if (type instanceof ParameterizedType parameterized) {
			raw = (Class<?>) parameterized.getRawType();
			TypeVariable<?>[] variables = raw.getTypeParameters();
			for (int i = 0; i < variables.length; i++) {
				this.types.put(variables[i], parameterized.getActualTypeArguments()[i]);
			}
		}
		else if (type instanceof Class<?> plain) {
			raw = plain;
		}
		if (raw == null) {
			return;
		}
		collect(raw.getGenericSuperclass());
		for (Type each : raw.getGenericInterfaces()) {
			collect(each);
		}
	}

	/** Replace all type variables. */
	ResolvedType resolve(Type type, TypePath path) {
		if (type instanceof Bound bound) {
			return bound.type();
		}
		if (type instanceof Class<?> plain) {
			return ResolvedType.of(plain);
		}
		if (type instanceof ParameterizedType parameterized) {
			List<ResolvedType> arguments = new ArrayList<>();
			for (Type each : parameterized.getActualTypeArguments()) {
				arguments.add(resolve(each, path));
			}
			return new ResolvedType((Class<?>) parameterized.getRawType(), List.copyOf(arguments));
		}
		if (type instanceof WildcardType wildcard) {
			return resolveWildcard(wildcard, path);
		}
		if (type instanceof GenericArrayType array) {
			return ResolvedType.of(resolve(array.getGenericComponentType(), path).raw().arrayType());
		}
		Type bound = this.types.get(type);
		if (bound == null) {
			throw path.refuse(type.getTypeName(), "nothing says what the type variable stands for",
					"Give the type argument where the type is used, such as Page<User> for Page<T>.");
		}
		return resolve(bound, path);
	}

	private ResolvedType resolveWildcard(WildcardType wildcard, TypePath path) {
		Type bound = wildcard.getUpperBounds()[0];
		if (bound == Object.class || wildcard.getLowerBounds().length > 0) {
			throw path.refuse(wildcard.getTypeName(), "a wildcard does not say which class arrives",
					"Give a type argument in place of the wildcard.");
		}
		return resolve(bound, path);
	}

	/** A type argument that is resolved already. */
	private record Bound(ResolvedType type) implements Type {

	}

}
