package io.rpcboot.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.registry.dns.DnsRegistry;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one reference from another to the same interface. Immutable.
 */
public final class ReferenceOptions extends Options {

	private static final ReferenceOptions DEFAULTS = new ReferenceOptions();

	private String version = "";

	private String group = "";

	private @Nullable Duration timeout;

	private @Nullable Duration waitForInstance;

	private List<Endpoint> endpoints = List.of();

	private List<Endpoint> dnsEndpoints = List.of();

	private @Nullable Serializer serializer;

	private @Nullable BatchingOptions batching;

	private @Nullable CallbackThread callbacks;

	private boolean detached;

	/** By the name of the method; overloads share it. */
	private Map<String, Duration> methodTimeouts = Map.of();

	/** By the name of the method; overloads share it. */
	private Map<String, Boolean> methodIdempotence = Map.of();

	private @Nullable Supplier<?> fallback;

	private List<RpcClientInterceptor> interceptors = List.of();

	private @Nullable ResilienceOptions resilience;

	private ReferenceOptions() {
	}

	/**
	 * No version, no group, the client's other settings, instances from the registry.
	 * @return the defaults
	 */
	public static ReferenceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Ask for a version.
	 * @param version the version
	 * @return changed options
	 */
	public ReferenceOptions withVersion(String version) {
		ReferenceOptions changed = copy();
		changed.version = version;
		return changed;
	}

	/**
	 * Ask for a group.
	 * @param group the group
	 * @return changed options
	 */
	public ReferenceOptions withGroup(String group) {
		ReferenceOptions changed = copy();
		changed.group = group;
		return changed;
	}

	/**
	 * Set the time allowed for a call.
	 * @param timeout more than 0
	 * @return changed options
	 */
	public ReferenceOptions withTimeout(Duration timeout) {
		positive("timeout", timeout);
		ReferenceOptions changed = copy();
		changed.timeout = timeout;
		return changed;
	}

	/**
	 * Set the time allowed for calls of one method, in place of what its
	 * {@link io.rpcboot.RpcMethod} says.
	 * @param method the name of a method; overloads share it
	 * @param timeout more than 0
	 * @return changed options
	 */
	public ReferenceOptions withMethodTimeout(String method, Duration timeout) {
		positive("methods." + method + ".timeout", timeout);
		ReferenceOptions changed = copy();
		Map<String, Duration> all = new HashMap<>(this.methodTimeouts);
		all.put(method, timeout);
		changed.methodTimeouts = Map.copyOf(all);
		return changed;
	}

	/**
	 * Set whether one method may run more than once for one call, in place of what its
	 * {@link io.rpcboot.RpcMethod} says. Interceptors of the reference see it as
	 * {@link MethodDescriptor#isIdempotent()}; the server has its own.
	 * @param method the name of a method; overloads share it
	 * @param idempotent true if it may
	 * @return changed options
	 */
	public ReferenceOptions withIdempotent(String method, boolean idempotent) {
		ReferenceOptions changed = copy();
		Map<String, Boolean> all = new HashMap<>(this.methodIdempotence);
		all.put(method, idempotent);
		changed.methodIdempotence = Map.copyOf(all);
		return changed;
	}

	/**
	 * Choose what answers in place of the service when a call fails without a verdict of
	 * the application: with {@code UNAVAILABLE}, {@code DEADLINE_EXCEEDED},
	 * {@code RESOURCE_EXHAUSTED} or {@code INTERNAL}; with {@code NOT_FOUND},
	 * {@code FAILED_PRECONDITION} or {@code UNIMPLEMENTED} if the method did not run.
	 * What the same method of it returns or throws is what the caller gets. It is called
	 * by the thread of the caller; for a future that has not failed at once by the thread
	 * that completes it, which with {@link CallbackThread#EVENT_LOOP} must not block. It
	 * stands outside of the interceptors of the reference, inside of those of the client.
	 * @param fallback asked at each such failure for an object that implements the
	 * interface; null for none
	 * @return changed options
	 */
	public ReferenceOptions withFallback(@Nullable Supplier<?> fallback) {
		ReferenceOptions changed = copy();
		changed.fallback = fallback;
		return changed;
	}

	/**
	 * Set how long a call waits for an instance where there is a reason to wait;
	 * {@link RpcClientBuilder#waitForInstance} says when that is.
	 * @param time 0 to never wait; a call never waits beyond its deadline
	 * @return changed options
	 */
	public ReferenceOptions withWaitForInstance(Duration time) {
		ReferenceOptions changed = copy();
		changed.waitForInstance = requireWait(time);
		return changed;
	}

	static Duration requireWait(Duration time) {
		require(!time.isNegative(), "wait-for-instance", time, "0 (never wait) or more");
		return time;
	}

	/**
	 * Call these addresses without asking the registry.
	 * @param endpoints one or more
	 * @return changed options
	 */
	public ReferenceOptions withEndpoints(Endpoint... endpoints) {
		ReferenceOptions changed = copy();
		changed.endpoints = List.of(endpoints);
		changed.dnsEndpoints = List.of();
		return changed;
	}

	/**
	 * Call these addresses without asking the registry.
	 * @param addresses one or more: {@code host:port} or {@code [ipv6]:port} for one
	 * instance, {@code dns:host:port} to take every address of the host for an instance
	 * and to look them up again and again
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if one is neither
	 */
	public ReferenceOptions withAddresses(List<String> addresses) {
		ReferenceOptions changed = copy();
		changed.endpoints = DnsRegistry.fixed(addresses);
		changed.dnsEndpoints = DnsRegistry.names(addresses);
		return changed;
	}

	/**
	 * Choose the serializer. References to one service may use several.
	 * @param serializer one that the servers accept for this service
	 * @return changed options
	 */
	public ReferenceOptions withSerializer(Serializer serializer) {
		require(Serializer.hasValidName(serializer), "serializer", "'" + serializer.name() + "'",
				"a name of lower-case letters, digits and '-', at most 32");
		ReferenceOptions changed = copy();
		changed.serializer = serializer;
		return changed;
	}

	/**
	 * Choose when connections flush. References to one server share its connections only
	 * if their batching is equal.
	 * @param batching the options
	 * @return changed options
	 */
	public ReferenceOptions withBatching(BatchingOptions batching) {
		ReferenceOptions changed = copy();
		changed.batching = batching;
		return changed;
	}

	/**
	 * Choose the thread that completes futures.
	 * @param callbacks the choice
	 * @return changed options
	 */
	public ReferenceOptions withCallbacks(CallbackThread callbacks) {
		ReferenceOptions changed = copy();
		changed.callbacks = callbacks;
		return changed;
	}

	/**
	 * Let calls go on whatever becomes of a call for which they are made. Default: they
	 * have at most the time that it has left, and end when it ends early.
	 * @param detached true to go on
	 * @return changed options
	 */
	public ReferenceOptions withDetached(boolean detached) {
		ReferenceOptions changed = copy();
		changed.detached = detached;
		return changed;
	}

	/**
	 * Stand around the calls, inside of the interceptors of the client. One that is among
	 * those stays where it is there.
	 * @param interceptors the first is the outermost
	 * @return changed options
	 */
	public ReferenceOptions withInterceptors(List<? extends RpcClientInterceptor> interceptors) {
		ReferenceOptions changed = copy();
		changed.interceptors = List.copyOf(interceptors);
		return changed;
	}

	/**
	 * Choose how calls get along with their instances.
	 * @param resilience all of it, in place of what the client has
	 * @return changed options
	 */
	public ReferenceOptions withResilience(ResilienceOptions resilience) {
		ReferenceOptions changed = copy();
		changed.resilience = resilience;
		return changed;
	}

	/**
	 * Version of the service.
	 * @return empty for none
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Group of the service.
	 * @return empty for none
	 */
	public String group() {
		return this.group;
	}

	/**
	 * Time allowed for a call.
	 * @return null for that of the client
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Time allowed for the calls of single methods.
	 * @return by the name of the method, empty for none
	 */
	public Map<String, Duration> methodTimeouts() {
		return this.methodTimeouts;
	}

	/**
	 * Whether single methods may run more than once for one call.
	 * @return by the name of the method, empty for none
	 */
	public Map<String, Boolean> idempotence() {
		return this.methodIdempotence;
	}

	/**
	 * What answers when a call fails without a verdict of the application.
	 * @return null for nothing
	 */
	public @Nullable Supplier<?> fallback() {
		return this.fallback;
	}

	/**
	 * How long a call waits for an instance.
	 * @return null for the choice of the client
	 */
	public @Nullable Duration waitForInstance() {
		return this.waitForInstance;
	}

	/**
	 * Where to call, without a registry.
	 * @return empty to ask the registry, unless there are {@link #dnsEndpoints}
	 */
	public List<Endpoint> endpoints() {
		return this.endpoints;
	}

	/**
	 * The hosts of which every address is called, without a registry.
	 * @return each with the port of its instances; empty for none
	 */
	public List<Endpoint> dnsEndpoints() {
		return this.dnsEndpoints;
	}

	/**
	 * How objects become bytes.
	 * @return null for the serializer of the client
	 */
	public @Nullable Serializer serializer() {
		return this.serializer;
	}

	/**
	 * When connections flush.
	 * @return null for the batching of the client
	 */
	public @Nullable BatchingOptions batching() {
		return this.batching;
	}

	/**
	 * Which thread completes futures.
	 * @return null for the choice of the client
	 */
	public @Nullable CallbackThread callbacks() {
		return this.callbacks;
	}

	/**
	 * Whether calls go on whatever becomes of a call for which they are made.
	 * @return true if so
	 */
	public boolean isDetached() {
		return this.detached;
	}

	/**
	 * What stands around the calls.
	 * @return the first is the outermost, inside of those of the client
	 */
	public List<RpcClientInterceptor> interceptors() {
		return this.interceptors;
	}

	/**
	 * How calls get along with their instances.
	 * @return null for the choice of the client
	 */
	public @Nullable ResilienceOptions resilience() {
		return this.resilience;
	}

}
