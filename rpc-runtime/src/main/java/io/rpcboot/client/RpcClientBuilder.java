package io.rpcboot.client;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link RpcClient}. Each setting has a default. Not thread-safe.
 *
 * <pre>{@code
 * RpcClient client = RpcClient.builder()
 *     .registry(registry)
 *     .timeout(Duration.ofSeconds(1))
 *     .maxPendingCalls(10_000)
 *     .build();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RpcClientBuilder {

	final ClientOptions options = new ClientOptions();

	RpcClientBuilder() {
	}

	/**
	 * Sets the name that servers see in their logs. Default: empty.
	 * @param name any text, empty for none
	 * @return this
	 */
	public RpcClientBuilder applicationName(String name) {
		this.options.applicationName = name;
		return this;
	}

	/**
	 * Sets the registry that names the instances. Without a registry, each reference
	 * needs addresses. Default: none.
	 * @param registry the registry; the client does not close it
	 * @return this
	 */
	public RpcClientBuilder registry(Registry registry) {
		this.options.registry = registry;
		return this;
	}

	/**
	 * Sets the look-up of {@code dns:} addresses. Default: {@link DnsOptions#defaults()}.
	 * @param dns interval and resolver
	 * @return this
	 */
	public RpcClientBuilder dns(DnsOptions dns) {
		this.options.dns = dns;
		return this;
	}

	/**
	 * Returns the present look-up options, so that a customizer can change a part.
	 * @return interval and resolver
	 */
	public DnsOptions dns() {
		return this.options.dns;
	}

	/**
	 * Sets the default serializer of references. Default: protostuff.
	 * @param serializer a serializer that the servers accept
	 * @return this
	 * @throws io.rpcboot.RpcConfigurationException if its name is invalid
	 */
	public RpcClientBuilder serializer(Serializer serializer) {
		Options.require(Serializer.hasValidName(serializer), "serializer", "'" + serializer.name() + "'",
				"a name of lower-case letters, digits and '-', at most 32");
		this.options.serializer = serializer;
		return this;
	}

	/**
	 * Sets the default protocol of references. Default: {@link Protocol#NATIVE}.
	 * @param protocol the protocol
	 * @return this
	 */
	public RpcClientBuilder protocol(Protocol protocol) {
		Options.require(!protocol.isOfBrowsers(), "protocol", Protocol.format(Set.of(protocol)),
				"native or grpc; only servers speak the protocols of browsers");
		this.options.protocol = protocol;
		return this;
	}

	/**
	 * Sets TLS of the connections of references without their own. Default: clear text.
	 * {@link RpcClient#renewTls} changes it at run time.
	 * @param tls the options; connections in one process have no TLS
	 * @return this
	 */
	public RpcClientBuilder tls(TlsOptions tls) {
		this.options.tls = tls;
		return this;
	}

	/**
	 * Returns the present TLS, so that a customizer can change a part.
	 * @return the options, null for clear text
	 */
	public @Nullable TlsOptions tls() {
		return this.options.tls;
	}

	/**
	 * Sets the credentials that connections of references without their own send, over
	 * TLS only, and only over {@link #tls(TlsOptions)} if it is set. Default: none.
	 * @param credentials the provider; connections in one process send none
	 * @return this
	 */
	public RpcClientBuilder credentials(CredentialsProvider credentials) {
		this.options.credentials = credentials;
		return this;
	}

	/**
	 * Allows credentials over clear text, where others may read them. Default: references
	 * with credentials need TLS.
	 * @return this
	 */
	public RpcClientBuilder allowClearTextCredentials() {
		this.options.clearTextCredentials = true;
		return this;
	}

	/**
	 * Sets additional types, which messages of gRPC may contain. They are used if the
	 * {@link #serializer} is no built-in one, whose types gRPC has otherwise. Default:
	 * none.
	 * @param types the types, as the serializers get them
	 * @return this
	 */
	public RpcClientBuilder grpcTypes(TypeOptions types) {
		this.options.grpcTypes = types;
		return this;
	}

	/**
	 * Sets the recorder of metrics. Default: none.
	 * @param metrics the recorder
	 * @return this
	 */
	public RpcClientBuilder metrics(RpcMetrics metrics) {
		this.options.metrics = metrics;
		return this;
	}

	/**
	 * Sets the default timeout of a call, from its start to its result. Default: 3 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcClientBuilder timeout(Duration timeout) {
		this.options.timeout = Options.positive("timeout", timeout);
		return this;
	}

	/**
	 * Sets the time that a call waits for an instance while one may come: from its start
	 * while the registry may name one soon, or no attempt to connect has ended, and from
	 * the loss of the last ready instance on. At most 32 calls of a reference wait for a
	 * registry that has named no reachable instance, unless one is
	 * {@linkplain #expectedServices expected}. All other calls fail at once: those to
	 * fixed addresses that refuse, and those with a registry that
	 * {@linkplain Registry#isSynchronous() names instances without delay}. Default: 1 s,
	 * and until the first attempt to connect ends, {@link #connectTimeout} at most.
	 * @param time 0 to never wait; a call never waits beyond its deadline
	 * @return this
	 */
	public RpcClientBuilder waitForInstance(Duration time) {
		this.options.waitForInstance = ReferenceOptions.requireWait(time);
		this.options.waitsByDefault = false;
		return this;
	}

	/**
	 * Sets advice for the message of a call that fails because the registry names no
	 * instance. Default: none.
	 * @param advice returns the advice for a service, empty for none; must not block,
	 * because event loops call it
	 * @return this
	 */
	public RpcClientBuilder adviceWithoutInstance(Function<ServiceId, String> advice) {
		this.options.adviceWithoutInstance = advice;
		return this;
	}

	/**
	 * Sets the services of which the application expects an instance although the
	 * registry names none, because this process is about to register it. All calls to
	 * them wait up to {@link #waitForInstance}. Default: none.
	 * @param expected returns true if an instance is expected; must not block, because
	 * event loops call it
	 * @return this
	 */
	public RpcClientBuilder expectedServices(Predicate<ServiceId> expected) {
		this.options.expectedServices = expected;
		return this;
	}

	/**
	 * Sets the number of connections to each server. Default: 1, because a connection
	 * carries many concurrent calls.
	 * @param connections 1 to 64
	 * @return this
	 */
	public RpcClientBuilder connectionsPerEndpoint(int connections) {
		Options.require(connections >= 1 && connections <= 64, "connections-per-endpoint", connections, "1 to 64");
		this.options.connectionsPerEndpoint = connections;
		return this;
	}

	/**
	 * Sets the limit of pending calls of the client. {@link #whenFull} decides about
	 * calls beyond it. Default: 65536.
	 * @param calls 1 or more
	 * @return this
	 */
	public RpcClientBuilder maxPendingCalls(int calls) {
		Options.require(calls >= 1, "max-pending-calls", calls, "1 or more");
		this.options.maxPendingCalls = calls;
		return this;
	}

	/**
	 * Sets the memory budget for bodies, and the least rate at which a server must read
	 * them. Default: {@link MemoryOptions#defaults()}.
	 * @param options limit and least rate
	 * @return this
	 */
	public RpcClientBuilder memory(MemoryOptions options) {
		this.options.memory = options;
		return this;
	}

	/**
	 * Sets the policy for asynchronous calls beyond {@link #maxPendingCalls}. Default:
	 * {@link OverflowPolicy#BLOCK}.
	 * @param whenFull the policy
	 * @return this
	 */
	public RpcClientBuilder whenFull(OverflowPolicy whenFull) {
		this.options.whenFull = whenFull;
		return this;
	}

	/**
	 * Sets the largest body that is sent or accepted, in bytes. Default: 8 MiB.
	 * @param bytes 1024 or more
	 * @return this
	 */
	public RpcClientBuilder maxFrameSize(int bytes) {
		Options.require(bytes >= 1024, "max-frame-size", bytes, "1024 (1KB) or more bytes");
		this.options.maxFrameSize = bytes;
		return this;
	}

	/**
	 * Sets the largest size of the attachments of a call and of a reply, in bytes.
	 * Default: 8192.
	 * @param bytes 0 (none) to 65535
	 * @return this
	 */
	public RpcClientBuilder maxAttachmentsSize(int bytes) {
		this.options.maxAttachments = Options.attachmentsSize(bytes);
		return this;
	}

	/**
	 * Sets the attachments that calls forward from the served call for which they are
	 * made. Default: none.
	 * @param names names of attachments, in upper or lower case
	 * @return this
	 */
	public RpcClientBuilder forwardAttachments(Collection<String> names) {
		Set<String> forwarded = new TreeSet<>();
		for (String name : names) {
			String key = name.toLowerCase(Locale.ROOT);
			Options.require(Attachments.isName(key) && !key.startsWith(Attachments.RESERVED_PREFIX),
					"forward-attachments", "'" + name + "'",
					"names of 1 to 64 letters, digits, '.', '_' and '-', which do not begin with 'rpc-'");
			if (key.equals(Credentials.ATTACHMENT)) {
				throw InvalidOptionException.unusable("forward-attachments", name + " has credentials of the caller",
						"Set references.<name>.relay-credentials=true for references that may get them.", null);
			}
			forwarded.add(key);
		}
		this.options.forwardedAttachments = Set.copyOf(forwarded);
		return this;
	}

	/**
	 * Adds an interceptor of the calls of all references. Default: none.
	 * @param interceptor the interceptor, inside of earlier ones
	 * @return this
	 */
	public RpcClientBuilder interceptor(RpcClientInterceptor interceptor) {
		this.options.interceptors.add(interceptor);
		return this;
	}

	/**
	 * Sets the default thread that completes futures. Default:
	 * {@link CallbackThread#POOL}.
	 * @param callbacks the kind of thread
	 * @return this
	 */
	public RpcClientBuilder callbacks(CallbackThread callbacks) {
		this.options.callbacks = callbacks;
		return this;
	}

	/**
	 * Sets the largest number of threads of the callback pool, which completes futures.
	 * Default: 0, twice the number of cores.
	 * @param threads 0 (automatic) or more
	 * @return this
	 */
	public RpcClientBuilder callbackThreads(int threads) {
		Options.require(threads >= 0, "callback-threads", threads, "0 (automatic) or more");
		this.options.callbackThreads = threads;
		return this;
	}

	/**
	 * Sets the timeout of a connection attempt: for the connection, for the handshake of
	 * TLS, and for that of the protocol, each. Time in which this process does not run
	 * does not count. Default: 3 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcClientBuilder connectTimeout(Duration timeout) {
		this.options.connectTimeout = Options.positive("connect-timeout", timeout);
		return this;
	}

	/**
	 * Sets the keep-alive of connections: a probe is sent after an idle interval, and the
	 * connection is closed if nothing arrives within the timeout. Defaults: 15 s and 10
	 * s.
	 * @param interval idle time before a probe, 10 ms or more
	 * @param timeout time until any byte must arrive, 10 ms or more
	 * @return this
	 */
	public RpcClientBuilder keepAlive(Duration interval, Duration timeout) {
		this.options.keepAliveInterval = atLeast10Millis("keep-alive.interval", interval);
		this.options.keepAliveTimeout = atLeast10Millis("keep-alive.timeout", timeout);
		return this;
	}

	/**
	 * Sets the exponential backoff between attempts to connect: the nth pause is min(max,
	 * min * 2^(n - 1)) times a random factor from 0.8 to 1.2. Defaults: 100 ms and 10 s.
	 * @param min the first pause, more than 0
	 * @param max the longest pause, at least {@code min}
	 * @return this
	 */
	public RpcClientBuilder backoff(Duration min, Duration max) {
		this.options.minBackoff = Options.positive("backoff.min", min);
		Options.require(max.compareTo(min) >= 0, "backoff.max", max, "at least backoff.min, which is " + min);
		this.options.maxBackoff = max;
		return this;
	}

	/**
	 * Sets how long {@link RpcClient#close()} waits for pending calls. Default: 0.
	 * @param gracePeriod longest time, 0 to fail them at once
	 * @return this
	 */
	public RpcClientBuilder gracePeriod(Duration gracePeriod) {
		Options.require(!gracePeriod.isNegative(), "shutdown.grace-period", gracePeriod, "0 or more");
		this.options.gracePeriod = gracePeriod;
		return this;
	}

	/**
	 * Sets when connections flush. Default: {@link BatchingOptions#defaults()}.
	 * @param batching the options
	 * @return this
	 */
	public RpcClientBuilder batching(BatchingOptions batching) {
		this.options.batching = batching;
		return this;
	}

	/**
	 * Sets the transport and its event loops. Default:
	 * {@link EventLoopOptions#defaults()}.
	 * @param eventLoop the options
	 * @return this
	 */
	public RpcClientBuilder eventLoop(EventLoopOptions eventLoop) {
		this.options.eventLoop = eventLoop;
		return this;
	}

	/**
	 * Sets the options of sockets. Default: {@link SocketOptions#defaults()}.
	 * @param socket the options
	 * @return this
	 */
	public RpcClientBuilder socket(SocketOptions socket) {
		this.options.socket = socket;
		return this;
	}

	/**
	 * Adds a listener of connections. Default: none.
	 * @param listener the listener, called after earlier ones
	 * @return this
	 */
	public RpcClientBuilder connectionListener(RpcConnectionListener listener) {
		this.options.connectionListeners.add(listener);
		return this;
	}

	/**
	 * Sets the load balancer. Default: calls with a {@linkplain io.rpcboot.RpcRouteKey
	 * key} go by the key, others by
	 * {@link io.rpcboot.loadbalance.PowerOfTwoLoadBalancer}.
	 * @param loadBalancer makes a load balancer for each reference
	 * @return this
	 */
	public RpcClientBuilder loadBalancer(Supplier<LoadBalancer> loadBalancer) {
		this.options.loadBalancer = loadBalancer;
		return this;
	}

	/**
	 * Sets the default retries, hedging, ejection and routing of references. Default:
	 * {@link ResilienceOptions#defaults()}.
	 * @param resilience the options, which replace earlier ones
	 * @return this
	 */
	public RpcClientBuilder resilience(ResilienceOptions resilience) {
		this.options.resilience = resilience;
		return this;
	}

	/**
	 * Returns the present resilience options, so that a customizer can change a part.
	 * @return the options
	 */
	public ResilienceOptions resilience() {
		return this.options.resilience;
	}

	/**
	 * Builds the client. It connects with its first reference.
	 * @return the client
	 */
	public RpcClient build() {
		return new RpcClient(this.options.frozen());
	}

	private static Duration atLeast10Millis(String name, Duration value) {
		Options.require(value.compareTo(Duration.ofMillis(10)) >= 0, name, value, "10ms or more");
		return value;
	}

}
