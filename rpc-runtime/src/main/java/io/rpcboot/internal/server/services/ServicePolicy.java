package io.rpcboot.internal.server.services;

import java.lang.reflect.Method;
import java.util.ArrayList;
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
import io.rpcboot.serialization.Serializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * The options of one service applied to its methods: the choice of a method goes before
 * that of the service, an annotation and the server.
 *
 * @param options what differs from other services
 */
public record ServicePolicy(ServiceOptions options) {

	/** The interceptors beside those of the server, each once. */
	List<RpcServerInterceptor> interceptorsBeside(List<RpcServerInterceptor> ofServer) {
		List<RpcServerInterceptor> own = new ArrayList<>();
		for (RpcServerInterceptor each : this.options.interceptors()) {
			if (Stream.concat(ofServer.stream(), own.stream()).noneMatch((other) -> other == each)) {
				own.add(each);
			}
		}
		return own;
	}

	/** The methods of a service with what is said of them here. */
	List<MethodDescriptor> methodsOf(ServiceDescriptor service) {
		return service.methods()
			.stream()
			.map((method) -> method
				.withIdempotent(this.options.idempotence().getOrDefault(method.name(), method.isIdempotent())))
			.toList();
	}

	/**
	 * The thread that runs the calls of a method: what is said of the method, else of the
	 * service, else by an annotation, else of the server.
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

	/** The annotation of the method that implements one of the interface. */
	private @Nullable RpcMethod own(Method method) {
		Class<?> implementation = this.options.implementation();
		if (implementation == null) {
			return null;
		}
		try {
			return implementation.getMethod(method.getName(), method.getParameterTypes())
				.getAnnotation(RpcMethod.class);
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/** Refuse what cannot be meant for this service. */
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

	/** Whether anything has a limit of threads. */
	public boolean isLimited() {
		return this.options.maxThreads() != null || !this.options.methodMaxThreads().isEmpty();
	}

	/** Refuse limits where no thread of the pool runs a call: they would do nothing. */
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

	/** A dispatch of null stands for methods that each have another one. */
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

	/** What a client has to know is of no use where it does not see it. */
	private void requirePolicyOnInterface(MethodDescriptor method) {
		RpcMethod own = own(method.method());
		RpcMethod ofInterface = method.method().getAnnotation(RpcMethod.class);
		if (own == null) {
			return;
		}
		boolean oneWay = ofInterface != null && ofInterface.oneWay();
		String timeout = (ofInterface != null) ? ofInterface.timeout() : "";
		boolean idempotent = ofInterface != null && ofInterface.idempotent();
		boolean hedged = ofInterface != null && ofInterface.hedged();
		if ((own.oneWay() && !oneWay) || (own.idempotent() && !idempotent) || (own.hedged() && !hedged)
				|| (!own.timeout().isEmpty() && !own.timeout().equals(timeout))) {
			throw new RpcConfigurationException(
					"%s: its implementation sets oneWay, timeout, idempotent or hedged in @RpcMethod (expected: nonBlocking only)"
						.formatted(method),
					"Move oneWay, timeout, idempotent and hedged to the method of the interface, where clients see them.");
		}
	}

	public static void requireNames(String option, List<Serializer> serializers) {
		Set<String> names = new HashSet<>();
		for (Serializer each : serializers) {
			Options.require(Serializer.hasValidName(each), option, "'" + each.name() + "'",
					"lower-case letters, digits and '-', at most 32");
			Options.require(names.add(each.name()), option, "two of the name " + each.name(), "each with another name");
		}
	}

}
