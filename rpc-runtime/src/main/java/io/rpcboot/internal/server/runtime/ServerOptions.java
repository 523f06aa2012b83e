package io.rpcboot.internal.server.runtime;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.call.PassedCalls;
import io.rpcboot.internal.logging.CallLoggingMetrics;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.services.ServiceRegistration;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.server.AdmissionOptions;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.server.InstanceOptions;
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
 * Options of a server. The builder sets them, the server has a frozen copy.
 */
public final class ServerOptions extends Options {

	/** Valid name of a ZooKeeper node with at least one visible character. */
	private static final Pattern APPLICATION_NAME = Pattern
		.compile("(?!\\.{1,2}$)(?=.*\\S)[^/\\p{C}\\x{FFF0}-\\x{10FFFF}]+");

	/** Divisor of the connections that one address may have by default: a quarter. */
	private static final int ADDRESS_SHARE = 4;

	/** Default minimum of connections per address; no client opens more. */
	private static final int LEAST_PER_ADDRESS = 64;

	public Map<ServiceDescriptor, ServiceRegistration> services = new LinkedHashMap<>();

	public String applicationName = "rpc-application";

	public String bindAddress = "";

	public int port = 9090;

	public String advertisedAddress = "";

	public @Nullable Registry registry;

	public List<Serializer> serializers = List.of();

	public Set<Protocol> protocols = Set.of(Protocol.NATIVE, Protocol.GRPC, Protocol.CONNECT);

	public @Nullable TlsOptions tls;

	public AccessOptions access = AccessOptions.defaults();

	public GrpcOptions grpc = GrpcOptions.defaults();

	public HttpOptions http = HttpOptions.defaults();

	public RpcMetrics metrics = RpcMetrics.none();

	public InstanceOptions instance = InstanceOptions.defaults();

	public Dispatch dispatch = Dispatch.POOL;

	public int maxThreads = 200;

	public int maxFrameSize = 8 * 1024 * 1024;

	public int maxAttachments = DEFAULT_ATTACHMENTS;

	public ExceptionExposure exposure = ExceptionExposure.TYPE;

	public List<RpcServerInterceptor> interceptors = new ArrayList<>();

	public int maxConnections = 10_000;

	public @Nullable Integer maxConnectionsPerAddress;

	public AdmissionOptions admission = AdmissionOptions.defaults();

	public int maxInFlightCalls = 20_000;

	public int maxCallsPerConnection = 4096;

	public int maxStreams = 10_000;

	public int maxStreamsPerConnection = 1000;

	public MemoryOptions memory = MemoryOptions.defaults();

	public Duration handshakeTimeout = Duration.ofSeconds(5);

	public Duration idleTimeout = Duration.ofSeconds(60);

	public Duration connectionAge = Duration.ZERO;

	public Duration connectionAgeGrace = Duration.ofHours(1);

	public BatchingOptions batching = BatchingOptions.defaults();

	public EventLoopOptions eventLoop = EventLoopOptions.defaults();

	public SocketOptions socket = SocketOptions.defaults();

	public List<RpcConnectionListener> connectionListeners = new ArrayList<>();

	/** Returns true if clients may use TLS; connections in one process have none. */
	public boolean hasTls() {
		return this.tls != null && this.tls.mode() != TlsOptions.Mode.DISABLED && !isInProcess();
	}

	/** Returns the name in its certificate; empty for the advertised host. */
	public String serverName() {
		TlsOptions used = this.tls;
		return (used != null) ? used.serverName() : "";
	}

	/** Returns a text about TLS for the log; empty for clear text. */
	public String encryption() {
		TlsOptions used = this.tls;
		if (used == null || !hasTls()) {
			return "";
		}
		String text = (used.clientAuth() == TlsOptions.ClientAuth.NEED) ? "mutual TLS" : "TLS";
		return (used.mode() == TlsOptions.Mode.OPTIONAL) ? text + " or clear text" : text;
	}

	/** Returns the maximum of connections per address. */
	public int connectionsPerAddress() {
		Integer asked = this.maxConnectionsPerAddress;
		return (asked != null) ? asked : Math.max(LEAST_PER_ADDRESS, this.maxConnections / ADDRESS_SHARE);
	}

	/** Rejects a name that the registry cannot have. */
	public static String application(String name) {
		require(APPLICATION_NAME.matcher(name).matches(), "application-name", "'" + name + "'",
				"a name without '/' and control characters, not '.' or '..'");
		return name;
	}

	/** Rejects a maximum of threads that is not positive. */
	public static int threads(int most) {
		require(most >= 1, "pool.max-threads", most, "1 or more");
		return most;
	}

	/**
	 * Returns the names of callers that services allow; none for those that do not say.
	 */
	public Map<ServiceId, Set<String>> allowed() {
		Map<ServiceId, Set<String>> allowed = new HashMap<>();
		this.services.forEach((service, offering) -> {
			Set<String> names = offering.options().allow();
			if (names != null) {
				allowed.put(service.id(), names);
			}
		});
		return allowed;
	}

	/**
	 * Returns true if access is limited: there is an authenticator, an authorizer or a
	 * list.
	 */
	public boolean limitsAccess() {
		return this.access.authenticator() != null || this.access.authorizer() != null || !allowed().isEmpty();
	}

	private boolean isInProcess() {
		return this.eventLoop.transport() == EventLoopOptions.Transport.IN_PROCESS;
	}

	/**
	 * Rejects lists of callers that no caller can be on.
	 * @param log receives a warning of rules that no caller can fulfil
	 */
	public void requireIdentities(RateLimitedLogger log) {
		boolean hasCertificates = this.tls != null && this.tls.mode() != TlsOptions.Mode.DISABLED
				&& this.tls.clientAuth() != TlsOptions.ClientAuth.NONE;
		if (limitsAccess() && this.access.authenticator() == null && !hasCertificates) {
			allowed().forEach((service, names) -> {
				throw InvalidOptionException.unusable("services." + service + ".allow",
						names + ", but no client can prove who it is",
						"Ask for certificates with rpc.server.ssl.client-auth=need, or give the server an authenticator, such as rpc.server.auth.secret.",
						null);
			});
			log.warn("Callers without identity",
					"rules decide about calls, but no client can prove who it is; ask for certificates with"
							+ " rpc.server.ssl.client-auth=need, or give the server an authenticator");
		}
		if (this.tls != null && hasTls() && this.tls.mode() == TlsOptions.Mode.OPTIONAL
				&& this.tls.clientAuth() == TlsOptions.ClientAuth.NEED && !limitsAccess()) {
			log.warn("Clients without certificate",
					"rpc.server.ssl.mode=optional: clients in clear text may call everything, although"
							+ " rpc.server.ssl.client-auth=need asks others for a certificate");
		}
		if (this.tls != null && !this.http.cors().allowedOrigins().isEmpty() && hasTls()
				&& this.tls.clientAuth() == TlsOptions.ClientAuth.NEED) {
			log.warn("Pages of other origins",
					"rpc.server.http.cors.allowed-origins has no effect with rpc.server.ssl.client-auth=need:"
							+ " browsers ask without a certificate whether they may call (expected: want)");
		}
		if (this.access.authenticator() != null && !this.access.clearTextCredentials() && !isInProcess()
				&& (this.tls == null || this.tls.mode() == TlsOptions.Mode.DISABLED)) {
			throw InvalidOptionException.unusable("auth.allow-clear-text",
					"false, but credentials would travel without TLS",
					"Set ssl.bundle; or, in a network that others cannot read, rpc.server.auth.allow-clear-text=true.",
					null);
		}
	}

	/** Returns true if the services are passed on, which HTTP/2 alone carries. */
	public boolean isRelay() {
		return this.services.keySet().stream().anyMatch(PassedCalls::isPassed);
	}

	/** Returns true if the port is for browsers, too, which speak HTTP/1.1. */
	public boolean speaksHttp() {
		return !isRelay() && this.protocols.stream().anyMatch(Protocol::isOfBrowsers);
	}

	/** Rejects services that are offered over gRPC alone, unless the server speaks it. */
	public void requireGrpc() {
		this.services.forEach((service, offering) -> {
			if (offering.codec() != null && !this.protocols.contains(Protocol.GRPC)) {
				throw InvalidOptionException.unusable("protocols",
						"%s, but service %s is offered over gRPC alone".formatted(this.protocols, service.id()),
						"Add grpc to protocols, or remove the service.", null);
			}
			if (!this.protocols.contains(Protocol.GRPC)) {
				requireNoStreams(service);
			}
		});
	}

	private void requireNoStreams(ServiceDescriptor service) {
		service.methods().stream().filter(MethodDescriptor::isStreaming).findFirst().ifPresent((method) -> {
			throw InvalidOptionException.unusable("protocols",
					"%s, but %s has a stream, which grpc alone carries".formatted(this.protocols, method),
					"Add grpc to protocols, or remove the service.", null);
		});
	}

	/** Returns the share of the server that each service may use. */
	public Bulkhead share() {
		return share(this.maxThreads);
	}

	/**
	 * Returns the share of the server that each service may use.
	 * @param threads maximum of threads of the server
	 */
	public Bulkhead share(int threads) {
		boolean isLimited = this.services.values().stream().anyMatch((each) -> each.policy().isLimited());
		return Bulkhead.of(this.services.size(), isLimited, threads, this.maxInFlightCalls);
	}

	/** Returns the failure to listen on the port as an exception with a remedy. */
	public RpcConfigurationException cannotBind(IOException ex) {
		if (String.valueOf(ex.getMessage()).contains("in use")) {
			return InvalidOptionException.unusable("port", this.port + " is in use",
					"Set port to another port, or to 0 for any free one, or stop what listens there.", ex);
		}
		return InvalidOptionException.unusable("bind-address",
				"cannot listen on '%s' port %d: %s".formatted(this.bindAddress, this.port, ex.getMessage()),
				"Set bind-address to an address of this host, or leave it empty for all; the port has to be one that this process may use.",
				ex);
	}

	/** Returns an immutable copy. */
	public ServerOptions frozen() {
		ServerOptions frozen = copy();
		frozen.services = Collections.unmodifiableMap(new LinkedHashMap<>(this.services));
		frozen.connectionListeners = List.copyOf(this.connectionListeners);
		frozen.interceptors = List.copyOf(this.interceptors);
		frozen.metrics = CallLoggingMetrics.over(Side.SERVER, this.metrics);
		return frozen;
	}

}
