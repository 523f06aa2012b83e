package io.rpcboot.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.Endpoint;
import io.rpcboot.interceptor.RpcClientInterceptor;
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

	private @Nullable Serializer serializer;

	private @Nullable BatchingOptions batching;

	private @Nullable Callbacks callbacks;

	private boolean detached;

	/** By the name of the method; overloads share it. */
	private Map<String, Duration> methodTimeouts = Map.of();

	private List<RpcClientInterceptor> interceptors = List.of();

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
	public ReferenceOptions withCallbacks(Callbacks callbacks) {
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
	 * Stand around the calls, inside of the interceptors of the client.
	 * @param interceptors the first is the outermost
	 * @return changed options
	 */
	public ReferenceOptions withInterceptors(List<? extends RpcClientInterceptor> interceptors) {
		ReferenceOptions changed = copy();
		changed.interceptors = List.copyOf(interceptors);
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
	 * How long a call waits for an instance.
	 * @return null for the choice of the client
	 */
	public @Nullable Duration waitForInstance() {
		return this.waitForInstance;
	}

	/**
	 * Where to call, without a registry.
	 * @return empty to ask the registry
	 */
	public List<Endpoint> endpoints() {
		return this.endpoints;
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
	public @Nullable Callbacks callbacks() {
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

}
