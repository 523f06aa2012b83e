package io.rpcboot.internal.serialization.types.walk;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import org.jspecify.annotations.Nullable;

/**
 * Finds the type arguments of a subtype from those of its base: {@code Ok<User>} for
 * {@code Result<User>} where {@code Ok<T>} is a {@code Result<T>}.
 */
final class Unifier {

	private final TypeBindings bindings;

	private final TypePath path;

	private final Map<TypeVariable<?>, ResolvedType> found = new HashMap<>();

	private Unifier(TypeBindings bindings, TypePath path) {
		this.bindings = bindings;
		this.path = path;
	}

	/**
	 * Resolves a subtype.
	 * @return null if the subtype does not fit the arguments of the base, as a
	 * {@code Result<Integer>} does not fit {@code Result<User>}
	 */
	static @Nullable ResolvedType subtype(ResolvedType base, Class<?> subtype, TypePath path) {
		if (subtype == base.raw()) {
			return base;
		}
		Unifier unifier = new Unifier(TypeBindings.of(ResolvedType.of(subtype)), path);
		TypeVariable<?>[] variables = base.raw().getTypeParameters();
		for (int i = 0; i < base.arguments().size(); i++) {
			if (!unifier.unify(variables[i], base.arguments().get(i))) {
				return null;
			}
		}
		List<ResolvedType> arguments = new ArrayList<>();
		for (TypeVariable<?> each : subtype.getTypeParameters()) {
			ResolvedType argument = unifier.found.get(each);
			arguments.add((argument != null) ? argument : unifier.bindings.bound(each, path));
		}
		return new ResolvedType(subtype, List.copyOf(arguments));
	}

	/**
	 * Returns true if the subtype's pattern of an argument fits the argument of the base.
	 */
	private boolean unify(Type pattern, ResolvedType actual) {
		if (pattern instanceof TypeVariable<?> variable) {
			Type bound = this.bindings.get(variable);
			return (bound != null) ? unify(bound, actual) : bind(variable, actual);
		}
		if (pattern instanceof ParameterizedType parameterized) {
			return unifyArguments(parameterized, actual);
		}
		if (pattern instanceof WildcardType wildcard) {
			return unify(wildcard.getUpperBounds()[0], actual);
		}
		if (pattern instanceof GenericArrayType array && actual.raw().isArray()) {
			return unify(array.getGenericComponentType(), actual.component());
		}
		return actual.raw().isAssignableFrom(TypeBindings.erasure(pattern));
	}

	private boolean unifyArguments(ParameterizedType pattern, ResolvedType actual) {
		Class<?> raw = (Class<?>) pattern.getRawType();
		if (raw != actual.raw()) {
			return actual.raw().isAssignableFrom(raw);
		}
		for (int i = 0; i < actual.arguments().size(); i++) {
			if (!unify(pattern.getActualTypeArguments()[i], actual.arguments().get(i))) {
				return false;
			}
		}
		return true;
	}

	private boolean bind(TypeVariable<?> variable, ResolvedType actual) {
		ResolvedType bound = this.bindings.bound(variable, this.path);
		boolean isWithin = bound.raw().isAssignableFrom(actual.raw());
		if (!isWithin && !actual.raw().isAssignableFrom(bound.raw())) {
			return false;
		}
		ResolvedType narrower = isWithin ? actual : bound;
		ResolvedType known = this.found.putIfAbsent(variable, narrower);
		return known == null || known.equals(narrower);
	}

}
