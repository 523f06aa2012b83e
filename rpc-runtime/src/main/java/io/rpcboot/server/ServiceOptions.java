package io.rpcboot.server;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one service from another of the same server.
 *
 * @param serializers those that are accepted for this service, each with another name;
 * empty for those of the server
 * @param dispatch which thread runs its calls, null for that of the server
 * @param methodDispatch which thread runs the calls of single methods, by the name of the
 * method; overloads share it
 * @param implementation the class whose {@link RpcMethod} annotations count beside those
 * of the interface, null for none
 */
public record ServiceOptions(List<Serializer> serializers, @Nullable Dispatch dispatch,
		Map<String, Dispatch> methodDispatch, @Nullable Class<?> implementation) {

	private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

	public ServiceOptions {
		requireSupported("dispatch", dispatch);
		methodDispatch.forEach((method, each) -> requireSupported("methods." + method + ".dispatch", each));
		serializers = List.copyOf(serializers);
		methodDispatch = Map.copyOf(methodDispatch);
	}

	/**
	 * Everything as the server does it.
	 * @return the defaults
	 */
	public static ServiceOptions defaults() {
		return new ServiceOptions(List.of(), null, Map.of(), null);
	}

	/**
	 * Offer the service to clients that use certain serializers.
	 * @param serializers each with another name; empty for those of the server
	 * @return changed options
	 */
	public ServiceOptions withSerializers(List<? extends Serializer> serializers) {
		return new ServiceOptions(List.copyOf(serializers), this.dispatch, this.methodDispatch, this.implementation);
	}

	/**
	 * Choose the thread that runs the calls of the service.
	 * @param dispatch the choice; {@code RpcMethod(nonBlocking = true)} on a method gives
	 * way to it
	 * @return changed options
	 */
	public ServiceOptions withDispatch(Dispatch dispatch) {
		return new ServiceOptions(this.serializers, dispatch, this.methodDispatch, this.implementation);
	}

	/**
	 * Choose the thread that runs the calls of one method.
	 * @param method name of the method; overloads share the choice
	 * @param dispatch the choice; it goes before all others
	 * @return changed options
	 */
	public ServiceOptions withDispatch(String method, Dispatch dispatch) {
		Map<String, Dispatch> methods = new HashMap<>(this.methodDispatch);
		methods.put(method, dispatch);
		return new ServiceOptions(this.serializers, this.dispatch, methods, this.implementation);
	}

	/**
	 * Look for {@code RpcMethod(nonBlocking = true)} on the methods of a class too.
	 * @param type the class that implements the service, not a proxy of it
	 * @return changed options
	 */
	public ServiceOptions withImplementation(Class<?> type) {
		return new ServiceOptions(this.serializers, this.dispatch, this.methodDispatch, type);
	}

	/**
	 * The thread that runs the calls of a method: what is said of the method, else of the
	 * service, else by an annotation, else of the server.
	 */
	Dispatch dispatchOf(MethodDescriptor method, Dispatch ofServer) {
		Dispatch ofMethod = this.methodDispatch.get(method.name());
		if (ofMethod != null) {
			return ofMethod;
		}
		if (this.dispatch != null) {
			return this.dispatch;
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
		if (this.implementation == null) {
			return null;
		}
		try {
			return this.implementation.getMethod(method.getName(), method.getParameterTypes())
				.getAnnotation(RpcMethod.class);
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/** Refuse what cannot be meant for this service. */
	void requireFitting(ServiceDescriptor service) {
		String prefix = "services." + service.id() + ".";
		requireNames(prefix + "serializers", this.serializers);
		Set<String> names = new TreeSet<>();
		service.methods().forEach((method) -> names.add(method.name()));
		this.methodDispatch.keySet()
			.forEach((name) -> Options.require(names.contains(name), prefix + "methods", "'" + name + "'",
					"a method of the interface: " + String.join(", ", names)));
		service.methods().forEach(this::requirePolicyOnInterface);
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
		if ((own.oneWay() && !oneWay) || (!own.timeout().isEmpty() && !own.timeout().equals(timeout))) {
			throw new RpcConfigurationException(
					"%s: its implementation sets oneWay or timeout in @RpcMethod (expected: nonBlocking only)"
						.formatted(method),
					"Move oneWay and timeout to the method of the interface, where clients see them.");
		}
	}

	static void requireNames(String option, List<Serializer> serializers) {
		Set<String> names = new HashSet<>();
		for (Serializer each : serializers) {
			Options.require(Serializer.hasValidName(each), option, "'" + each.name() + "'",
					"lower-case letters, digits and '-', at most 32");
			Options.require(names.add(each.name()), option, "two of the name " + each.name(), "each with another name");
		}
	}

	static void requireSupported(String name, @Nullable Dispatch dispatch) {
		int java = Runtime.version().feature();
		Options.require(dispatch != Dispatch.VIRTUAL || java >= FIRST_WITH_VIRTUAL_THREADS, name, "virtual",
				"pool or event-loop, because virtual needs Java 21 or later and this is Java " + java);
	}

}
