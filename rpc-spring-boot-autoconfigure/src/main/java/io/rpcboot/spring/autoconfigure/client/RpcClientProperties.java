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
import io.rpcboot.transport.SocketOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the client.
 *
 * @param enabled Whether references may be called; if not, the start fails at the first
 * one that no test replaces.
 * @param timeout Time allowed for a call, from its start to its result.
 * @param waitForInstance How long a call waits for an instance while nothing is known of
 * any yet, or after the last one was lost, but never beyond its deadline; 0 for not at
 * all. Where every known instance was tried and refused calls fail at once.
 * @param serializer How objects become bytes: protostuff, json, or the name of a
 * Serializer bean; unless set, the only Serializer bean, else protostuff.
 * @param connectionsPerEndpoint Connections to each server, 1 to 64; one carries many
 * calls.
 * @param maxPendingCalls Most calls under way in the whole client; when-full says what
 * happens to one more.
 * @param whenFull What an asynchronous call does when max-pending-calls are under way
 * already: its thread waits (block), it waits in a queue as long again (queue), or it
 * fails (fail); on event loops and callback threads 'block' acts as 'queue'. A blocking
 * call always waits until its deadline.
 * @param callbacks Which thread completes futures, unless a reference says otherwise.
 * @param maxFrameSize Largest argument or result in serialized form, 1KB or more.
 * @param maxAttachmentsSize Most bytes of attachments that a call takes along, or that
 * are taken with an answer; at most 65535, 0 for none.
 * @param forwardAttachments Names of the attachments that go on from a call at this
 * application's server to the calls that are made for it.
 * @param callbackThreads Most threads that complete futures, 0 for twice the number of
 * cores.
 * @param memory Memory for arguments and results.
 * @param connectTimeout Time allowed for a connection and its handshake.
 * @param loadBalancer How an instance is chosen for a call without a key; one with a key
 * goes to the instance of the key.
 * @param dns Hosts of addresses that begin with 'dns:'.
 * @param routing Which of the instances that are well a call goes to.
 * @param ejection When an instance leaves the choice.
 * @param retry Which calls are made once more.
 * @param keepAlive Probes of quiet connections.
 * @param backoff Pauses between attempts to connect.
 * @param batching When connections flush what they have to write.
 * @param eventLoop Threads that serve connections.
 * @param socket TCP sockets.
 * @param shutdown The end.
 * @param warmUp How long the start waits for connections of the references, after the
 * server has started and before runners; it ends as soon as they are there or have
 * failed. 0 for not at all.
 * @param allowUnknownReferences Whether settings may name a reference or service that no
 * bean asks for, because a child context does, or several applications share the
 * settings.
 * @param references Settings of single references, by the name in @RpcReference(name),
 * whose capitals and punctuation do not matter: addresses (list of host:port or
 * dns:host:port, called without asking the registry), timeout, wait-for-instance,
 * version, group, serializer, callbacks, batching, routing.tag, routing.strict,
 * ejection.enabled, retry.max-attempts, retry.budget, detached, fallback, interceptors,
 * and methods, which has timeout, idempotent and hedge-after by the name of the method.
 * @param services Settings of all references to single services, by the simple name of
 * the interface, or by its identity in brackets: the same as of single references, but
 * version and group. What is set for the name of a reference goes before them.
 */
@ConfigurationProperties(prefix = "rpc.client", ignoreUnknownFields = false)
public record RpcClientProperties(@DefaultValue("true") boolean enabled, @DefaultValue("3s") Duration timeout,
		@DefaultValue("1s") Duration waitForInstance, @Nullable String serializer,
		@DefaultValue("1") int connectionsPerEndpoint, @DefaultValue("65536") int maxPendingCalls,
		@DefaultValue("block") OverflowPolicy whenFull, @DefaultValue("pool") CallbackThread callbacks,
		@DefaultValue("8MB") DataSize maxFrameSize, @DefaultValue("8KB") DataSize maxAttachmentsSize,
		@DefaultValue List<String> forwardAttachments, @DefaultValue("0") int callbackThreads,
		@DefaultValue @NestedConfigurationProperty MemoryProperties memory, @DefaultValue("3s") Duration connectTimeout,
		@DefaultValue("random") LoadBalancing loadBalancer,
		@DefaultValue @NestedConfigurationProperty ResilienceProperties.Routing routing,
		@DefaultValue @NestedConfigurationProperty ResilienceProperties.Ejection ejection,
		@DefaultValue @NestedConfigurationProperty ResilienceProperties.Retry retry, @DefaultValue Dns dns,
		@DefaultValue KeepAlive keepAlive, @DefaultValue Backoff backoff,
		@DefaultValue @NestedConfigurationProperty BatchingProperties batching, @DefaultValue EventLoop eventLoop,
		@DefaultValue Socket socket, @DefaultValue Shutdown shutdown, @DefaultValue("2s") Duration warmUp,
		@DefaultValue("false") boolean allowUnknownReferences, @DefaultValue Map<String, Reference> references,
		@DefaultValue Map<String, Service> services) {

	/**
	 * Hand the properties over.
	 * @param builder what takes them
	 * @param serverZone where the application's server runs, empty if unknown
	 */
	void applyTo(RpcClientBuilder builder, String serverZone) {
		Options.require(!this.warmUp.isNegative(), "warm-up", this.warmUp, "0 (not at all) or more");
		builder.timeout(this.timeout)
			.waitForInstance(this.waitForInstance)
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
			.loadBalancer(() -> new ConsistentHashLoadBalancer(this.loadBalancer.factory.get()))
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

	/** How an instance is chosen for a call without a key. */
	enum LoadBalancing {

		/** At random, by weight. */
		RANDOM(RandomLoadBalancer::new),

		/** One after the other. */
		ROUND_ROBIN(RoundRobinLoadBalancer::new),

		/** Where the fewest calls are under way. */
		LEAST_PENDING(LeastPendingLoadBalancer::new),

		/** The cheaper of two, by latency, calls under way and failures. */
		POWER_OF_TWO(PowerOfTwoLoadBalancer::new);

		private final Supplier<LoadBalancer> factory;

		LoadBalancing(Supplier<LoadBalancer> factory) {
			this.factory = factory;
		}

	}

	/**
	 * Hosts of addresses that begin with 'dns:'.
	 *
	 * @param interval Pause between two look-ups of a host, 1s or more; when an instance
	 * cannot be reached the next one comes within a second. The JVM keeps answers, too,
	 * for 30 s unless its networkaddress.cache.ttl says otherwise.
	 */
	record Dns(@DefaultValue("10s") Duration interval) {
	}

	/**
	 * Probes of quiet connections.
	 *
	 * @param interval Time without a byte before a connection is probed.
	 * @param timeout Time allowed for any sign of life before it is closed.
	 */
	record KeepAlive(@DefaultValue("15s") Duration interval, @DefaultValue("10s") Duration timeout) {
	}

	/**
	 * Pauses between attempts to connect.
	 *
	 * @param min The first pause; each doubles the one before.
	 * @param max The longest pause, at least the first.
	 */
	record Backoff(@DefaultValue("100ms") Duration min, @DefaultValue("10s") Duration max) {
	}

	/**
	 * Threads that serve connections.
	 *
	 * @param transport How sockets are served: epoll or kqueue where it works, else NIO
	 * (auto), or the one named, which has to work.
	 * @param threads Number of event loops, 0 for one per core but at most 4.
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
	 * @param tcpNoDelay Whether small segments are sent at once.
	 * @param sendBuffer Size of the send buffer (SO_SNDBUF), 0 for the system's own.
	 * @param receiveBuffer Size of the receive buffer (SO_RCVBUF), 0 for the system's
	 * own.
	 * @param lowWaterMark Unsent bytes below which a connection takes messages again.
	 * @param highWaterMark Unsent bytes above which a connection takes no more messages.
	 * @param allocator Where the buffers of connections come from.
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
	 * The end.
	 *
	 * @param gracePeriod Time for calls that were sent, after everything else has
	 * stopped; 0 to cut them.
	 */
	record Shutdown(@DefaultValue("20s") Duration gracePeriod) {
	}

	/**
	 * Settings of one reference. What is set here overrides the annotation.
	 *
	 * @param addresses Where to call without asking the registry: host:port, or
	 * dns:host:port for all addresses of a host, which are looked up again and again.
	 * @param timeout Time allowed for a call.
	 * @param waitForInstance How long a call waits for an instance; that of the client
	 * unless set.
	 * @param version Version of the service.
	 * @param group Group of the service.
	 * @param serializer How objects become bytes.
	 * @param callbacks Which thread completes futures; that of the client unless set.
	 * @param batching When its connections flush; what is not set is as for the client.
	 * @param routing Where its calls go; what is not set is as for the client.
	 * @param ejection When an instance leaves its choice; that of the client unless set.
	 * @param retry Which of its calls are made once more; what is not set is as for the
	 * client.
	 * @param detached Whether its calls go on whatever becomes of the call for which they
	 * are made.
	 * @param fallback Name of the bean that answers when a call fails without a verdict
	 * of the application; empty for none.
	 * @param interceptors Names of the beans that stand around its calls; empty for none.
	 * @param methods Settings of single methods, by their name.
	 */
	public record Reference(@DefaultValue List<String> addresses, @Nullable Duration timeout,
			@Nullable Duration waitForInstance, @Nullable String version, @Nullable String group,
			@Nullable String serializer, @Nullable CallbackThread callbacks, @Nullable ReferenceBatching batching,
			@Nullable ReferenceRouting routing, @Nullable ReferenceEjection ejection, @Nullable ReferenceRetry retry,
			@Nullable Boolean detached, @Nullable String fallback, @Nullable List<String> interceptors,
			@DefaultValue Map<String, ReferenceMethod> methods) implements ReferenceSettings {
	}

	/**
	 * Settings of all references to one service. What is set here overrides the
	 * annotations.
	 *
	 * @param addresses Where to call without asking the registry: host:port, or
	 * dns:host:port for all addresses of a host, which are looked up again and again.
	 * @param timeout Time allowed for a call.
	 * @param waitForInstance How long a call waits for an instance; that of the client
	 * unless set.
	 * @param serializer How objects become bytes.
	 * @param callbacks Which thread completes futures; that of the client unless set.
	 * @param batching When connections flush; what is not set is as for the client.
	 * @param routing Where its calls go; what is not set is as for the client.
	 * @param ejection When an instance leaves its choice; that of the client unless set.
	 * @param retry Which of its calls are made once more; what is not set is as for the
	 * client.
	 * @param detached Whether calls go on whatever becomes of the call for which they are
	 * made.
	 * @param fallback Name of the bean that answers when a call fails without a verdict
	 * of the application; empty for none.
	 * @param interceptors Names of the beans that stand around calls; empty for none.
	 * @param methods Settings of single methods, by their name.
	 */
	public record Service(@DefaultValue List<String> addresses, @Nullable Duration timeout,
			@Nullable Duration waitForInstance, @Nullable String serializer, @Nullable CallbackThread callbacks,
			@Nullable ReferenceBatching batching, @Nullable ReferenceRouting routing,
			@Nullable ReferenceEjection ejection, @Nullable ReferenceRetry retry, @Nullable Boolean detached,
			@Nullable String fallback, @Nullable List<String> interceptors,
			@DefaultValue Map<String, ReferenceMethod> methods) implements ReferenceSettings {
	}

	/**
	 * Settings of one method of a reference, or of those that share its name.
	 *
	 * @param timeout Time allowed for a call; it goes before what @RpcMethod says.
	 * @param idempotent Whether it may run more than once for one call; it goes before
	 * the method's @RpcMethod.
	 * @param hedgeAfter Time after which a call that has no answer yet is sent to a
	 * second instance, too, 1ms or more; 0 for the time within which 95 % of the recent
	 * calls had their answer. Only for a method that is idempotent; it goes before the
	 * method's @RpcMethod.
	 */
	public record ReferenceMethod(@Nullable Duration timeout, @Nullable Boolean idempotent,
			@Nullable Duration hedgeAfter) {
	}

	/**
	 * When the connections of one reference flush. References share connections only if
	 * all of this is equal.
	 *
	 * @param mode When to flush.
	 * @param maxMessages Most messages in one flush, 1 or more.
	 * @param maxBytes Most bytes in one flush, 1KB or more; a larger message goes alone.
	 * @param maxDelay Longest time that mode 'always' holds a message back, at most
	 * 100ms.
	 */
	record ReferenceBatching(BatchingOptions.@Nullable Mode mode, @Nullable Integer maxMessages,
			@Nullable DataSize maxBytes, @Nullable Duration maxDelay) {

		BatchingOptions over(BatchingOptions client) {
			BatchingOptions result = client;
			if (this.mode != null) {
				result = result.withMode(this.mode);
			}
			if (this.maxMessages != null) {
				result = result.withMaxMessages(this.maxMessages);
			}
			if (this.maxBytes != null) {
				result = result.withMaxBytes(OptionToPropertyNames.bytes("batching.max-bytes", this.maxBytes));
			}
			return (this.maxDelay != null) ? result.withMaxDelay(this.maxDelay) : result;
		}

	}

}
