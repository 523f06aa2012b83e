package io.rpcboot.internal.server.services;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * Applies the options of one service to its methods. Precedence: options of the method,
 * of the service, annotation, options of the server.
 *
 * @param options options of the service
 */
public record ServicePolicy(ServiceOptions options) {

	/** Returns the interceptors that are not among those of the server, each once. */
	List<RpcServerInterceptor> interceptorsBeside(List<RpcServerInterceptor> ofServer) {
		List<RpcServerInterceptor> own = new ArrayList<>();
		for (RpcServerInterceptor each : this.options.interceptors()) {
			if (Stream.concat(ofServer.stream(), own.stream()).noneMatch((other) -> other == each)) {
				own.add(each);
			}
		}
		return own;
	}

	/** Returns the methods of a service with the configured idempotence. */
	List<MethodDescriptor> methodsOf(ServiceDescriptor service) {
		return service.methods()
			.stream()
			.map((method) -> method
				.withIdempotent(this.options.idempotence().getOrDefault(method.name(), method.isIdempotent())))
			.toList();
	}

	/**
	 * Returns the dispatch of a method: its own option, else that of the service, else
	 * the annotation, else that of the server.
	 */
	public Dispatch dispatchOf(MethodDescriptor method, Dispatch ofServer) {
		Dispatch ofMethod = this.options.methodDispatch().get(method.name());
		if (ofMethod != null) {
			return ofMethod;
		}
		Dispatch ofService = this.options.dispatch();
		if (ofService != null) {
			return ofService;
		}
		return isNonBlocking(method.method()) ? Dispatch.EVENT_LOOP : ofServer;
	}

	private boolean isNonBlocking(Method method) {
		RpcMethod ofInterface = method.getAnnotation(RpcMethod.class);
		RpcMethod own = own(method);
		return (ofInterface != null && ofInterface.nonBlocking()) || (own != null && own.nonBlocking());
	}

	/** Returns the annotation on the implementation of a method, null without one. */
	private @Nullable RpcMethod own(Method method) {
		Method implementation = implementation(method);
		return (implementation != null) ? implementation.getAnnotation(RpcMethod.class) : null;
	}

	/** Returns the implementation of a method, null if its class is unknown. */
	private @Nullable Method implementation(Method method) {
		Class<?> implementation = this.options.implementation();
		if (implementation == null) {
			return null;
		}
		try {
			return implementation.getMethod(method.getName(), method.getParameterTypes());
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/**
	 * Returns the overridden methods of a service that no call reaches, because callers
	 * execute the body in the interface.
	 */
	List<Method> overriddenLocally(ServiceDescriptor service) {
		Class<?> implementation = this.options.implementation();
		if (implementation == null || Proxy.isProxyClass(implementation)) {
			return List.of();
		}
		return Arrays.stream(service.type().getMethods())
			.filter((each) -> each.isDefault() && !each.isBridge() && ServiceDescriptor.isLocal(each))
			.filter((each) -> {
				Method own = implementation(each);
				return own != null && !own.getDeclaringClass().isAssignableFrom(service.type());
			})
			.toList();
	}

	/** Rejects options that do not fit the service. */
	public void requireFitting(ServiceDescriptor service) {
		String prefix = "services." + service.id() + ".";
		requireNames(prefix + "serializers", this.options.serializers());
		Set<String> names = new TreeSet<>();
		service.methods().forEach((method) -> names.add(method.name()));
		Stream.of(this.options.methodDispatch(), this.options.methodMaxThreads(), this.options.idempotence())
			.flatMap((each) -> each.keySet().stream())
			.forEach((name) -> Options.require(names.contains(name), prefix + "methods", "'" + name + "'",
					"a method of the interface: " + String.join(", ", names)));
		service.methods().forEach(this::requirePolicyOnInterface);
	}

	/** Returns true if the service or a method has a limit of threads. */
	public boolean isLimited() {
		return this.options.maxThreads() != null || !this.options.methodMaxThreads().isEmpty();
	}

	/** Rejects limits of threads for calls that do not run on the pool. */
	void requireLimitsOnPool(ServiceDescriptor service, Dispatch ofServer) {
		String prefix = "services." + service.id() + ".";
		Integer most = this.options.maxThreads();
		if (most != null) {
			Dispatch chosen = this.options.dispatch();
			Dispatch ofService = (chosen != null) ? chosen : ofServer;
			requirePool(prefix, most, ofService);
			boolean isUsed = service.methods()
				.stream()
				.anyMatch((method) -> dispatchOf(method, ofServer) == Dispatch.POOL);
			requirePool(prefix, most, isUsed ? ofService : null);
		}
		for (MethodDescriptor method : service.methods()) {
			Integer limit = this.options.methodMaxThreads().get(method.name());
			if (limit != null) {
				requirePool(prefix + "methods." + method.name() + ".", limit, dispatchOf(method, ofServer));
			}
		}
	}

	/** Rejects a limit of streams where there are none. */
	void requireStreams(ServiceDescriptor service) {
		Integer most = this.options.maxStreams();
		if (most != null && service.methods().stream().noneMatch(MethodDescriptor::isStreaming)) {
			String option = "services." + service.id() + ".max-streams";
			throw new InvalidOptionException(option, most, "none, because no method takes or returns a stream",
					"Remove %s, or set max-threads to limit calls.".formatted(option));
		}
	}

	/** Rejects methods that would wait on the event loop for what it brings. */
	void requireNoWaitOnLoop(ServiceDescriptor service, Dispatch ofServer) {
		for (MethodDescriptor method : service.methods()) {
			if (dispatchOf(method, ofServer) == Dispatch.EVENT_LOOP) {
				method.callbackParameters().forEach((each) -> requireFutures(service, method, each));
			}
			int stream = method.streamParameter();
			Class<?> type = (stream >= 0) ? method.method().getParameterTypes()[stream] : Void.class;
			if (StreamType.isBlocking(type) && dispatchOf(method, ofServer) == Dispatch.EVENT_LOOP) {
				throw new InvalidOptionException(
						"services.%s.methods.%s.dispatch".formatted(service.id(), method.name()), "event-loop",
						"pool or virtual, because the method waits for the elements of its %s in its thread"
							.formatted(type.getSimpleName()),
						"Choose dispatch pool for the method, or let it take a Flux or a Flow.Publisher.");
			}
		}
	}

	private static void requireFutures(ServiceDescriptor service, MethodDescriptor method, int parameter) {
		for (MethodDescriptor each : ServiceDescriptor.of(method.method().getParameterTypes()[parameter]).methods()) {
			if (each.style() != MethodDescriptor.Style.FUTURE) {
				throw new InvalidOptionException(
						"services.%s.methods.%s.dispatch".formatted(service.id(), method.name()), "event-loop",
						"pool or virtual, because the method waits for its callback %s in its thread".formatted(each),
						"Choose dispatch pool for the method, or let each method of the callback return a CompletableFuture.");
			}
		}
	}

	/** Rejects a limit, unless the dispatch is POOL; null stands for several others. */
	private static void requirePool(String prefix, int limit, @Nullable Dispatch dispatch) {
		if (dispatch == Dispatch.POOL) {
			return;
		}
		String option = prefix + "max-threads";
		String where = (dispatch != null)
				? "with dispatch " + dispatch.name().toLowerCase(Locale.ROOT).replace('_', '-')
				: "where no method has dispatch pool";
		throw new InvalidOptionException(option, limit, "none " + where + ", because it limits threads of the pool",
				"Set %s only for calls on the pool: choose dispatch pool for them, or remove the limit."
					.formatted(option));
	}

	/** Rejects annotations on the implementation that clients would need to see. */
	private void requirePolicyOnInterface(MethodDescriptor method) {
		RpcMethod own = own(method.method());
		RpcMethod ofInterface = method.method().getAnnotation(RpcMethod.class);
		if (own == null) {
			return;
		}
		boolean oneWay = ofInterface != null && ofInterface.oneWay();
		String timeout = (ofInterface != null) ? ofInterface.timeout() : "";
		boolean idempotent = ofInterface != null && ofInterface.idempotent();
		boolean safe = ofInterface != null && ofInterface.safe();
		boolean hedged = ofInterface != null && ofInterface.hedged();
		String name = (ofInterface != null) ? ofInterface.name() : "";
		boolean bare = ofInterface != null && ofInterface.bare();
		if ((own.oneWay() && !oneWay) || (own.idempotent() && !idempotent) || (own.safe() && !safe)
				|| (own.hedged() && !hedged) || (own.bare() && !bare)
				|| (!own.timeout().isEmpty() && !own.timeout().equals(timeout))
				|| (!own.name().isEmpty() && !own.name().equals(name))) {
			throw new RpcConfigurationException(
					"%s: its implementation sets oneWay, timeout, idempotent, safe, hedged, name or bare in @RpcMethod (expected: nonBlocking only)"
						.formatted(method),
					"Move oneWay, timeout, idempotent, safe, hedged, name and bare to the method of the interface, where clients see them.");
		}
	}

	/** Rejects serializers with an invalid or a duplicate name. */
	public static void requireNames(String option, List<Serializer> serializers) {
		Set<String> names = new HashSet<>();
		for (Serializer each : serializers) {
			Options.require(Serializer.hasValidName(each), option, "'" + each.name() + "'",
					"lower-case letters, digits and '-', at most 32");
			Options.require(names.add(each.name()), option, "two of the name " + each.name(), "each with another name");
		}
	}

}
