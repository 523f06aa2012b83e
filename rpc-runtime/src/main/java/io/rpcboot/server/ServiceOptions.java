package io.rpcboot.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcMethod;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.Options;
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

	/**
	 * The class that implements the service.
	 * @return null where only the annotations of the interface count
	 */
	public @Nullable Class<?> implementation() {
		return this.implementation;
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
