package io.rpcboot.internal.client.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.logging.CallLoggingMetrics;
import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.PowerOfTwoLoadBalancer;
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
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Options of a client. The builder sets the values; the client has a copy that does not
 * change.
 */
public final class ClientOptions extends Options {

	/**
	 * Begin of the properties of a reference; a caller that knows the name inserts it.
	 */
	private static final String OF_REFERENCE = "rpc.client.references.<name>.";

	public String applicationName = "";

	public @Nullable Registry registry;

	public DnsOptions dns = DnsOptions.defaults();

	public @Nullable Serializer serializer;

	public Protocol protocol = Protocol.NATIVE;

	public @Nullable TlsOptions tls;

	public @Nullable CredentialsProvider credentials;

	public boolean clearTextCredentials;

	public TypeOptions grpcTypes = TypeOptions.NONE;

	public RpcMetrics metrics = RpcMetrics.none();

	public Duration timeout = Duration.ofSeconds(3);

	public Duration waitForInstance = Duration.ofSeconds(1);

	/** True if no setting says it. */
	public boolean waitsByDefault = true;

	public Function<ServiceId, String> adviceWithoutInstance = (service) -> "";

	public Predicate<ServiceId> expectedServices = (service) -> false;

	public int connectionsPerEndpoint = 1;

	public int maxPendingCalls = 65_536;

	public MemoryOptions memory = MemoryOptions.defaults();

	public int maxFrameSize = 8 * 1024 * 1024;

	public int maxAttachments = DEFAULT_ATTACHMENTS;

	/** Names in lower case. */
	public Set<String> forwardedAttachments = Set.of();

	public List<RpcClientInterceptor> interceptors = new ArrayList<>();

	public OverflowPolicy whenFull = OverflowPolicy.BLOCK;

	public CallbackThread callbacks = CallbackThread.POOL;

	/** 0 for twice the number of processors. */
	public int callbackThreads = 0;

	public Duration connectTimeout = Duration.ofSeconds(3);

	public Duration keepAliveInterval = Duration.ofSeconds(15);

	public Duration keepAliveTimeout = Duration.ofSeconds(10);

	public Duration minBackoff = Duration.ofMillis(100);

	public Duration maxBackoff = Duration.ofSeconds(10);

	public Duration gracePeriod = Duration.ZERO;

	public BatchingOptions batching = BatchingOptions.defaults();

	public EventLoopOptions eventLoop = EventLoopOptions.defaults();

	public SocketOptions socket = SocketOptions.defaults();

	public List<RpcConnectionListener> connectionListeners = new ArrayList<>();

	public ResilienceOptions resilience = ResilienceOptions.defaults();

	public Supplier<LoadBalancer> loadBalancer = () -> new ConsistentHashLoadBalancer(new PowerOfTwoLoadBalancer());

	/** Returns the options of references without their own. */
	public ReferenceDefaults defaults() {
		return new ReferenceDefaults(this.timeout, this.waitForInstance, this.waitsByDefault, this.resilience,
				this.loadBalancer);
	}

	/**
	 * Returns the key of the connections of a reference, whose own options take
	 * precedence. Those in one process have neither TLS nor credentials.
	 * @throws RpcConfigurationException if credentials would travel over clear text
	 */
	public PoolsKey poolsKey(Protocol used, ReferenceOptions reference) {
		TlsOptions ownTls = (reference.tls() != null) ? enabled(reference.tls()) : this.tls;
		if (this.eventLoop.transport() == EventLoopOptions.Transport.IN_PROCESS) {
			return new PoolsKey(used, ownTls, null, false);
		}
		CredentialsProvider own = credentials(reference, ownTls);
		boolean secret = (own != null || reference.relaysCredentials()) && !this.clearTextCredentials;
		if (secret && ownTls == null) {
			throw new RpcConfigurationException(
					"rpc.client.auth.allow-clear-text: false, but credentials would travel without TLS",
					"Set %s if the servers of this reference must not have them; else rpc.client.ssl.bundle, or rpc.client.auth.allow-clear-text=true in a private network."
						.formatted(reference.relaysCredentials() ? OF_REFERENCE + "relay-credentials=false"
								: OF_REFERENCE + "credentials=none"));
		}
		return new PoolsKey(used, ownTls, own, secret);
	}

	/**
	 * Returns the provider of a reference. That of the client is for servers to which its
	 * own TLS leads: others would learn a secret that opens the servers of the client.
	 * @param ownTls TLS of the reference, null for clear text
	 */
	private @Nullable CredentialsProvider credentials(ReferenceOptions reference, @Nullable TlsOptions ownTls) {
		CredentialsProvider chosen = reference.credentials();
		boolean isDefault = chosen == CredentialsProvider.ofClient();
		if (chosen != null && !isDefault) {
			return (chosen != CredentialsProvider.none()) ? chosen : null;
		}
		TlsOptions client = this.tls;
		if (this.credentials == null || client == null || (ownTls != null && isSame(ownTls, client))) {
			return this.credentials;
		}
		if (ownTls == null && isDefault) {
			throw new RpcConfigurationException(
					OF_REFERENCE + "credentials: default, but the reference speaks clear text, and the client TLS",
					"Set it to none, or use the SSL bundle of the client.");
		}
		if (ownTls != null && !isDefault) {
			throw new RpcConfigurationException(
					OF_REFERENCE
							+ "credentials: not set, but the reference has the SSL bundle '%s', and the client '%s'"
								.formatted(ownTls.name(), client.name()),
					"Set it to none if the servers of this reference must not have the credentials of the client, to default if they may, or to the name of a CredentialsProvider bean.");
		}
		return isDefault ? this.credentials : null;
	}

	/** Returns true for the same material; the mode of the client may differ. */
	private static boolean isSame(TlsOptions one, TlsOptions other) {
		return one.name().equals(other.name()) && one.keys() == other.keys() && one.trusted() == other.trusted()
				&& one.context() == other.context();
	}

	private static @Nullable TlsOptions enabled(@Nullable TlsOptions options) {
		return (options != null && options.mode() == TlsOptions.Mode.DISABLED) ? null : options;
	}

	/**
	 * Key of pools, which the references with the same key share.
	 *
	 * @param protocol protocol of the connections
	 * @param tls TLS of the connections as of the reference or the client, null for none
	 * @param credentials provider of their credentials, null for none
	 * @param requiresTls true if clear text must not carry them
	 */
	public record PoolsKey(Protocol protocol, @Nullable TlsOptions tls, @Nullable CredentialsProvider credentials,
			boolean requiresTls) {
	}

	/** Returns the names of the attachments that calls of a reference forward. */
	public Set<String> forwarded(ReferenceOptions reference) {
		Set<String> names = new TreeSet<>(this.forwardedAttachments);
		if (reference.relaysCredentials()) {
			names.add(Credentials.ATTACHMENT);
		}
		return Set.copyOf(names);
	}

	/** Returns a copy with immutable lists and with logging of failed calls. */
	public ClientOptions frozen() {
		ClientOptions frozen = copy();
		frozen.connectionListeners = List.copyOf(this.connectionListeners);
		frozen.interceptors = List.copyOf(this.interceptors);
		frozen.tls = enabled(this.tls);
		frozen.credentials = (this.credentials == CredentialsProvider.none()) ? null : this.credentials;
		frozen.metrics = CallLoggingMetrics.over(Side.CLIENT, this.metrics);
		return frozen;
	}

}
