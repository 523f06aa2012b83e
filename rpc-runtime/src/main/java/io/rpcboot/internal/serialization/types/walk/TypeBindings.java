package io.rpcboot.internal.serialization.types.walk;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import org.jspecify.annotations.Nullable;

/**
 * Bindings of the type variables of a class and its supertypes.
 */
final class TypeBindings {

	private final Map<TypeVariable<?>, Type> types = new HashMap<>();

	/** Variables whose bounds are being resolved. */
	private final Set<TypeVariable<?>> open = new HashSet<>();

	/** Interface of the service, null for any other class. */
	private final @Nullable Class<?> service;

	private TypeBindings(@Nullable Class<?> service) {
		this.service = service;
	}

	/**
	 * Returns the bindings within the interface of a service, which has no type
	 * arguments.
	 */
	static TypeBindings ofService(Class<?> service) {
		TypeBindings bindings = new TypeBindings(service);
		bindings.collect(service);
		return bindings;
	}

	/**
	 * Returns the bindings within a class with given type arguments, its supertypes
	 * included.
	 */
	static TypeBindings of(ResolvedType type) {
		TypeBindings bindings = new TypeBindings(null);
		TypeVariable<?>[] variables = type.raw().getTypeParameters();
		for (int i = 0; i < type.arguments().size(); i++) {
			bindings.types.put(variables[i], new Bound(type.arguments().get(i)));
		}
		bindings.collect(type.raw());
		return bindings;
	}

	private void collect(@Nullable Type type) {
		if (type == null) {
			return;
		}
		Class<?> raw = erasure(type);
		if (type instanceof ParameterizedType parameterized) {
			TypeVariable<?>[] variables = raw.getTypeParameters();
			for (int i = 0; i < variables.length; i++) {
				this.types.put(variables[i], parameterized.getActualTypeArguments()[i]);
			}
		}
		collect(raw.getGenericSuperclass());
		for (Type each : raw.getGenericInterfaces()) {
			collect(each);
		}
	}

	/** Replaces all type variables. */
	ResolvedType resolve(Type type, TypePath path) {
		if (type instanceof Bound bound) {
			return bound.type();
		}
		if (type instanceof Class<?> plain) {
			return ResolvedType.of(plain);
		}
		if (type instanceof ParameterizedType parameterized) {
			return resolveParameterized(parameterized, path);
		}
		if (type instanceof WildcardType wildcard) {
			return resolve(wildcard.getUpperBounds()[0], path);
		}
		if (type instanceof GenericArrayType array) {
			return resolve(array.getGenericComponentType(), path).arrayOf();
		}
		return resolveVariable((TypeVariable<?>) type, path);
	}

	private ResolvedType resolveParameterized(ParameterizedType type, TypePath path) {
		Class<?> raw = (Class<?>) type.getRawType();
		if (Subtypes.isAny(raw)) {
			return ResolvedType.of(raw);
		}
		TypeVariable<?>[] variables = raw.getTypeParameters();
		List<ResolvedType> arguments = new ArrayList<>();
		for (int i = 0; i < variables.length; i++) {
			Type argument = type.getActualTypeArguments()[i];
			boolean isUnbounded = argument instanceof WildcardType wildcard
					&& wildcard.getUpperBounds()[0] == Object.class;
			arguments.add(isUnbounded ? bound(variables[i], path) : resolve(argument, path));
		}
		return new ResolvedType(raw, List.copyOf(arguments));
	}

	/**
	 * Resolves a variable. Of the variable of a method only the bound is known, as of a
	 * wildcard.
	 */
	private ResolvedType resolveVariable(TypeVariable<?> variable, TypePath path) {
		Type known = this.types.get(variable);
		if (known != null) {
			return resolve(known, path);
		}
		GenericDeclaration declaration = variable.getGenericDeclaration();
		boolean isInBound = this.open.stream().anyMatch((each) -> each.getGenericDeclaration() == declaration);
		if (isInBound || declaration instanceof Method) {
			return bound(variable, path);
		}
		if (this.service != null && declaration instanceof Class<?> owner) {
			throw path.refuse(variable.getTypeName(),
					"a service is known by the name of its interface alone, which does not say what the type variable of %s stands for"
						.formatted(owner.getSimpleName()),
					namedInterface(owner));
		}
		throw path.refuse(variable.getTypeName(), "nothing says what the type variable stands for",
				"Give the type argument where the type is used, such as Page<User> for Page<T>.");
	}

	private static String namedInterface(Class<?> generic) {
		String name = generic.getSimpleName();
		String arguments = (generic.getTypeParameters().length == 1) ? "User" : "User, ...";
		return "Declare an interface that says it, such as 'interface User%s extends %s<%s>', and use that one for the service and its references."
			.formatted(name, name, arguments);
	}

	/**
	 * Resolves the bound of a variable. A bound that contains the variable itself
	 * resolves to its class.
	 */
	ResolvedType bound(TypeVariable<?> variable, TypePath path) {
		if (!this.open.add(variable)) {
			return ResolvedType.of(erasure(variable));
		}
		try {
			return resolve(variable.getBounds()[0], path);
		}
		finally {
			this.open.remove(variable);
		}
	}

	/** Returns the type of a variable; null if it has none. */
	@Nullable Type get(TypeVariable<?> variable) {
		return this.types.get(variable);
	}

	static Class<?> erasure(Type type) {
		if (type instanceof Class<?> plain) {
			return plain;
		}
		if (type instanceof ParameterizedType parameterized) {
			return (Class<?>) parameterized.getRawType();
		}
		if (type instanceof GenericArrayType array) {
			return erasure(array.getGenericComponentType()).arrayType();
		}
		return erasure((type instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0]
				: ((TypeVariable<?>) type).getBounds()[0]);
	}

	/** Resolved type argument. */
	private record Bound(ResolvedType type) implements Type {

	}

}
