package io.rpcboot.server;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one service from another of the same server. Immutable.
 */
public final class ServiceOptions extends Options {

	private static final ServiceOptions DEFAULTS = new ServiceOptions();

	private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

	private List<Serializer> serializers = List.of();

	private @Nullable Dispatch dispatch;

	/** By the name of the method; overloads share it. */
	private Map<String, Dispatch> methodDispatch = Map.of();

	private @Nullable Integer maxThreads;

	/** By the name of the method; overloads share it. */
	private Map<String, Integer> methodMaxThreads = Map.of();

	/** By the name of the method; overloads share it. */
	private Map<String, Boolean> methodIdempotence = Map.of();

	private List<RpcServerInterceptor> interceptors = List.of();

	/** Whose annotations count beside those of the interface. */
	private @Nullable Class<?> implementation;

	private ServiceOptions() {
	}

	/**
	 * Everything as the server does it.
	 * @return the defaults
	 */
	public static ServiceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Offer the service to clients that use certain serializers.
	 * @param serializers each with another name; empty for those of the server
	 * @return changed options
	 */
	public ServiceOptions withSerializers(List<? extends Serializer> serializers) {
		ServiceOptions changed = copy();
		changed.serializers = List.copyOf(serializers);
		return changed;
	}

	/**
	 * Stand around the calls of the service, inside of the interceptors of the server.
	 * One that is among those stays where it is there.
	 * @param interceptors the first is the outermost of its position
	 * @return changed options
	 */
	public ServiceOptions withInterceptors(List<? extends RpcServerInterceptor> interceptors) {
		ServiceOptions changed = copy();
		changed.interceptors = List.copyOf(interceptors);
		return changed;
	}

	/**
	 * Choose the thread that runs the calls of the service.
	 * @param dispatch the choice; {@code RpcMethod(nonBlocking = true)} on a method gives
	 * way to it
	 * @return changed options
	 */
	public ServiceOptions withDispatch(Dispatch dispatch) {
		requireSupported("dispatch", dispatch);
		ServiceOptions changed = copy();
		changed.dispatch = dispatch;
		return changed;
	}

	/**
	 * Choose the thread that runs the calls of one method.
	 * @param method name of the method; overloads share the choice
	 * @param dispatch the choice; it goes before all others
	 * @return changed options
	 */
	public ServiceOptions withDispatch(String method, Dispatch dispatch) {
		requireSupported("methods." + method + ".dispatch", dispatch);
		ServiceOptions changed = copy();
		changed.methodDispatch = with(this.methodDispatch, method, dispatch);
		return changed;
	}

	/**
	 * Limit the calls of the service that run at once on the pool of the server. Calls
	 * beyond wait for a thread. A method that returns a stage gives its thread back when
	 * it returns.
	 * @param threads 1 or more; never more than the server gives to each service
	 * @return changed options
	 */
	public ServiceOptions withMaxThreads(int threads) {
		requirePositive("max-threads", threads);
		ServiceOptions changed = copy();
		changed.maxThreads = threads;
		return changed;
	}

	/**
	 * Limit the calls of one method that run at once on the pool of the server. They
	 * count for the limit of the service, too.
	 * @param method name of the method; overloads share the limit
	 * @param threads 1 or more
	 * @return changed options
	 */
	public ServiceOptions withMaxThreads(String method, int threads) {
		requirePositive("methods." + method + ".max-threads", threads);
		ServiceOptions changed = copy();
		changed.methodMaxThreads = with(this.methodMaxThreads, method, threads);
		return changed;
	}

	/**
	 * Set whether one method may run more than once for one call, in place of what its
	 * {@link RpcMethod} says. Interceptors of the server see it as
	 * {@link MethodDescriptor#isIdempotent()}; clients have their own.
	 * @param method name of the method; overloads share it
	 * @param idempotent true if it may
	 * @return changed options
	 */
	public ServiceOptions withIdempotent(String method, boolean idempotent) {
		ServiceOptions changed = copy();
		changed.methodIdempotence = with(this.methodIdempotence, method, idempotent);
		return changed;
	}

	/**
	 * Look for {@code RpcMethod(nonBlocking = true)} on the methods of a class too.
	 * @param type the class that implements the service, not a proxy of it
	 * @return changed options
	 */
	public ServiceOptions withImplementation(Class<?> type) {
		ServiceOptions changed = copy();
		changed.implementation = type;
		return changed;
	}

	private static <V> Map<String, V> with(Map<String, V> values, String method, V value) {
		Map<String, V> changed = new HashMap<>(values);
		changed.put(method, value);
		return Map.copyOf(changed);
	}

	/**
	 * Serializers that are accepted for the service.
	 * @return each with another name; empty for those of the server
	 */
	public List<Serializer> serializers() {
		return this.serializers;
	}

	/**
	 * The thread that runs the calls of the service.
	 * @return null for that of the server
	 */
	public @Nullable Dispatch dispatch() {
		return this.dispatch;
	}

	/**
	 * The thread that runs the calls of single methods.
	 * @return by the name of the method; overloads share it
	 */
	public Map<String, Dispatch> methodDispatch() {
		return this.methodDispatch;
	}

	/**
	 * Most threads of the pool that run the calls of the service.
	 * @return null for as many as the server gives to each service
	 */
	public @Nullable Integer maxThreads() {
		return this.maxThreads;
	}

	/**
	 * Most threads of the pool that run the calls of single methods.
	 * @return by the name of the method; overloads share it
	 */
	public Map<String, Integer> methodMaxThreads() {
		return this.methodMaxThreads;
	}

	/**
	 * Whether single methods may run more than once for one call.
	 * @return by the name of the method; overloads share it
	 */
	public Map<String, Boolean> idempotence() {
		return this.methodIdempotence;
	}

	/**
	 * What stands around the calls of the service.
	 * @return the first is the outermost of its position, inside of those of the server
	 */
	public List<RpcServerInterceptor> interceptors() {
		return this.interceptors;
	}

	/** The interceptors beside those of the server, each once. */
	List<RpcServerInterceptor> interceptorsBeside(List<RpcServerInterceptor> ofServer) {
		List<RpcServerInterceptor> own = new ArrayList<>();
		for (RpcServerInterceptor each : this.interceptors) {
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
				.withIdempotent(this.methodIdempotence.getOrDefault(method.name(), method.isIdempotent())))
			.toList();
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
		Stream.of(this.methodDispatch, this.methodMaxThreads, this.methodIdempotence)
			.flatMap((each) -> each.keySet().stream())
			.forEach((name) -> require(names.contains(name), prefix + "methods", "'" + name + "'",
					"a method of the interface: " + String.join(", ", names)));
		service.methods().forEach(this::requirePolicyOnInterface);
	}

	/** Whether anything has a limit of threads. */
	boolean isLimited() {
		return this.maxThreads != null || !this.methodMaxThreads.isEmpty();
	}

	/** Refuse limits where no thread of the pool runs a call: they would do nothing. */
	void requireLimitsOnPool(ServiceDescriptor service, Dispatch ofServer) {
		String prefix = "services." + service.id() + ".";
		if (this.maxThreads != null) {
			Dispatch ofService = (this.dispatch != null) ? this.dispatch : ofServer;
			requirePool(prefix, this.maxThreads, ofService);
			boolean isUsed = service.methods()
				.stream()
				.anyMatch((method) -> dispatchOf(method, ofServer) == Dispatch.POOL);
			requirePool(prefix, this.maxThreads, isUsed ? ofService : null);
		}
		for (MethodDescriptor method : service.methods()) {
			Integer limit = this.methodMaxThreads.get(method.name());
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

	static void requireNames(String option, List<Serializer> serializers) {
		Set<String> names = new HashSet<>();
		for (Serializer each : serializers) {
			require(Serializer.hasValidName(each), option, "'" + each.name() + "'",
					"lower-case letters, digits and '-', at most 32");
			require(names.add(each.name()), option, "two of the name " + each.name(), "each with another name");
		}
	}

	private static void requirePositive(String name, int threads) {
		require(threads >= 1, name, threads, "1 or more");
	}

	static void requireSupported(String name, @Nullable Dispatch dispatch) {
		int java = Runtime.version().feature();
		require(dispatch != Dispatch.VIRTUAL || java >= FIRST_WITH_VIRTUAL_THREADS, name, "virtual",
				"pool or event-loop, because virtual needs Java 21 or later and this is Java " + java);
	}

}
