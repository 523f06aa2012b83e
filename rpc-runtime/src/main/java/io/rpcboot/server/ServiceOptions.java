package io.rpcboot.server;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcMethod;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Options of one service of a server. Immutable.
 *
 * <pre>{@code
 * ServiceOptions.defaults().withMaxThreads(50).withDispatch("ping", Dispatch.EVENT_LOOP)
 * }</pre>
 *
 * @since 0.1.0
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

	private @Nullable Integer maxStreams;

	/** By the name of the method; overloads share it. */
	private Map<String, Boolean> methodIdempotence = Map.of();

	private List<RpcServerInterceptor> interceptors = List.of();

	private @Nullable Set<String> allow;

	/** Class whose annotations count beside those of the interface; null without one. */
	private @Nullable Class<?> implementation;

	private ServiceOptions() {
	}

	/**
	 * Returns the defaults: the options of the server.
	 * @return the defaults
	 */
	public static ServiceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns options with the accepted serializers.
	 * @param serializers serializers with different names; empty for those of the server
	 * @return changed options
	 */
	public ServiceOptions withSerializers(List<? extends Serializer> serializers) {
		return copy((changed) -> changed.serializers = List.copyOf(serializers));
	}

	/**
	 * Returns options with interceptors, which run inside of those of the server. An
	 * interceptor of the server is not run twice.
	 * @param interceptors interceptors; the first is the outermost of its position
	 * @return changed options
	 */
	public ServiceOptions withInterceptors(List<? extends RpcServerInterceptor> interceptors) {
		return copy((changed) -> changed.interceptors = List.copyOf(interceptors));
	}

	/**
	 * Returns options with the dispatch of the service.
	 * @param dispatch the dispatch; it overrides {@code RpcMethod(nonBlocking = true)}
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if this Java has no virtual threads
	 */
	public ServiceOptions withDispatch(Dispatch dispatch) {
		requireSupported("dispatch", dispatch);
		return copy((changed) -> changed.dispatch = dispatch);
	}

	/**
	 * Returns options with the dispatch of one method.
	 * @param method name of the method; overloads share the dispatch
	 * @param dispatch the dispatch; it overrides all others
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if this Java has no virtual threads
	 */
	public ServiceOptions withDispatch(String method, Dispatch dispatch) {
		requireSupported("methods." + method + ".dispatch", dispatch);
		return copy((changed) -> changed.methodDispatch = with(this.methodDispatch, method, dispatch));
	}

	/**
	 * Returns options with a limit of concurrent calls of the service on the pool of the
	 * server. Further calls wait for a thread. A method that returns a stage releases its
	 * thread when it returns.
	 * @param threads 1 or more; the share that the server gives to each service is the
	 * maximum
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the number is less than 1
	 */
	public ServiceOptions withMaxThreads(int threads) {
		requirePositive("max-threads", threads);
		return copy((changed) -> changed.maxThreads = threads);
	}

	/**
	 * Returns options with a limit of concurrent calls of one method on the pool of the
	 * server. They count for the limit of the service, too.
	 * @param method name of the method; overloads share the limit
	 * @param threads 1 or more
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the number is less than 1
	 */
	public ServiceOptions withMaxThreads(String method, int threads) {
		requirePositive("methods." + method + ".max-threads", threads);
		return copy((changed) -> changed.methodMaxThreads = with(this.methodMaxThreads, method, threads));
	}

	/**
	 * Returns options with a limit of open streams of the service. Further ones are
	 * refused with {@link io.rpcboot.RpcStatus#RESOURCE_EXHAUSTED}; single calls are not.
	 * @param streams 1 or more; the limits of the server hold, too
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the number is less than 1
	 */
	public ServiceOptions withMaxStreams(int streams) {
		requirePositive("max-streams", streams);
		return copy((changed) -> changed.maxStreams = streams);
	}

	/**
	 * Returns options in which one method may or must not run more than once for one
	 * call. Overrides its {@link RpcMethod}. Interceptors of the server see the value as
	 * {@link MethodDescriptor#isIdempotent()}; clients have values of their own.
	 * @param method name of the method; overloads share the value
	 * @param idempotent true if the method may run more than once
	 * @return changed options
	 */
	public ServiceOptions withIdempotent(String method, boolean idempotent) {
		return copy((changed) -> changed.methodIdempotence = with(this.methodIdempotence, method, idempotent));
	}

	/**
	 * Returns options that also read {@code RpcMethod(nonBlocking = true)} from the
	 * implementation.
	 * @param type class that implements the service, not a proxy of it
	 * @return changed options
	 */
	public ServiceOptions withImplementation(Class<?> type) {
		return copy((changed) -> changed.implementation = type);
	}

	/**
	 * Returns options with the callers that may call the service; others are refused.
	 * @param callers names in client certificates: URIs, DNS names, common names;
	 * {@code user:} and a name for a principal of an authenticator; {@code *} for each
	 * caller with a certificate or credentials
	 * @return changed options
	 */
	public ServiceOptions withAllow(Set<String> callers) {
		return copy((changed) -> changed.allow = Set.copyOf(callers));
	}

	/**
	 * Returns the accepted serializers.
	 * @return the serializers, empty for those of the server
	 */
	public List<Serializer> serializers() {
		return this.serializers;
	}

	/**
	 * Returns the dispatch of the service.
	 * @return the dispatch, null for that of the server
	 */
	public @Nullable Dispatch dispatch() {
		return this.dispatch;
	}

	/**
	 * Returns the dispatch of single methods.
	 * @return the dispatch by name of the method
	 */
	public Map<String, Dispatch> methodDispatch() {
		return this.methodDispatch;
	}

	/**
	 * Returns the maximum threads of the pool that run calls of the service.
	 * @return the maximum, null for the share that the server gives to each service
	 */
	public @Nullable Integer maxThreads() {
		return this.maxThreads;
	}

	/**
	 * Returns the maximum of open streams of the service.
	 * @return the maximum, null for the limits of the server alone
	 */
	public @Nullable Integer maxStreams() {
		return this.maxStreams;
	}

	/**
	 * Returns the maximum threads of the pool that run calls of single methods.
	 * @return the maximum by name of the method
	 */
	public Map<String, Integer> methodMaxThreads() {
		return this.methodMaxThreads;
	}

	/**
	 * Returns the configured idempotence of single methods.
	 * @return true if the method may run more than once, by name of the method
	 */
	public Map<String, Boolean> idempotence() {
		return this.methodIdempotence;
	}

	/**
	 * Returns the interceptors of the service.
	 * @return the interceptors; the first is the outermost of its position
	 */
	public List<RpcServerInterceptor> interceptors() {
		return this.interceptors;
	}

	/**
	 * Returns the callers that may call the service.
	 * @return their names, null for all
	 */
	public @Nullable Set<String> allow() {
		return this.allow;
	}

	/**
	 * Returns the class whose annotations count beside those of the interface.
	 * @return the class, null if only the interface counts
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
