package io.rpcboot.internal.serialization.types.walk;

import java.util.Set;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.internal.serialization.types.graph.BuiltIns;
import io.rpcboot.internal.serialization.types.kind.CollectionKind;
import io.rpcboot.internal.serialization.types.kind.HolderKind;
import io.rpcboot.internal.serialization.types.kind.MapKind;
import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.TypeOptions;

/**
 * Checks the type options of an application.
 */
public final class TypeRules {

	private TypeRules() {
	}

	/**
	 * Checks options. Refused are a subtype that is not a subclass of its base, a base of
	 * the JDK other than {@code Object} and the like, and a delegate for a type that is
	 * carried without one.
	 */
	public static TypeOptions check(TypeOptions options) {
		options.subtypes().forEach((base, each) -> checkSubtypes(options.subtypesOf(base), base, each));
		options.delegates().values().forEach((each) -> checkDelegate(each, options));
		return options;
	}

	private static void checkSubtypes(String name, Class<?> base, Set<Class<?>> subtypes) {
		if (ClassFields.isPlatform(base) && !Subtypes.isAny(base)) {
			throw new RpcConfigurationException(
					"%s (expected: subtypes of a class or interface of your own, or of java.lang.Object)"
						.formatted(name),
					"Remove it.");
		}
		for (Class<?> each : subtypes) {
			if (!base.isAssignableFrom(each)) {
				throw new RpcConfigurationException(
						"%s: %s (expected: subclasses of %s)".formatted(name, each.getTypeName(), base.getTypeName()),
						"Remove %s, or let it extend or implement %s.".formatted(each.getTypeName(),
								base.getTypeName()));
			}
		}
	}

	private static void checkDelegate(Delegate<?, ?> delegate, TypeOptions options) {
		ResolvedType type = ResolvedType.of(delegate.type());
		String name = type.raw().getTypeName();
		if (BuiltIns.nodes().containsKey(type.raw()) || Subtypes.isAny(type.raw()) || CollectionKind.of(type) != null
				|| MapKind.of(type) != null || HolderKind.of(type.raw()) != null) {
			throw new RpcConfigurationException(
					"delegate of %s (expected: one for a type that is not carried without)".formatted(name),
					"Remove it.");
		}
		if (options.delegates().containsKey(delegate.surrogate())) {
			throw new RpcConfigurationException(
					"delegate of %s: surrogate %s has a delegate itself (expected: a class that is carried)"
						.formatted(name, delegate.surrogate().getTypeName()),
					"Let a record hold it.");
		}
	}

}
