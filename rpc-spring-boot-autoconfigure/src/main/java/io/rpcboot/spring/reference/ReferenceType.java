package io.rpcboot.spring.reference;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.RpcReference;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.core.ResolvableType;

/** Types that are allowed at an injection point with {@link RpcReference}. */
final class ReferenceType {

	private static final List<Class<?>> SEVERAL = List.of(Iterable.class, Iterator.class, Map.class, BaseStream.class);

	private static final List<Class<?>> LATER = List.of(Supplier.class, Callable.class, Future.class,
			CompletionStage.class);

	/** Supported by Spring if it is on the class path. */
	private static final String PROVIDER = "jakarta.inject.Provider";

	private ReferenceType() {
	}

	/**
	 * Returns the type inside of {@code Optional}, {@code ObjectProvider} and the like.
	 */
	static ResolvableType unwrap(ResolvableType type) {
		Class<?> declared = type.toClass();
		boolean isWrapper = declared == Optional.class || ObjectFactory.class.isAssignableFrom(declared)
				|| declared.getName().equals(PROVIDER);
		return isWrapper ? type.getGeneric(0) : type;
	}

	/**
	 * Returns the interface of the service.
	 * @param type the unwrapped type
	 * @param where the injection point, for the message
	 * @throws RpcConfigurationException if the type is not an interface, or is a
	 * container
	 */
	static Class<?> require(ResolvableType type, String where) {
		Class<?> declared = type.toClass();
		if (type.isArray() || isAny(SEVERAL, declared)) {
			String element = element(type);
			throw refused(where, type,
					"Use ObjectProvider<%s>, or an @RpcReference %s for each version or group: ".formatted(element,
							element)
							+ "a reference is one service, and the load balancer chooses among its instances.");
		}
		if (isAny(LATER, declared)) {
			throw refused(where, type, "Use ObjectProvider<%s> instead.".formatted(element(type)));
		}
		if (!declared.isInterface()) {
			throw notAnInterface(declared, where);
		}
		return declared;
	}

	private static boolean isAny(List<Class<?>> types, Class<?> declared) {
		// an interface of the application that extends one of them may be a service
		return declared.getName().startsWith("java.")
				&& types.stream().anyMatch((each) -> each.isAssignableFrom(declared));
	}

	private static String element(ResolvableType type) {
		ResolvableType[] generics = type.getGenerics();
		ResolvableType element = type.isArray() ? type.getComponentType()
				: (generics.length > 0) ? generics[generics.length - 1] : ResolvableType.NONE;
		Class<?> resolved = element.resolve();
		return (resolved != null) ? resolved.getSimpleName() : "Service";
	}

	private static RpcConfigurationException refused(String where, ResolvableType type, String action) {
		return new RpcConfigurationException(
				"@RpcReference at %s has type %s (expected: the interface of the service, or ObjectProvider or Optional of it)"
					.formatted(where, type),
				action);
	}

	private static RpcConfigurationException notAnInterface(Class<?> type, String where) {
		List<Class<?>> interfaces = ServiceInterfaces.of(type);
		return new RpcConfigurationException(
				"@RpcReference at %s has type %s, which is not an interface (expected: the interface of the service)"
					.formatted(where, type.getName()),
				interfaces.isEmpty() ? "Use the interface of the service instead of the class." : "Use "
						+ interfaces.stream().map(Class::getName).collect(Collectors.joining(" or ")) + " instead.");
	}

}
