package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.LeastPendingLoadBalancer;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.PowerOfTwoLoadBalancer;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceEjection;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRetry;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRouting;
import io.rpcboot.spring.autoconfigure.properties.BatchingProperties;
import io.rpcboot.spring.autoconfigure.properties.MemoryProperties;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.SocketOptions;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the client.
 *
 * @param enabled Whether references may be called; if not, start-up fails at the first
 * reference that no test replaces.
 * @param timeout Time allowed for a call, from its start to its result.
 * @param waitForInstance How long a call waits for an instance while one may come: before
 * the registry names one that can be reached, and after the last one was lost; at most
 * until its deadline; 0 to not wait. If fixed addresses refuse, calls fail at once.
 * @param protocol Protocol of references without their own: native or grpc.
 * @param ssl TLS of connections.
 * @param auth Credentials of connections.
 * @param serializer Serializer of arguments and results: protostuff, json, or the name of
 * a Serializer bean. Unset: the only Serializer bean, else protostuff.
 * @param connectionsPerEndpoint Connections to each server, 1 to 64; one carries many
 * calls.
 * @param maxPendingCalls Most pending calls of the client; when-full decides about
 * further calls.
 * @param whenFull What an asynchronous call does when max-pending-calls is reached: its
 * thread waits (block), it waits in a queue of at most max-pending-calls calls (queue),
 * or it fails (fail). On event loops and callback threads 'block' acts as 'queue'. A
 * blocking call always waits until its deadline.
 * @param callbacks Thread that completes futures, unless a reference has its own setting.
 * @param maxFrameSize Largest serialized argument list or result, 1KB or more.
 * @param maxAttachmentsSize Most bytes of attachments of a call or of its reply; at most
 * 65535, 0 for none.
 * @param forwardAttachments Names of attachments that are copied from a call at this
 * application's server to the calls made on its behalf.
 * @param callbackThreads Most threads that complete futures, 0 for twice the number of
 * cores.
 * @param memory Memory for arguments and results.
 * @param connectTimeout Time allowed for a connection, for the handshake of TLS, and for
 * that of the protocol, each.
 * @param loadBalancer Load balancer for calls without a key; a call with a key goes to
 * the instance of its key.
 * @param dns Look-ups of addresses that begin with 'dns:'.
 * @param routing Choice among healthy instances.
 * @param ejection Ejection of unhealthy instances.
 * @param retry Retries of failed calls.
 * @param keepAlive Probes of idle connections.
 * @param backoff Pauses between attempts to connect.
 * @param batching Flushes of connections.
 * @param eventLoop Threads that serve connections.
 * @param socket TCP sockets.
 * @param shutdown Shutdown of the client.
 * @param warmUp Longest time for which start-up waits until references are connected or
 * failed, after the server has started and before runners; 0 to not wait.
 * @param allowUnknownReferences Whether settings may name a reference or service without
 * an injection point, because a child context has one, or several applications share the
 * settings.
 * @param references Settings of single references, by the name in @RpcReference(name),
 * ignoring case and punctuation: addresses (list of host:port or dns:host:port, called
 * without the registry), timeout, wait-for-instance, version, group, protocol,
 * ssl.bundle, ssl.mode, credentials, relay-credentials, serializer, callbacks, batching,
 * routing.tag, routing.strict, ejection.enabled, retry.max-attempts, retry.budget,
 * detached, fallback, interceptors, and methods, with timeout, idempotent and hedge-after
 * by the name of the method.
 * @param services Settings of all references to a service, by the simple name of the
 * interface, or by its identity in brackets: the same as for single references, except
 * version and group. Settings of a single reference take precedence.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "rpc.client", ignoreUnknownFields = false)
public record RpcClientProperties(@DefaultValue("true") boolean enabled, @DefaultValue("3s") Duration timeout,
		@DefaultValue("1s") Duration waitForInstance, @DefaultValue("native") Protocol protocol, @DefaultValue Ssl ssl,
		@DefaultValue Auth auth, @Nullable String serializer, @DefaultValue("1") int connectionsPerEndpoint,
		@DefaultValue("65536") int maxPendingCalls, @DefaultValue("block") OverflowPolicy whenFull,
		@DefaultValue("pool") CallbackThread callbacks, @DefaultValue("8MB") DataSize maxFrameSize,
		@DefaultValue("8KB") DataSize maxAttachmentsSize, @DefaultValue List<String> forwardAttachments,
		@DefaultValue("0") int callbackThreads, @DefaultValue @NestedConfigurationProperty MemoryProperties memory,
		@DefaultValue("3s") Duration connectTimeout, @DefaultValue("power-of-two") LoadBalancing loadBalancer,
		@DefaultValue @NestedConfigurationProperty ResilienceProperties.Routing routing,
		@DefaultValue @NestedConfigurationProperty ResilienceProperties.Ejection ejection,
		@DefaultValue @NestedConfigurationProperty ResilienceProperties.Retry retry, @DefaultValue Dns dns,
		@DefaultValue KeepAlive keepAlive, @DefaultValue Backoff backoff,
		@DefaultValue @NestedConfigurationProperty BatchingProperties batching, @DefaultValue EventLoop eventLoop,
		@DefaultValue Socket socket, @DefaultValue Shutdown shutdown, @DefaultValue("2s") Duration warmUp,
		@DefaultValue("false") boolean allowUnknownReferences, @DefaultValue Map<String, Reference> references,
		@DefaultValue Map<String, Service> services) {

	/** Wait for an instance unless it is set. */
	static final Duration WAIT = Duration.ofSeconds(1);

	/**
	 * Applies the properties.
	 * @param builder the builder
	 * @param serverZone zone of the application's server, empty if unknown
	 */
	void applyTo(RpcClientBuilder builder, String serverZone) {
		Options.require(!this.warmUp.isNegative(), "warm-up", this.warmUp, "0 (do not wait) or more");
		builder.timeout(this.timeout)
			.protocol(this.protocol)
			.connectionsPerEndpoint(this.connectionsPerEndpoint)
			.maxPendingCalls(this.maxPendingCalls)
			.maxFrameSize(OptionToPropertyNames.bytes("max-frame-size", this.maxFrameSize))
			.maxAttachmentsSize(OptionToPropertyNames.bytes("max-attachments-size", this.maxAttachmentsSize))
			.forwardAttachments(this.forwardAttachments)
			.whenFull(this.whenFull)
			.callbacks(this.callbacks)
			.callbackThreads(this.callbackThreads)
			.memory(this.memory.toOptions())
			.connectTimeout(this.connectTimeout)
			.loadBalancer(this.loadBalancer)
			.dns(DnsOptions.defaults().withInterval(this.dns.interval()))
			.resilience(ResilienceOptions.defaults()
				.withRouting(this.routing.toOptions(serverZone))
				.withEjection(this.ejection.toOptions())
				.withRetry(this.retry.toOptions()))
			.keepAlive(this.keepAlive.interval(), this.keepAlive.timeout())
			.backoff(this.backoff.min(), this.backoff.max())
			.gracePeriod(this.shutdown.gracePeriod())
			.batching(this.batching.toOptions())
			.eventLoop(this.eventLoop.toOptions())
			.socket(this.socket.toOptions());
	}

	/** Load balancer for calls without a key. */
	enum LoadBalancing implements Supplier<LoadBalancer> {

		/** Random by weight. */
		RANDOM(RandomLoadBalancer::new),

		/** In turn. */
		ROUND_ROBIN(RoundRobinLoadBalancer::new),

		/** The instance with fewest pending calls. */
		LEAST_PENDING(LeastPendingLoadBalancer::new),

		/** The better of two random instances, by latency, pending calls and failures. */
		POWER_OF_TWO(PowerOfTwoLoadBalancer::new);

		private final Supplier<LoadBalancer> factory;

		LoadBalancing(Supplier<LoadBalancer> factory) {
			this.factory = factory;
		}

		@Override
		public LoadBalancer get() {
			return new ConsistentHashLoadBalancer(this.factory.get());
		}

	}

	/**
	 * Look-ups of addresses that begin with 'dns:'.
	 *
	 * @param interval Pause between two look-ups of a host, 1s or more; within a second
	 * if an instance cannot be reached. The JVM caches addresses, too: 30 s unless
	 * networkaddress.cache.ttl is set.
	 */
	record Dns(@DefaultValue("10s") Duration interval) {
	}

	/**
	 * Probes of idle connections.
	 *
	 * @param interval Time without a received byte before a connection is probed.
	 * @param timeout Time allowed for any byte after a probe before the connection is
	 * closed.
	 */
	record KeepAlive(@DefaultValue("15s") Duration interval, @DefaultValue("10s") Duration timeout) {
	}

	/**
	 * Pauses between attempts to connect.
	 *
	 * @param min First pause; each further one doubles.
	 * @param max Longest pause, at least min.
	 */
	record Backoff(@DefaultValue("100ms") Duration min, @DefaultValue("10s") Duration max) {
	}

	/**
	 * Threads that serve connections.
	 *
	 * @param transport Transport of sockets: epoll or kqueue if available, else NIO
	 * (auto), or the named one, which must be available.
	 * @param threads Number of event loops, 0 for one per core, at most 4.
	 */
	public record EventLoop(@DefaultValue("auto") EventLoopOptions.Transport transport,
			@DefaultValue("0") int threads) {

		public EventLoopOptions toOptions() {
			return EventLoopOptions.defaults().withTransport(this.transport).withThreads(this.threads);
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
	 * @param lowWaterMark Unsent bytes below which a blocked connection takes messages
	 * again.
	 * @param highWaterMark Unsent bytes above which a connection takes no messages.
	 * @param allocator Allocator of buffers.
	 */
	public record Socket(@DefaultValue("true") boolean tcpNoDelay, @DefaultValue("0B") DataSize sendBuffer,
			@DefaultValue("0B") DataSize receiveBuffer, @DefaultValue("256KB") DataSize lowWaterMark,
			@DefaultValue("1MB") DataSize highWaterMark, @DefaultValue("pooled") SocketOptions.Allocator allocator) {

		public SocketOptions toOptions() {
			return SocketOptions.defaults()
				.withTcpNoDelay(this.tcpNoDelay)
				.withSendBuffer(OptionToPropertyNames.bytes("socket.send-buffer", this.sendBuffer))
				.withReceiveBuffer(OptionToPropertyNames.bytes("socket.receive-buffer", this.receiveBuffer))
				.withWaterMarks(OptionToPropertyNames.bytes("socket.low-water-mark", this.lowWaterMark),
						OptionToPropertyNames.bytes("socket.high-water-mark", this.highWaterMark))
				.withAllocator(this.allocator);
		}

	}

	/**
	 * TLS of connections.
	 *
	 * @param bundle Name of the SSL bundle with the authorities of servers, and the
	 * certificate and key of this client if servers ask for one; empty for clear text.
	 * @param mode Connections that use TLS with a bundle: all (required), or those to
	 * instances that are registered with TLS, while servers migrate (registry).
	 * @param verifyApplication Whether an instance is called only if its certificate
	 * names the application that is registered for it.
	 * @param engine Implementation of TLS: jdk, openssl, or openssl if it is there
	 * (auto).
	 */
	public record Ssl(@DefaultValue("") String bundle, @DefaultValue("required") TlsOptions.ClientMode mode,
			@DefaultValue("false") boolean verifyApplication, @DefaultValue("auto") TlsOptions.Engine engine) {

		TlsOptions applyTo(TlsOptions options) {
			return options.withClientMode(this.mode)
				.withVerifyApplication(this.verifyApplication)
				.withEngine(this.engine);
		}

	}

	/**
	 * Credentials of connections, which a CredentialsProvider bean may give instead.
	 *
	 * @param secret Secret that servers have, too, sent as bearer token; at least 16
	 * characters.
	 * @param oauth2Registration Name of a client registration of Spring Security, whose
	 * access tokens are sent.
	 * @param allowClearText Whether credentials may be sent without TLS, in a private
	 * network.
	 */
	public record Auth(@DefaultValue("") String secret, @DefaultValue("") String oauth2Registration,
			@DefaultValue("false") boolean allowClearText) {

		/** Returns a text without the secret. */
		@Override
		public String toString() {
			return "Auth[oauth2Registration=%s, allowClearText=%s]".formatted(this.oauth2Registration,
					this.allowClearText);
		}

	}

	/**
	 * TLS of the connections of one reference.
	 *
	 * @param bundle Name of the SSL bundle; that of the client unless set.
	 * @param mode Clear text (disabled), although the client has a bundle.
	 */
	public record ReferenceSsl(@Nullable String bundle, @Nullable ReferenceTls mode) {
	}

	/** TLS of a reference without a bundle, unless it is that of the client. */
	public enum ReferenceTls {

		/** Clear text. */
		DISABLED

	}

	/**
	 * Shutdown of the client.
	 *
	 * @param gracePeriod Time for pending calls after all other beans were destroyed; 0
	 * to cut them.
	 */
	record Shutdown(@DefaultValue("20s") Duration gracePeriod) {
	}

	/**
	 * Settings of one reference, which override its annotation.
	 *
	 * @param addresses Fixed addresses instead of the registry: host:port, or
	 * dns:host:port for all addresses of a host, which are looked up periodically.
	 * @param timeout Time allowed for a call.
	 * @param waitForInstance How long a call waits for an instance; that of the client
	 * unless set.
	 * @param version Version of the service.
	 * @param group Group of the service.
	 * @param protocol Protocol of the calls: native or grpc; that of the client unless
	 * set.
	 * @param ssl TLS of its connections.
	 * @param credentials Name of the CredentialsProvider bean of its connections; none,
	 * or default for those of the client. Unset: those of the client with its TLS, none
	 * with clear text beside a client with TLS.
	 * @param relayCredentials Whether calls carry the token of the call or request for
	 * which they are made.
	 * @param serializer Serializer of arguments and results; none with protocol grpc.
	 * @param callbacks Thread that completes futures; that of the client unless set.
	 * @param batching Flushes of its connections; unset values are those of the client.
	 * @param routing Choice among healthy instances; unset values are those of the
	 * client.
	 * @param ejection Ejection of unhealthy instances; that of the client unless set.
	 * @param retry Retries of failed calls; unset values are those of the client.
	 * @param detached Whether calls are independent of the call on whose behalf they are
	 * made.
	 * @param fallback Name of the bean that returns the result when a call fails for
	 * infrastructure reasons; empty for none.
	 * @param interceptors Names of interceptor beans; empty for none.
	 * @param methods Settings of single methods, by name.
	 */
	public record Reference(@DefaultValue List<String> addresses, @Nullable Duration timeout,
			@Nullable Duration waitForInstance, @Nullable String version, @Nullable String group,
			@Nullable Protocol protocol, @Nullable ReferenceSsl ssl, @Nullable String credentials,
			@Nullable Boolean relayCredentials, @Nullable String serializer, @Nullable CallbackThread callbacks,
			@Nullable ReferenceBatching batching, @Nullable ReferenceRouting routing,
			@Nullable ReferenceEjection ejection, @Nullable ReferenceRetry retry, @Nullable Boolean detached,
			@Nullable String fallback, @Nullable List<String> interceptors,
			@DefaultValue Map<String, ReferenceMethod> methods) implements ReferenceSettings {
	}

	/**
	 * Settings of all references to a service, which override their annotations.
	 *
	 * @param addresses Fixed addresses instead of the registry: host:port, or
	 * dns:host:port for all addresses of a host, which are looked up periodically.
	 * @param timeout Time allowed for a call.
	 * @param waitForInstance How long a call waits for an instance; that of the client
	 * unless set.
	 * @param protocol Protocol of the calls: native or grpc; that of the client unless
	 * set.
	 * @param ssl TLS of its connections.
	 * @param credentials Name of the CredentialsProvider bean of its connections; none,
	 * or default for those of the client. Unset: those of the client with its TLS, none
	 * with clear text beside a client with TLS.
	 * @param relayCredentials Whether calls carry the token of the call or request for
	 * which they are made.
	 * @param serializer Serializer of arguments and results; none with protocol grpc.
	 * @param callbacks Thread that completes futures; that of the client unless set.
	 * @param batching Flushes of connections; unset values are those of the client.
	 * @param routing Choice among healthy instances; unset values are those of the
	 * client.
	 * @param ejection Ejection of unhealthy instances; that of the client unless set.
	 * @param retry Retries of failed calls; unset values are those of the client.
	 * @param detached Whether calls are independent of the call on whose behalf they are
	 * made.
	 * @param fallback Name of the bean that returns the result when a call fails for
	 * infrastructure reasons; empty for none.
	 * @param interceptors Names of interceptor beans; empty for none.
	 * @param methods Settings of single methods, by name.
	 */
	public record Service(@DefaultValue List<String> addresses, @Nullable Duration timeout,
			@Nullable Duration waitForInstance, @Nullable Protocol protocol, @Nullable ReferenceSsl ssl,
			@Nullable String credentials, @Nullable Boolean relayCredentials, @Nullable String serializer,
			@Nullable CallbackThread callbacks, @Nullable ReferenceBatching batching,
			@Nullable ReferenceRouting routing, @Nullable ReferenceEjection ejection, @Nullable ReferenceRetry retry,
			@Nullable Boolean detached, @Nullable String fallback, @Nullable List<String> interceptors,
			@DefaultValue Map<String, ReferenceMethod> methods) implements ReferenceSettings {
	}

	/**
	 * Settings of the methods with one name.
	 *
	 * @param timeout Time allowed for a call; overrides @RpcMethod.
	 * @param idempotent Whether the method may run more than once for one call;
	 * overrides @RpcMethod.
	 * @param hedgeAfter Time after which a call without a reply is also sent to a second
	 * instance, 1ms or more; 0 for the 95th percentile of recent calls. Requires an
	 * idempotent method; overrides @RpcMethod.
	 */
	public record ReferenceMethod(@Nullable Duration timeout, @Nullable Boolean idempotent,
			@Nullable Duration hedgeAfter) {
	}

	/**
	 * Flushes of the connections of one reference. References share connections only if
	 * all of these values are equal.
	 *
	 * @param mode When to flush.
	 * @param maxMessages Most messages in one flush, 1 or more.
	 * @param maxBytes Most bytes in one flush, 1KB or more; a larger message is flushed
	 * alone.
	 * @param maxDelay Longest time that mode 'always' delays a message, at most 100ms.
	 */
	public record ReferenceBatching(BatchingOptions.@Nullable Mode mode, @Nullable Integer maxMessages,
			@Nullable DataSize maxBytes, @Nullable Duration maxDelay) {

		BatchingOptions over(BatchingOptions client) {
			PropertyMapper map = PropertyMapper.get();
			BatchingOptions result = client;
			result = map.from(this.mode).to(result, BatchingOptions::withMode);
			result = map.from(this.maxMessages).to(result, BatchingOptions::withMaxMessages);
			result = map.from(this.maxBytes)
				.as((size) -> OptionToPropertyNames.bytes("batching.max-bytes", size))
				.to(result, BatchingOptions::withMaxBytes);
			return map.from(this.maxDelay).to(result, BatchingOptions::withMaxDelay);
		}

	}

}
