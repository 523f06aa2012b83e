package io.rpcboot.spring.autoconfigure.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.security.AccessOptions;
import io.rpcboot.server.AdmissionOptions;
import io.rpcboot.server.CorsOptions;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ExceptionExposure;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.autoconfigure.properties.BatchingProperties;
import io.rpcboot.spring.autoconfigure.properties.MemoryProperties;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.logging.AccessLogInterceptor;
import io.rpcboot.spring.logging.LogAttachmentsInterceptor;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the server.
 *
 * @param enabled Whether to start a server if there are services.
 * @param port Port to listen on, 0 for any free one.
 * @param bindAddress Local address to listen on; empty for all.
 * @param advertisedAddress Host that clients connect to, without port; empty for the
 * first site-local address.
 * @param advertisedPort Port that clients connect to if ports are mapped; 0 for the port
 * of the server.
 * @param preferredNetworks Networks whose addresses are preferred for the advertised
 * address: ranges such as 10.0.0.0/8, or names of network interfaces such as eth0.
 * @param weight Share of calls in relation to other instances, 1 to 10000.
 * @param zone Zone of the server, which clients of the same zone prefer. Empty if
 * unknown.
 * @param tag Tag of the server: it gets only calls with the same tag, such as 'canary'.
 * Empty for calls without a tag.
 * @param protocols Protocols that clients may speak at the port: native, grpc, connect,
 * grpc-web, or several.
 * @param ssl TLS of the port.
 * @param addressFilter Clients that are served, by their address.
 * @param proxyProtocol Clients behind balancers that speak the PROXY protocol, version 2.
 * @param auth Authentication of clients.
 * @param grpc gRPC.
 * @param http HTTP/2, which gRPC uses.
 * @param serializers Serializers that clients may choose from: protostuff, json, or names
 * of Serializer beans. Unset: the only Serializer bean, else protostuff.
 * @param services Settings of single services, by the simple name of the interface, or by
 * its identity in brackets: serializers, dispatch, max-threads, max-streams,
 * interceptors, allow, and methods, with dispatch, max-threads and idempotent by the name
 * of the method.
 * @param dispatch Thread that runs calls, unless a service or method has its own setting.
 * Unset: a virtual thread if spring.threads.virtual.enabled is true (Java 21), else a
 * thread of the pool.
 * @param maxFrameSize Largest serialized argument list or result, 1KB or more.
 * @param maxAttachmentsSize Most bytes of attachments of a call; at most 65535, 0 for
 * none.
 * @param exposeExceptions What callers receive of an exception that no interface
 * declares: its type, its type and message, or nothing.
 * @param logAttachments Names of attachments that are copied to the MDC while their call
 * is served; the names are the keys.
 * @param accessLog Access log, written by the logger rpc.server.access.
 * @param handshakeTimeout Time allowed for the handshake of a connection.
 * @param idleTimeout Time without a received byte after which a connection is closed.
 * @param connectionMaxAge Age at which a connection is replaced by its client, with a
 * random difference of 10 %, so that load is redistributed behind a TCP load balancer; 0
 * for never, or 200ms or more.
 * @param connectionMaxAgeGrace Longest time for calls in flight on a replaced connection.
 * @param validation Bean Validation of arguments.
 * @param pool Threads that run calls.
 * @param limits Limits of connections and calls.
 * @param memory Memory for arguments and results.
 * @param shutdown Shutdown of the server.
 * @param batching Flushes of connections.
 * @param eventLoop Threads that serve connections.
 * @param socket TCP sockets.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "rpc.server", ignoreUnknownFields = false)
public record RpcServerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("9090") int port,
		@DefaultValue("") String bindAddress, @DefaultValue("") String advertisedAddress,
		@DefaultValue("0") int advertisedPort, @DefaultValue List<String> preferredNetworks,
		@DefaultValue("100") int weight, @DefaultValue("") String zone, @DefaultValue("") String tag, @DefaultValue( {
				"native", "grpc", "connect" }) List<Protocol> protocols,
		@DefaultValue Ssl ssl, @DefaultValue Auth auth, @DefaultValue AddressFilter addressFilter,
		@DefaultValue ProxyProtocol proxyProtocol, @DefaultValue Grpc grpc, @DefaultValue Http http,
		@DefaultValue List<String> serializers, @DefaultValue Map<String, Service> services,
		@Nullable Dispatch dispatch, @DefaultValue("8MB") DataSize maxFrameSize,
		@DefaultValue("8KB") DataSize maxAttachmentsSize, @DefaultValue("type") ExceptionExposure exposeExceptions,
		@DefaultValue List<String> logAttachments, @DefaultValue AccessLog accessLog,
		@DefaultValue("5s") Duration handshakeTimeout, @DefaultValue("60s") Duration idleTimeout,
		@DefaultValue("0s") Duration connectionMaxAge, @DefaultValue("1h") Duration connectionMaxAgeGrace,
		@DefaultValue Validation validation, @DefaultValue Pool pool, @DefaultValue Limits limits,
		@DefaultValue @NestedConfigurationProperty MemoryProperties memory, @DefaultValue Shutdown shutdown,
		@DefaultValue @NestedConfigurationProperty BatchingProperties batching, @DefaultValue EventLoop eventLoop,
		@DefaultValue Socket socket){

	/**
	 * Applies the properties.
	 * @param builder the builder
	 * @param access who may call the server
	 * @param virtualThreads true if the application uses virtual threads
	 * @param logCallers true if callers can prove who they are, so that logs name them
	 */
	public void applyTo(RpcServerBuilder builder, AccessOptions access, boolean virtualThreads, boolean logCallers) {
		Options.require(!this.shutdown.gracePeriod().isNegative(), "shutdown.grace-period", this.shutdown.gracePeriod(),
				"0 (cut calls in flight) or more");
		builder.port(this.port)
			.bindAddress(this.bindAddress)
			.advertisedAddress(this.advertisedAddress)
			.instance(InstanceOptions.defaults()
				.withWeight(this.weight)
				.withZone(this.zone)
				.withTag(this.tag)
				.withAdvertisedPort(this.advertisedPort)
				.withPreferredNetworks(this.preferredNetworks))
			.protocols(this.protocols.toArray(Protocol[]::new))
			.maxFrameSize(OptionToPropertyNames.bytes("max-frame-size", this.maxFrameSize))
			.maxAttachmentsSize(OptionToPropertyNames.bytes("max-attachments-size", this.maxAttachmentsSize))
			.exposeExceptions(this.exposeExceptions)
			.handshakeTimeout(this.handshakeTimeout)
			.idleTimeout(this.idleTimeout)
			.connectionMaxAge(this.connectionMaxAge, this.connectionMaxAgeGrace)
			.maxThreads(this.pool.maxThreads())
			.maxConnections(this.limits.connections())
			.maxInFlightCalls(this.limits.inFlightCalls())
			.maxCallsPerConnection(this.limits.callsPerConnection())
			.maxStreams(this.limits.streams())
			.maxStreamsPerConnection(this.limits.streamsPerConnection())
			.admission(admission())
			.memory(this.memory.toOptions())
			.batching(this.batching.toOptions())
			.eventLoop(this.eventLoop.toOptions())
			.socket(this.socket.toOptions());
		AccessLogInterceptor log = new AccessLogInterceptor(this.accessLog.sampling());
		builder.access(this.accessLog.enabled() ? access.withRefusals(log::refused) : access);
		if (this.accessLog.enabled()) {
			builder.interceptor(log);
		}
		if (logCallers || !this.logAttachments.isEmpty()) {
			builder.interceptor(new LogAttachmentsInterceptor(this.logAttachments, logCallers));
		}
		Integer perAddress = this.limits.connectionsPerAddress();
		if (perAddress != null) {
			builder.maxConnectionsPerAddress(perAddress);
		}
		if (this.dispatch != null) {
			builder.dispatch(this.dispatch);
		}
		else if (virtualThreads) {
			builder.dispatch(Dispatch.VIRTUAL);
		}
	}

	private AdmissionOptions admission() {
		AdmissionOptions options = AdmissionOptions.defaults()
			.withAllowed(this.addressFilter.allow())
			.withDenied(this.addressFilter.deny())
			.withProxies(this.proxyProtocol.from());
		Integer handshakes = this.limits.tlsHandshakes();
		return (handshakes != null) ? options.withTlsHandshakes(handshakes) : options;
	}

	/**
	 * TLS of the port.
	 *
	 * @param bundle Name of the SSL bundle with the certificate and the key of the
	 * server, and the authorities of its clients; empty for clear text.
	 * @param mode What the port accepts with a bundle: TLS (required), clear text and TLS
	 * while clients migrate (optional), or clear text (disabled).
	 * @param clientAuth Whether clients must have a certificate (need), may have one
	 * (want), or are not asked (none).
	 * @param serverName Host name in the certificate, registered for clients to check in
	 * place of the advertised host; empty for that host.
	 * @param engine Implementation of TLS: jdk, openssl, or openssl if it is there
	 * (auto).
	 */
	public record Ssl(@DefaultValue("") String bundle, @DefaultValue("required") TlsOptions.Mode mode,
			@DefaultValue("none") TlsOptions.ClientAuth clientAuth, @DefaultValue("") String serverName,
			@DefaultValue("auto") TlsOptions.Engine engine) {

		public TlsOptions applyTo(TlsOptions options) {
			return options.withMode(this.mode)
				.withClientAuth(this.clientAuth)
				.withServerName(this.serverName)
				.withEngine(this.engine);
		}

		/** Returns true if clients may have certificates. */
		boolean asksForCertificates() {
			return !this.bundle.isEmpty() && this.mode != TlsOptions.Mode.DISABLED
					&& this.clientAuth != TlsOptions.ClientAuth.NONE;
		}

	}

	/**
	 * Authentication of clients.
	 *
	 * @param secret Secret that clients send as bearer token; at least 16 characters,
	 * empty for none.
	 * @param allowClearText Whether clients may send credentials without TLS, in a
	 * network that others cannot read.
	 */
	public record Auth(@DefaultValue("") String secret, @DefaultValue("false") boolean allowClearText) {

		/** Returns a text without the secret. */
		@Override
		public String toString() {
			return "Auth[allowClearText=%s]".formatted(this.allowClearText);
		}

	}

	/**
	 * Clients that are served, by their address.
	 *
	 * @param allow Addresses and ranges that are served, such as 10.1.2.3, 10.0.0.0/8 or
	 * fd00::/8; empty for all.
	 * @param deny Addresses and ranges that are not served, even if they are allowed.
	 */
	record AddressFilter(@DefaultValue List<String> allow, @DefaultValue List<String> deny) {
	}

	/**
	 * Clients behind balancers that speak the PROXY protocol, version 2.
	 *
	 * @param from Addresses and ranges of balancers, such as 10.1.2.3, 10.0.0.0/8 or
	 * fd00::/8. They must send a header, which others must not.
	 */
	record ProxyProtocol(@DefaultValue List<String> from) {
	}

	/**
	 * gRPC.
	 *
	 * @param health Whether to offer the health service.
	 * @param reflection Whether to offer reflection, which tells clients all services and
	 * the files that declare them.
	 * @param lock Whether each type must have its numbers in META-INF/rpc/protobuf.lock
	 * or by @Tag.
	 * @param compression Compression of responses of 1 KB or more, for clients that read
	 * it.
	 * @param hostServices Whether BindableService beans run on this server instead of one
	 * of Spring Boot; needs rpc-spring-boot-starter-grpc.
	 */
	public record Grpc(@DefaultValue("true") boolean health, @DefaultValue("true") boolean reflection,
			@DefaultValue("optional") GrpcOptions.Lock lock, @DefaultValue("none") GrpcOptions.Compression compression,
			@DefaultValue("false") boolean hostServices) {

		public GrpcOptions toOptions() {
			return GrpcOptions.defaults()
				.withHealth(this.health)
				.withReflection(this.reflection)
				.withLock(this.lock)
				.withCompression(this.compression);
		}

	}

	/**
	 * HTTP, which gRPC and JSON use.
	 *
	 * @param maxHeaderSize Longest header of a request, 1KB to 1MB, with 32 bytes for
	 * each field; 0 for 4KB and max-attachments-size and, where credentials are read,
	 * 8KB.
	 * @param json JSON of requests.
	 * @param cors Pages of other origins that may call from a browser.
	 */
	public record Http(@DefaultValue("0B") DataSize maxHeaderSize, @DefaultValue Json json, @DefaultValue Cors cors) {

		public HttpOptions toOptions() {
			return HttpOptions.defaults()
				.withMaxHeaderSize(OptionToPropertyNames.bytes("http.max-header-size", this.maxHeaderSize))
				.withUnknownFields(this.json.unknownFields())
				.withCors(this.cors.toOptions());
		}

	}

	/**
	 * JSON of requests.
	 *
	 * @param unknownFields Whether properties that no field has, and unknown constants,
	 * are refused or ignored.
	 */
	public record Json(@DefaultValue("refuse") HttpOptions.UnknownFields unknownFields) {
	}

	/**
	 * Pages of other origins that may call from a browser.
	 *
	 * @param allowedOrigins Origins such as https://shop.example, whose pages may call; *
	 * for all. None: only pages of the same origin.
	 * @param allowedHeaders Header fields that requests may have; * for all.
	 * @param exposedHeaders Header fields of responses that pages may read.
	 * @param allowCredentials Whether browsers send cookies and certificates.
	 * @param maxAge Time for which a browser keeps the answer to its question before a
	 * call.
	 */
	public record Cors(@DefaultValue List<String> allowedOrigins, @DefaultValue("*") List<String> allowedHeaders,
			@DefaultValue List<String> exposedHeaders, @DefaultValue("false") boolean allowCredentials,
			@DefaultValue("30m") Duration maxAge) {

		CorsOptions toOptions() {
			return CorsOptions.defaults()
				.withAllowedOrigins(this.allowedOrigins.toArray(String[]::new))
				.withAllowedHeaders(this.allowedHeaders.toArray(String[]::new))
				.withExposedHeaders(this.exposedHeaders.toArray(String[]::new))
				.withCredentials(this.allowCredentials)
				.withMaxAge(this.maxAge);
		}

	}

	/**
	 * Settings of one service.
	 *
	 * @param serializers Serializers that clients may choose from; those of the server
	 * unless set.
	 * @param dispatch Thread that runs its calls; that of the server unless set.
	 * @param maxThreads Most threads of the pool that run its calls; the server's limit
	 * for each service unless set.
	 * @param maxStreams Most open streams; more are refused, single calls are not. Those
	 * that the server allows unless set.
	 * @param interceptors Names of interceptor beans; empty for none.
	 * @param allow Callers that may call it: names in client certificates, user: and the
	 * name of a principal, or * for each caller that is authenticated. Unset: all.
	 * @param methods Settings of single methods, by name.
	 */
	public record Service(@DefaultValue List<String> serializers, @Nullable Dispatch dispatch,
			@Nullable Integer maxThreads, @Nullable Integer maxStreams, @Nullable List<String> interceptors,
			@Nullable List<String> allow, @DefaultValue Map<String, Method> methods) {
	}

	/**
	 * Settings of one method.
	 *
	 * @param dispatch Thread that runs its calls; that of the service unless set.
	 * @param maxThreads Most threads of the pool that run its calls; the limit of the
	 * service unless set.
	 * @param idempotent Whether the method may run more than once for one call;
	 * overrides @RpcMethod.
	 */
	public record Method(@Nullable Dispatch dispatch, @Nullable Integer maxThreads, @Nullable Boolean idempotent) {
	}

	/**
	 * Bean Validation of arguments.
	 *
	 * @param enabled Whether to validate arguments by the constraints of the interface,
	 * if there is a Validator.
	 */
	record Validation(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * Access log.
	 *
	 * @param enabled Whether to write the access log.
	 * @param sampling Fraction of calls that are written, 0 to 1; failed calls are always
	 * written.
	 */
	record AccessLog(@DefaultValue("false") boolean enabled, @DefaultValue("1") double sampling) {
	}

	/**
	 * Threads that run calls.
	 *
	 * @param maxThreads Most threads that run calls; few are used while calls are short.
	 */
	record Pool(@DefaultValue("200") int maxThreads) {
	}

	/**
	 * Limits of connections and calls.
	 *
	 * @param connections Most connections; further ones are closed at once.
	 * @param connectionsPerAddress Most connections of one remote address (IPv6: of one
	 * /64 network), 0 for no limit. Unset: a quarter of limits.connections, at least 64.
	 * @param inFlightCalls Most calls that run or wait for a thread, over all
	 * connections; further ones are rejected.
	 * @param callsPerConnection Most calls in flight on one connection.
	 * @param streams Most open streams, over all connections; they do not count as calls
	 * in flight, and further ones are rejected.
	 * @param streamsPerConnection Most open streams on one connection.
	 * @param tlsHandshakes Most TLS handshakes at the same time; further ones wait.
	 * Unset: 256 for each core.
	 */
	record Limits(@DefaultValue("10000") int connections, @Nullable Integer connectionsPerAddress,
			@DefaultValue("20000") int inFlightCalls, @DefaultValue("4096") int callsPerConnection,
			@DefaultValue("10000") int streams, @DefaultValue("1000") int streamsPerConnection,
			@Nullable Integer tlsHandshakes) {
	}

	/**
	 * Shutdown of the server.
	 *
	 * @param gracePeriod Time for calls in flight at shutdown, at the same time as that
	 * of the web server; 0 to cut them. Keep it below
	 * spring.lifecycle.timeout-per-shutdown-phase.
	 */
	public record Shutdown(@DefaultValue("20s") Duration gracePeriod) {
	}

	/**
	 * Threads that serve connections.
	 *
	 * @param transport Transport of sockets: epoll or kqueue if available, else NIO
	 * (auto), or the named one, which must be available.
	 * @param threads Number of event loops, 0 for one per core, at most 4.
	 * @param acceptorThreads Number of event loops that accept connections, 1 or more.
	 */
	public record EventLoop(@DefaultValue("auto") EventLoopOptions.Transport transport, @DefaultValue("0") int threads,
			@DefaultValue("1") int acceptorThreads) {

		public EventLoopOptions toOptions() {
			return EventLoopOptions.defaults()
				.withTransport(this.transport)
				.withThreads(this.threads)
				.withAcceptorThreads(this.acceptorThreads);
		}

	}

	/**
	 * TCP sockets.
	 *
	 * @param tcpNoDelay Whether small segments are sent at once (TCP_NODELAY).
	 * @param sendBuffer Size of the send buffer (SO_SNDBUF), 0 for the default of the
	 * system.
	 * @param receiveBuffer Size of the receive buffer (SO_RCVBUF), 0 for the default of
	 * the system.
	 * @param backlog Most connections that wait to be accepted, 1 or more.
	 * @param lowWaterMark Unsent bytes below which a blocked connection takes messages
	 * again.
	 * @param highWaterMark Unsent bytes above which a connection takes no messages.
	 * @param allocator Allocator of buffers.
	 */
	public record Socket(@DefaultValue("true") boolean tcpNoDelay, @DefaultValue("0B") DataSize sendBuffer,
			@DefaultValue("0B") DataSize receiveBuffer, @DefaultValue("1024") int backlog,
			@DefaultValue("256KB") DataSize lowWaterMark, @DefaultValue("1MB") DataSize highWaterMark,
			@DefaultValue("pooled") SocketOptions.Allocator allocator) {

		public SocketOptions toOptions() {
			return SocketOptions.defaults()
				.withTcpNoDelay(this.tcpNoDelay)
				.withSendBuffer(OptionToPropertyNames.bytes("socket.send-buffer", this.sendBuffer))
				.withReceiveBuffer(OptionToPropertyNames.bytes("socket.receive-buffer", this.receiveBuffer))
				.withBacklog(this.backlog)
				.withWaterMarks(OptionToPropertyNames.bytes("socket.low-water-mark", this.lowWaterMark),
						OptionToPropertyNames.bytes("socket.high-water-mark", this.highWaterMark))
				.withAllocator(this.allocator);
		}

	}

}
