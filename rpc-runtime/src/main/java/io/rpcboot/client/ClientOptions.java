package io.rpcboot.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.logging.CallLog;
import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Side;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.SocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * What a client is built with. The builder sets the values, the client has a frozen copy.
 */
final class ClientOptions extends Options {

	String applicationName = "";

	@Nullable Registry registry;

	DnsOptions dns = DnsOptions.defaults();

	@Nullable Serializer serializer;

	RpcMetrics metrics = RpcMetrics.none();

	Duration timeout = Duration.ofSeconds(3);

	Duration waitForInstance = Duration.ofSeconds(1);

	Function<ServiceId, String> adviceWithoutInstance = (service) -> "";

	int connectionsPerEndpoint = 1;

	int maxPendingCalls = 65_536;

	MemoryOptions memory = MemoryOptions.defaults();

	int maxFrameSize = 8 * 1024 * 1024;

	int maxAttachments = DEFAULT_ATTACHMENTS;

	/** Names in lower case. */
	Set<String> forwardedAttachments = Set.of();

	List<RpcClientInterceptor> interceptors = new ArrayList<>();

	WhenFull whenFull = WhenFull.BLOCK;

	Callbacks callbacks = Callbacks.POOL;

	/** 0 for twice the number of processors. */
	int callbackThreads = 0;

	Duration connectTimeout = Duration.ofSeconds(3);

	Duration keepAliveInterval = Duration.ofSeconds(15);

	Duration keepAliveTimeout = Duration.ofSeconds(10);

	Duration minBackoff = Duration.ofMillis(100);

	Duration maxBackoff = Duration.ofSeconds(10);

	Duration gracePeriod = Duration.ZERO;

	BatchingOptions batching = BatchingOptions.defaults();

	EventLoopOptions eventLoop = EventLoopOptions.defaults();

	SocketOptions socket = SocketOptions.defaults();

	List<RpcConnectionListener> connectionListeners = new ArrayList<>();

	ResilienceOptions resilience = ResilienceOptions.defaults();

	Supplier<LoadBalancer> loadBalancer = () -> new ConsistentHashLoadBalancer(new RandomLoadBalancer());

	/** How the calls of one reference get along with their instances. */
	ResilienceOptions resilienceOf(ReferenceOptions reference) {
		ResilienceOptions own = reference.resilience();
		return (own != null) ? own : this.resilience;
	}

	/** What of them is shown to people. */
	ClientInfo info(EventLoopOptions.Transport transport, String serializer) {
		return new ClientInfo(transport, serializer, this.maxPendingCalls, this.timeout, this.waitForInstance);
	}

	/** A copy that nobody changes any more. */
	ClientOptions frozen() {
		ClientOptions frozen = copy();
		frozen.connectionListeners = List.copyOf(this.connectionListeners);
		frozen.interceptors = List.copyOf(this.interceptors);
		frozen.metrics = CallLog.over(Side.CLIENT, this.metrics);
		return frozen;
	}

}
