package io.rpcboot.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.registry.dns.DnsRegistry;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Options of a reference. Options that are not set come from the client. Immutable.
 *
 * <pre>{@code
 * ReferenceOptions options = ReferenceOptions.defaults()
 *     .withVersion("2")
 *     .withTimeout(Duration.ofMillis(500))
 *     .withMethodTimeout("report", Duration.ofSeconds(10));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ReferenceOptions extends Options {

	private static final ReferenceOptions DEFAULTS = new ReferenceOptions();

	private String version = "";

	private String group = "";

	private @Nullable Duration timeout;

	private @Nullable Duration waitForInstance;

	private List<Endpoint> endpoints = List.of();

	private List<Endpoint> dnsEndpoints = List.of();

	private @Nullable Protocol protocol;

	private @Nullable TlsOptions tls;

	private @Nullable CredentialsProvider credentials;

	private boolean relaysCredentials;

	private @Nullable Serializer serializer;

	private @Nullable BatchingOptions batching;

	private @Nullable CallbackThread callbacks;

	private boolean detached;

	/** By the name of the method. */
	private Map<String, Duration> methodTimeouts = Map.of();

	/** By the name of the method. */
	private Map<String, Boolean> methodIdempotence = Map.of();

	private @Nullable Supplier<?> fallback;

	private List<RpcClientInterceptor> interceptors = List.of();

	private @Nullable ResilienceOptions resilience;

	private BinaryOperator<String> valueResolver = (method, text) -> text;

	private ReferenceOptions() {
	}

	/**
	 * Returns options without version and group, with all settings of the client.
	 * @return the defaults
	 */
	public static ReferenceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Sets the version of the service. Default: empty.
	 * @param version the version, empty for none
	 * @return changed options
	 */
	public ReferenceOptions withVersion(String version) {
		return copy((changed) -> changed.version = version);
	}

	/**
	 * Sets the group of the service. Default: empty.
	 * @param group the group, empty for none
	 * @return changed options
	 */
	public ReferenceOptions withGroup(String group) {
		return copy((changed) -> changed.group = group);
	}

	/**
	 * Sets the timeout of calls. Default: that of the client.
	 * @param timeout more than 0
	 * @return changed options
	 */
	public ReferenceOptions withTimeout(Duration timeout) {
		positive("timeout", timeout);
		return copy((changed) -> changed.timeout = timeout);
	}

	/**
	 * Sets the timeout of the calls of one method. It replaces the timeout of its
	 * {@link io.rpcboot.RpcMethod}.
	 * @param method the name of a method; overloads share the timeout
	 * @param timeout more than 0
	 * @return changed options
	 */
	public ReferenceOptions withMethodTimeout(String method, Duration timeout) {
		positive("methods." + method + ".timeout", timeout);
		return copy((changed) -> changed.methodTimeouts = with(this.methodTimeouts, method, timeout));
	}

	/**
	 * Sets whether one method is idempotent, so that a call may execute more than once.
	 * It replaces the value of its {@link io.rpcboot.RpcMethod} at this reference, also
	 * in {@link MethodDescriptor#isIdempotent()} of interceptors; servers keep theirs.
	 * @param method the name of a method; overloads share the value
	 * @param idempotent true if a call may execute more than once
	 * @return changed options
	 */
	public ReferenceOptions withIdempotent(String method, boolean idempotent) {
		return copy((changed) -> changed.methodIdempotence = with(this.methodIdempotence, method, idempotent));
	}

	/**
	 * Sets a fallback, which is called if a call fails without a verdict of the
	 * application: with {@code UNAVAILABLE}, {@code DEADLINE_EXCEEDED},
	 * {@code RESOURCE_EXHAUSTED} or {@code INTERNAL}; or with {@code NOT_FOUND},
	 * {@code FAILED_PRECONDITION} or {@code UNIMPLEMENTED} if the method did not execute.
	 * The caller gets the result or the exception of the same method of the fallback. It
	 * runs on the thread of the caller; if a future fails later, on the thread that
	 * completes it, which must not block with {@link CallbackThread#EVENT_LOOP}. It is
	 * outside of the interceptors of the reference, and inside of those of the client.
	 * @param fallback supplies an object that implements the interface, called at each
	 * such failure; null for none
	 * @return changed options
	 */
	public ReferenceOptions withFallback(@Nullable Supplier<?> fallback) {
		return copy((changed) -> changed.fallback = fallback);
	}

	/**
	 * Sets the time that a call waits for an instance, as explained in
	 * {@link RpcClientBuilder#waitForInstance}. Default: that of the client.
	 * @param time 0 to never wait; a call never waits beyond its deadline
	 * @return changed options
	 */
	public ReferenceOptions withWaitForInstance(Duration time) {
		return copy((changed) -> changed.waitForInstance = requireWait(time));
	}

	/**
	 * Sets what resolves placeholders in {@link io.rpcboot.RpcMethod#timeout()}. Default:
	 * the text as it is.
	 * @param resolver returns the value, by the method, for messages, and the text of the
	 * annotation; called once for each method, when the reference is made
	 * @return changed options
	 */
	public ReferenceOptions withValueResolver(BinaryOperator<String> resolver) {
		ReferenceOptions changed = copy();
		changed.valueResolver = resolver;
		return changed;
	}

	static Duration requireWait(Duration time) {
		require(!time.isNegative(), "wait-for-instance", time, "0 (never wait) or more");
		return time;
	}

	/**
	 * Sets fixed addresses in place of the registry.
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
	 * Sets addresses in place of the registry.
	 * @param addresses one or more: {@code host:port} or {@code [ipv6]:port} for one
	 * instance; {@code dns:host:port} for one instance at each address of the host, which
	 * is looked up periodically
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if an address has neither form
	 */
	public ReferenceOptions withAddresses(List<String> addresses) {
		ReferenceOptions changed = copy();
		changed.endpoints = DnsRegistry.fixed(addresses);
		changed.dnsEndpoints = DnsRegistry.names(addresses);
		return changed;
	}

	/**
	 * Sets the protocol. References to one service may use different ones. Default: that
	 * of the client.
	 * @param protocol a protocol that the servers speak; messages of
	 * {@link Protocol#GRPC} are protobuf, so that it takes no serializer
	 * @return changed options
	 */
	public ReferenceOptions withProtocol(Protocol protocol) {
		Options.require(!protocol.isOfBrowsers(), "protocol", Protocol.format(Set.of(protocol)),
				"native or grpc; only servers speak the protocols of browsers");
		return copy((changed) -> changed.protocol = protocol);
	}

	/**
	 * Sets TLS of the connections. Default: that of the client.
	 * @param tls the options, the same object for all references that share connections;
	 * or {@link TlsOptions#clearText()}
	 * @return changed options
	 */
	public ReferenceOptions withTls(TlsOptions tls) {
		return copy((changed) -> changed.tls = tls);
	}

	/**
	 * Sets the credentials of the connections. Default: those of the client with its TLS,
	 * none with clear text beside a client with TLS; with other TLS it must be set.
	 * @param credentials the provider, the same object for all references that share
	 * connections; {@link CredentialsProvider#none()} or
	 * {@link CredentialsProvider#ofClient()}
	 * @return changed options
	 */
	public ReferenceOptions withCredentials(CredentialsProvider credentials) {
		return copy((changed) -> changed.credentials = credentials);
	}

	/**
	 * Sets whether a call that is made for a served call carries the credentials of that
	 * call: its attachment {@code authorization}. A served call without one leaves the
	 * credentials of the connection. Default: false.
	 * @param relayed true to relay them
	 * @return changed options
	 */
	public ReferenceOptions withRelayedCredentials(boolean relayed) {
		return copy((changed) -> changed.relaysCredentials = relayed);
	}

	/**
	 * Sets the serializer. References to one service may use different ones. Default:
	 * that of the client.
	 * @param serializer a serializer that the servers accept for this service
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if its name is invalid
	 */
	public ReferenceOptions withSerializer(Serializer serializer) {
		require(Serializer.hasValidName(serializer), "serializer", "'" + serializer.name() + "'",
				"a name of lower-case letters, digits and '-', at most 32");
		return copy((changed) -> changed.serializer = serializer);
	}

	/**
	 * Sets when connections flush. References to one server share connections only if
	 * their batching is equal. Default: that of the client.
	 * @param batching the options
	 * @return changed options
	 */
	public ReferenceOptions withBatching(BatchingOptions batching) {
		return copy((changed) -> changed.batching = batching);
	}

	/**
	 * Sets the thread that completes futures. Default: that of the client.
	 * @param callbacks the kind of thread
	 * @return changed options
	 */
	public ReferenceOptions withCallbacks(CallbackThread callbacks) {
		return copy((changed) -> changed.callbacks = callbacks);
	}

	/**
	 * Sets whether calls are independent of the served call for which they are made.
	 * Default: false, a call has at most the remaining time of the served call, and is
	 * cancelled with it.
	 * @param detached true for independent calls
	 * @return changed options
	 */
	public ReferenceOptions withDetached(boolean detached) {
		return copy((changed) -> changed.detached = detached);
	}

	/**
	 * Sets interceptors of the reference, which are inside of those of the client. An
	 * interceptor of the client is not applied twice.
	 * @param interceptors interceptors, the outermost first
	 * @return changed options
	 */
	public ReferenceOptions withInterceptors(List<? extends RpcClientInterceptor> interceptors) {
		return copy((changed) -> changed.interceptors = List.copyOf(interceptors));
	}

	/**
	 * Sets retries, hedging, ejection and routing. Default: those of the client.
	 * @param resilience the options, which replace all of those of the client
	 * @return changed options
	 */
	public ReferenceOptions withResilience(ResilienceOptions resilience) {
		return copy((changed) -> changed.resilience = resilience);
	}

	/**
	 * Returns the version of the service.
	 * @return the version, empty for none
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Returns the group of the service.
	 * @return the group, empty for none
	 */
	public String group() {
		return this.group;
	}

	/**
	 * Returns the timeout of calls.
	 * @return the timeout, null for that of the client
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns the timeouts of single methods.
	 * @return timeouts by the name of the method
	 */
	public Map<String, Duration> methodTimeouts() {
		return this.methodTimeouts;
	}

	/**
	 * Returns whether single methods are idempotent.
	 * @return values by the name of the method
	 */
	public Map<String, Boolean> idempotence() {
		return this.methodIdempotence;
	}

	/**
	 * Returns the fallback.
	 * @return the supplier of the fallback, null for none
	 */
	public @Nullable Supplier<?> fallback() {
		return this.fallback;
	}

	/**
	 * Returns the time that a call waits for an instance.
	 * @return the time, null for that of the client
	 */
	public @Nullable Duration waitForInstance() {
		return this.waitForInstance;
	}

	/**
	 * Returns what resolves placeholders of methods.
	 * @return never null
	 */
	public BinaryOperator<String> valueResolver() {
		return this.valueResolver;
	}

	/**
	 * Returns the fixed addresses.
	 * @return addresses; empty if instances come from {@link #dnsEndpoints} or from the
	 * registry
	 */
	public List<Endpoint> endpoints() {
		return this.endpoints;
	}

	/**
	 * Returns the DNS names in place of the registry.
	 * @return names with the port of their instances, empty for none
	 */
	public List<Endpoint> dnsEndpoints() {
		return this.dnsEndpoints;
	}

	/**
	 * Returns the protocol.
	 * @return the protocol, null for that of the client
	 */
	public @Nullable Protocol protocol() {
		return this.protocol;
	}

	/**
	 * Returns TLS of the connections.
	 * @return the options, null for those of the client
	 */
	public @Nullable TlsOptions tls() {
		return this.tls;
	}

	/**
	 * Returns the provider of credentials.
	 * @return the provider, null for that of the client
	 */
	public @Nullable CredentialsProvider credentials() {
		return this.credentials;
	}

	/**
	 * Returns true if calls carry the credentials of the served call for which they are
	 * made.
	 * @return true if credentials are relayed
	 */
	public boolean relaysCredentials() {
		return this.relaysCredentials;
	}

	/**
	 * Returns the serializer.
	 * @return the serializer, null for that of the client
	 */
	public @Nullable Serializer serializer() {
		return this.serializer;
	}

	/**
	 * Returns when connections flush.
	 * @return the batching, null for that of the client
	 */
	public @Nullable BatchingOptions batching() {
		return this.batching;
	}

	/**
	 * Returns the thread that completes futures.
	 * @return the kind of thread, null for that of the client
	 */
	public @Nullable CallbackThread callbacks() {
		return this.callbacks;
	}

	/**
	 * Returns true if calls are independent of the served call for which they are made.
	 * @return true for independent calls
	 */
	public boolean isDetached() {
		return this.detached;
	}

	/**
	 * Returns the interceptors of the reference.
	 * @return interceptors, the outermost first
	 */
	public List<RpcClientInterceptor> interceptors() {
		return this.interceptors;
	}

	/**
	 * Returns retries, hedging, ejection and routing.
	 * @return the options, null for those of the client
	 */
	public @Nullable ResilienceOptions resilience() {
		return this.resilience;
	}

}
