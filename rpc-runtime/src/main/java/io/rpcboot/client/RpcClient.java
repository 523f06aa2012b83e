package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.binary.BinaryClientProtocol;
import io.rpcboot.internal.client.connection.http2.Http2ClientProtocol;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.grpc.GrpcSerializer;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.QueuedCall;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ReferenceTable;
import io.rpcboot.internal.client.reference.ServiceBindings;
import io.rpcboot.internal.client.reference.ServiceRouter;
import io.rpcboot.internal.client.routing.InstanceDiscovery;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientOptions.PoolsKey;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.ClientResources.OpenConnection;
import io.rpcboot.internal.client.runtime.ReferenceDefaults;
import io.rpcboot.internal.client.security.CachedCredentials;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.internal.transport.tls.TlsContexts;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.registry.dns.HostLookups;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.LimitInfo;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.TlsInfo;
import io.rpcboot.transport.TlsOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of RPC services: makes references, and owns their connections, event loops and
 * pending calls. One client serves a whole application. Thread-safe.
 *
 * <pre>{@code
 * try (RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(1)).build()) {
 *     Stock stock = client.reference(Stock.class,
 *             ReferenceOptions.defaults().withAddresses(List.of("localhost:9090")));
 *     int available = stock.available("a7");
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RpcClient implements AutoCloseable {

	/** Most threads that wait in an iterator or a stream of a caller. */
	private static final int UPLOAD_THREADS = 64;

	private final ClientOptions options;

	private final Serializer serializer;

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final ClientResources resources;

	private final ServiceBindings bindings;

	private final TlsContexts tls;

	private final Map<CredentialsProvider, CachedCredentials> credentials = new ConcurrentHashMap<>();

	private final ReferenceTable references;

	private final HostLookups lookups;

	private final GaugeRegistrations gauges;

	private boolean closed;

	RpcClient(ClientOptions options) {
		this.options = options;
		this.tls = new TlsContexts(options.metrics, InstantSource.system());
		this.tls.get(options.tls, TlsContext.NATIVE); // refuses wrong options early
		this.serializer = (options.serializer != null) ? options.serializer : new ProtostuffSerializer();
		BodyAllocator memory = BodyAllocator.of(options.memory, options.socket, options.maxFrameSize,
				options.maxPendingCalls);
		Transport transport = new Transport("rpc-client", options.eventLoop, options.socket,
				options.keepAliveInterval.plus(options.keepAliveTimeout),
				Transport.recorder(options.metrics, Side.CLIENT));
		transport.offer(options.metrics, Side.CLIENT, memory);
		int callbackThreads = (options.callbackThreads > 0) ? options.callbackThreads
				: 2 * Runtime.getRuntime().availableProcessors();
		WorkerPool callbacks = new WorkerPool("rpc-callback-", callbackThreads);
		AdaptiveConcurrencyLimit limit = new AdaptiveConcurrencyLimit(options.maxPendingCalls, options.whenFull,
				transport.anyLoop(), System::nanoTime);
		this.resources = new ClientResources(options, new CopyOnWriteArraySet<>(), transport, transport.anyLoop(),
				callbacks, new WorkerPool("rpc-upload-", UPLOAD_THREADS), new OutputBuffer.Pool(options.maxFrameSize),
				new StripedPool<>(), limit, new RequestMemory(memory, options.whenFull, callbacks),
				new PeerContractCache(memory.account()), ConcurrentHashMap.newKeySet(),
				new OpenStreams(Integer.MAX_VALUE), new ClientCounters(), System::nanoTime);
		this.bindings = new ServiceBindings(this.serializer,
				new GrpcSerializer(this.serializer, options.grpcTypes, options.maxFrameSize, memory.account()),
				options.protocol, this.resources.serializers());
		this.references = new ReferenceTable(this.resources,
				(key) -> ConnectionPools.monitored(this.resources, clientSide(key)));
		this.lookups = InstanceDiscovery.lookups(options.dns, transport.kind());
		this.gauges = this.resources.registerGauges(this::heldCalls);
	}

	/**
	 * Returns a builder of a client.
	 * @return a builder with defaults for all settings
	 */
	public static RpcClientBuilder builder() {
		return new RpcClientBuilder();
	}

	/**
	 * Makes a reference with default options.
	 * @param type the interface of the service
	 * @param <T> the interface of the service
	 * @return a thread-safe proxy, as of {@link #reference(Class, ReferenceOptions)}
	 * @throws RpcConfigurationException if the interface or a type in it cannot be a
	 * contract, or the client has no registry
	 * @throws IllegalStateException if the client is closed
	 */
	public <T> T reference(Class<T> type) {
		return reference(type, ReferenceOptions.defaults());
	}

	/**
	 * Makes a reference: a proxy whose methods call the service. Its connections open at
	 * once in the background.
	 * @param type the interface of the service
	 * @param options settings of the reference
	 * @param <T> the interface of the service
	 * @return a thread-safe proxy. Its methods throw declared exceptions and
	 * {@link io.rpcboot.RpcException}
	 * @throws RpcConfigurationException if the interface or a type in it cannot be a
	 * contract, an option is invalid for it, or there are neither addresses nor a
	 * registry
	 * @throws IllegalStateException if the client is closed
	 */
	public <T> T reference(Class<T> type, ReferenceOptions options) {
		return type.cast(reference(
				ServiceDescriptor.of(type, options.version(), options.group(), options.valueResolver()), options));
	}

	/**
	 * Makes a reference to a described service, whose name may be another one than that
	 * of its interface.
	 * @param service the service
	 * @param options settings of the reference; the service has version and group
	 * @return a thread-safe proxy of the interface, as of
	 * {@link #reference(Class, ReferenceOptions)}
	 * @throws RpcConfigurationException if the interface or a type in it cannot be a
	 * contract, an option is invalid for it, or there are neither addresses nor a
	 * registry
	 * @throws IllegalStateException if the client is closed
	 */
	public Object reference(ServiceDescriptor service, ReferenceOptions options) {
		Class<?> type = service.type();
		ServiceBinding binding = bind(service, options);
		return this.references.make(binding, binding.streams(),
				() -> InstanceDiscovery.of(service.id(), options, this.options.registry, this.lookups), options,
				(proxy) -> Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
						InterceptingProxy.around(proxy, this.options, options)),
				this::requireOpen);
	}

	/**
	 * Changes options of calls that begin from now on: timeouts, the time to wait for an
	 * instance, idempotence, retries, hedging, ejection, and the load balancer. All other
	 * options keep their values, among them routing. Calls in flight keep their timeout;
	 * their next retry follows the new options. Does not block.
	 * @param builder the new options of the client
	 * @param options the new options of single references, by reference of this client;
	 * all others keep their own
	 * @throws RpcConfigurationException if an option is invalid for a reference; then
	 * nothing has changed
	 * @throws IllegalArgumentException if an object is not a reference of this client
	 * @throws IllegalStateException if the client is closed
	 */
	public void reconfigure(RpcClientBuilder builder, Map<Object, ReferenceOptions> options) {
		requireOpen();
		Map<ServiceRouter, ReferenceOptions> own = new HashMap<>();
		options.forEach((reference, each) -> own.put(routerOf(reference), each));
		this.references.reconfigure(builder.options.defaults(), own);
	}

	/**
	 * Changes TLS at run time, for example because certificates were replaced. Handshakes
	 * use the new options at once; older connections are replaced within a minute, so
	 * that no call fails.
	 * @param before options with which the builder or references were made, also after
	 * earlier changes
	 * @param options the new options
	 * @throws RpcConfigurationException if TLS cannot be used with these options, or
	 * their certificate is not valid now; nothing has changed then
	 * @throws IllegalStateException if the client is closed
	 */
	public void renewTls(TlsOptions before, TlsOptions options) {
		requireOpen();
		this.tls.renew(before, options);
		this.references.renewConnections(before);
	}

	/**
	 * Returns TLS of the connections.
	 * @return TLS of this client and of its references with their own; empty without TLS
	 */
	public List<TlsInfo> tls() {
		return this.tls.describe();
	}

	private ServiceRouter routerOf(Object reference) {
		InterceptingProxy handler = InterceptingProxy
			.of(Proxy.isProxyClass(reference.getClass()) ? Proxy.getInvocationHandler(reference) : null);
		if (handler == null || !this.references.routers().contains(handler.proxy().router)) {
			throw new IllegalArgumentException(
					"options: %s (expected: a reference of this client)".formatted(reference));
		}
		return handler.proxy().router;
	}

	private synchronized void requireOpen() {
		if (this.closed) {
			throw new IllegalStateException(QueuedCall.CLIENT_CLOSED);
		}
	}

	private synchronized ServiceBinding bind(ServiceDescriptor service, ReferenceOptions options) {
		requireOpen();
		return this.bindings.bind(service, options);
	}

	private ClientProtocol clientSide(PoolsKey key) {
		return (key.protocol() == Protocol.NATIVE)
				? new BinaryClientProtocol(this.resources, security(key, TlsContext.NATIVE))
				: new Http2ClientProtocol(this.resources, security(key, TlsContext.HTTP_2), GrpcSerializer::paths);
	}

	private ConnectionSecurity security(PoolsKey key, String protocol) {
		CredentialsProvider provider = key.credentials();
		CachedCredentials cached = (provider != null)
				? this.credentials.computeIfAbsent(provider, (each) -> new CachedCredentials(each, RpcClient::onThread,
						this.resources.control(), InstantSource.system()))
				: null;
		return new ConnectionSecurity(this.tls.get(key.tls(), protocol), cached, key.requiresTls());
	}

	/** Runs a provider of credentials, which may block. */
	private static void onThread(Runnable task) {
		Thread thread = new Thread(task, "rpc-credentials");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Returns snapshots of the references. Blocks for at most 5 s. From the first call
	 * on, the calls of each instance are counted, which costs some nanoseconds a call.
	 * @return each reference as of one moment; empty if the client is closed, does not
	 * respond within 5 s, or the calling thread is interrupted
	 * @throws IllegalStateException on an event loop
	 */
	public List<ReferenceInfo> references() {
		return references(true);
	}

	private List<ReferenceInfo> references(boolean counted) {
		List<ReferenceInfo> result = new ArrayList<>();
		Iterator<ServiceRouter> routers = this.references.routers().iterator();
		while (routers.hasNext()) {
			List<ReferenceInfo> slice = onControl(() -> ReferenceTable.nextSlice(routers, counted), List.of());
			if (slice.isEmpty()) {
				return List.of();
			}
			result.addAll(slice);
		}
		return Collections.unmodifiableList(result);
	}

	/**
	 * Waits until no reference is {@linkplain ReferenceInfo#isConnecting() connecting},
	 * so that the first calls find open connections. Blocks.
	 * @param atMost longest time to wait, 0 to check only
	 * @return references that are not ready, because their first attempt has failed or
	 * the time is over; empty if the calling thread is interrupted
	 * @throws IllegalStateException on an event loop
	 */
	public List<ReferenceInfo> awaitConnected(Duration atMost) {
		long start = System.nanoTime();
		long most = Options.nanos(atMost);
		List<ReferenceInfo> all = references(false);
		while (all.stream().anyMatch(ReferenceInfo::isConnecting) && System.nanoTime() - start < most
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
			all = references(false);
		}
		return all.stream().filter((each) -> !each.isReady()).toList();
	}

	/**
	 * Returns the default batching of references.
	 * @return the batching of {@link RpcClientBuilder#batching}
	 */
	public BatchingOptions batching() {
		return this.options.batching;
	}

	/**
	 * Returns the default resilience of references: retries, hedging, ejection, routing.
	 * @return the options of {@link RpcClientBuilder#resilience(ResilienceOptions)}, or
	 * those of the last {@link #reconfigure}
	 */
	public ResilienceOptions resilience() {
		return this.references.defaults().resilience();
	}

	/**
	 * Returns the number of pending calls, which wait for an instance, a grant or a
	 * reply. {@link RpcClientBuilder#maxPendingCalls} bounds it.
	 * @return number of calls
	 */
	public int pendingCalls() {
		return this.resources.limit().pending();
	}

	/**
	 * Returns the settings of the client.
	 * @return a snapshot; {@link #reconfigure} changes times
	 */
	public ClientInfo info() {
		ReferenceDefaults defaults = this.references.defaults();
		return new ClientInfo(this.resources.transport().kind(), this.options.protocol, this.serializer.name(),
				this.options.maxPendingCalls, defaults.timeout(), defaults.waitForInstance());
	}

	/**
	 * Returns the number of calls that wait for a permit because
	 * {@link RpcClientBuilder#maxPendingCalls} is reached. {@link #pendingCalls} does not
	 * include them.
	 * @return number of calls
	 */
	public int queuedCalls() {
		return this.resources.limit().queued();
	}

	/**
	 * Returns the limits that adapt to the load: of the pending asynchronous calls.
	 * @return snapshots
	 */
	public List<LimitInfo> limits() {
		return List.of(this.resources.limit().describe());
	}

	private int heldCalls() {
		return this.resources.connections().stream().mapToInt(OpenConnection::held).sum()
				+ this.references.routers().stream().mapToInt(ServiceRouter::waitingCalls).sum();
	}

	/**
	 * Returns snapshots of the established connections, including draining ones.
	 * @return connections by remote address
	 */
	public List<ConnectionInfo> connections() {
		return this.resources.connections()
			.stream()
			.map(OpenConnection::describe)
			.sorted(Comparator.comparing(ConnectionInfo::remote))
			.toList();
	}

	/**
	 * Returns the number of open streams: calls with several requests or results.
	 * @return number of streams
	 */
	public int openStreams() {
		return this.resources.streams().count();
	}

	/**
	 * Returns snapshots of the oldest open streams. Costs some microseconds for each.
	 * @param atMost most streams, 0 or more
	 * @return streams, the oldest first
	 */
	public List<StreamInfo> streams(int atMost) {
		return this.resources.streams().oldest(atMost);
	}

	/**
	 * Returns the failure that broke the client: an event loop ended before the client
	 * was closed. Only a restart of the process helps.
	 * @return message of the first failure, empty if there is none
	 */
	public String failure() {
		return this.resources.transport().health().failure();
	}

	/**
	 * Adds a listener of the failure that breaks the client.
	 * @param listener called once with {@link #failure()} by the ending event loop, or at
	 * once if the client is broken already
	 */
	public void onFailure(Consumer<String> listener) {
		this.resources.transport().health().onFailure(listener);
	}

	private static void requireMayWait(String what) {
		if (Thread.currentThread() instanceof EventLoopThread) {
			throw new IllegalStateException("thread %s is an event loop and must not wait; %s from another thread"
				.formatted(Thread.currentThread().getName(), what));
		}
	}

	private <T> T onControl(Callable<T> task, T otherwise) {
		requireMayWait("call");
		try {
			return this.resources.control().submit(task).get(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return otherwise;
		}
		catch (ExecutionException | TimeoutException | RejectedExecutionException ex) {
			return otherwise;
		}
	}

	/**
	 * Closes the client within the {@linkplain RpcClientBuilder#gracePeriod grace
	 * period}: sends the calls that wait for room, then takes no more calls, and closes
	 * each connection once its calls have ended. Calls that wait for an instance fail at
	 * once with {@link io.rpcboot.RpcStatus#UNAVAILABLE}, all others at the end of the
	 * grace period. Blocks; a second call does nothing.
	 * @throws IllegalStateException on an event loop
	 */
	@Override
	public void close() {
		requireMayWait("close");
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
		}
		long start = System.nanoTime();
		while (hasUnsentCalls() && isInGracePeriod(start)) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		this.references.routers().forEach(ServiceRouter::unfollow);
		this.lookups.close();
		onControl(() -> {
			this.resources.limit().queue().close(); // else each end of a call would admit
													// the next
			this.references.routers().forEach(ServiceRouter::close);
			this.resources.limit().queue().close();
			return true;
		}, false);
		finish(start);
		this.resources.transport().close();
		this.resources.callbacks().close();
		this.resources.uploads().close();
		this.resources.contracts().clear();
		this.gauges.close();
		this.tls.close();
	}

	/**
	 * Returns true if a call waits for room at an instance. A call moves between the
	 * queues of references and connections, so the first ones are read twice.
	 */
	private boolean hasUnsentCalls() {
		return awaitsRoom() || !this.resources.connections().stream().allMatch(OpenConnection::isIdle) || awaitsRoom();
	}

	private boolean awaitsRoom() {
		boolean queued = queuedCalls() > 0;
		return this.references.routers()
			.stream()
			.anyMatch((each) -> each.hasReady() && (queued || each.waitingCalls() > 0));
	}

	private boolean isInGracePeriod(long start) {
		return System.nanoTime() - start < Options.nanos(this.options.gracePeriod)
				&& !Thread.currentThread().isInterrupted();
	}

	/** Returns true while a call is pending or a connection is closing. */
	private boolean isFinishing() {
		return pendingCalls() > 0 || !this.resources.connections().isEmpty();
	}

	private void finish(long start) {
		int sent = pendingCalls();
		while (isFinishing() && isInGracePeriod(start)) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		int cut = pendingCalls();
		if (sent > 0) {
			logger.info("RPC client closed: {} calls finished, {} cut, after {} ms", Math.max(0, sent - cut), cut,
					TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
		}
	}

}
