package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.QueuedCall;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.reference.BoundMethods;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ReferenceInfoSlices;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.client.reference.ServiceRouter;
import io.rpcboot.internal.client.routing.InstanceDiscovery;
import io.rpcboot.internal.client.routing.SafeLoadBalancer;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.ClientResources.OpenConnection;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.registry.dns.HostLookups;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls services. One object serves a whole application: it holds the connections, the
 * event loops and the calls under way. Thread-safe.
 */
public final class RpcClient implements AutoCloseable {

	private static final int MAX_METHODS = 65_536;

	/** As many as a server accepts on one connection. */
	private static final int MAX_BINDINGS = 4096;

	private final ClientOptions options;

	private final Serializer serializer;

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final ClientResources runtime;

	private final ConnectionPools pools;

	private final Map<BindingKey, ServiceBinding> bindings = new HashMap<>();

	private final List<ServiceRouter> directories = new CopyOnWriteArrayList<>();

	private final List<InstanceDiscovery> sources = new CopyOnWriteArrayList<>();

	private final HostLookups lookups;

	private final GaugeRegistrations levels;

	private int nextNumber;

	/** References made so far. */
	private final AtomicInteger references = new AtomicInteger();

	private boolean closed;

	RpcClient(ClientOptions options) {
		this.options = options;
		this.serializer = (options.serializer != null) ? options.serializer : new ProtostuffSerializer();
		BodyAllocator memory = BodyAllocator.of(options.memory, options.socket, options.maxFrameSize,
				options.maxPendingCalls);
		Transport transport = new Transport("rpc-client", options.eventLoop, options.socket,
				options.keepAliveInterval.plus(options.keepAliveTimeout), options.maxFrameSize,
				Transport.recorder(options.metrics, Side.CLIENT));
		transport.offer(options.metrics, Side.CLIENT, memory);
		int callbackThreads = (options.callbackThreads > 0) ? options.callbackThreads
				: 2 * Runtime.getRuntime().availableProcessors();
		WorkerPool callbacks = new WorkerPool("rpc-callback-", callbackThreads);
		AdaptiveConcurrencyLimit limit = new AdaptiveConcurrencyLimit(options.maxPendingCalls, options.whenFull,
				transport.anyLoop(), System::nanoTime);
		this.runtime = new ClientResources(options, new CopyOnWriteArraySet<>(), transport, transport.anyLoop(),
				callbacks, new OutputBuffer.Pool(options.maxFrameSize), new StripedPool<>(), limit,
				new RequestMemory(memory, options.whenFull, callbacks), new PeerContractCache(memory.account()),
				ConcurrentHashMap.newKeySet(), new ClientCounters(), System::nanoTime);
		this.pools = ConnectionPools.monitored(this.runtime);
		this.lookups = InstanceDiscovery.lookups(options.dns, transport.kind());
		this.levels = this.runtime.registerGauges(this::heldCalls);
	}

	/**
	 * Set up a client.
	 * @return a builder with defaults for everything
	 */
	public static RpcClientBuilder builder() {
		return new RpcClientBuilder();
	}

	/**
	 * Make a proxy of a service without version and group.
	 * @param type the interface
	 * @param <T> the interface
	 * @return the proxy, thread-safe
	 * @throws RpcConfigurationException if the interface or a type in it cannot be a
	 * contract
	 */
	public <T> T reference(Class<T> type) {
		return reference(type, ReferenceOptions.defaults());
	}

	/**
	 * Make a proxy of a service. Connections to its instances are opened at once, in the
	 * background.
	 * @param type the interface
	 * @param options version, group, timeout, waiting, addresses, serializer, batching,
	 * callbacks
	 * @param <T> the interface
	 * @return the proxy, thread-safe; its methods throw what the interface declares and
	 * {@link io.rpcboot.RpcException}
	 * @throws RpcConfigurationException if the interface or a type in it cannot be a
	 * contract
	 */
	public <T> T reference(Class<T> type, ReferenceOptions options) {
		ServiceDescriptor service = ServiceDescriptor.of(type, options.version(), options.group());
		InstanceDiscovery source = InstanceDiscovery.of(service.id(), options, this.options.registry, this.lookups);
		ServiceBinding binding = bind(service, (options.serializer() != null) ? options.serializer() : this.serializer);
		BatchingOptions batching = (options.batching() != null) ? options.batching() : this.options.batching;
		Duration wait = (options.waitForInstance() != null) ? options.waitForInstance() : this.options.waitForInstance;
		List<BoundMethod> methods = BoundMethods.of(binding, options, this.runtime);
		SafeLoadBalancer loadBalancer = new SafeLoadBalancer(this.options.loadBalancer.get());
		ServiceRouter directory = new ServiceRouter(binding, source, this.options.resilienceOf(options), batching,
				Options.nanos(wait), this.runtime, this.pools);
		ServiceProxy proxy = new ServiceProxy(this.references.getAndIncrement(), directory, methods, loadBalancer,
				(options.callbacks() != null) ? options.callbacks() : this.options.callbacks, this.runtime);
		directory.attach(proxy);
		T reference = type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				InterceptingProxy.around(proxy, this.options, options)));
		this.directories.add(directory);
		this.sources.add(source);
		try {
			source.follow(service.id(), directory::onInstances);
			requireOpen(); // who closes the client meanwhile may not have seen them
		}
		catch (RuntimeException | Error ex) {
			end(source, directory);
			throw ex;
		}
		return reference;
	}

	/** Nobody gets the reference. */
	private void end(InstanceDiscovery source, ServiceRouter directory) {
		this.directories.remove(directory);
		this.sources.remove(source);
		source.close();
		try {
			this.runtime.control().execute(directory::close);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The client closed before a reference was made", ex);
		}
	}

	private synchronized void requireOpen() {
		if (this.closed) {
			throw new IllegalStateException(QueuedCall.CLIENT_CLOSED);
		}
	}

	/** What has numbers of its own on the wire. */
	private record BindingKey(ServiceId service, Class<?> type, Serializer serializer) {
	}

	private synchronized ServiceBinding bind(ServiceDescriptor service, Serializer serializer) {
		requireOpen();
		BindingKey key = new BindingKey(service.id(), service.type(), serializer);
		ServiceBinding known = this.bindings.get(key);
		if (known != null) {
			return known;
		}
		if (this.nextNumber + service.methods().size() > MAX_METHODS) {
			throw new RpcConfigurationException(
					"The references of this client have more than %d methods".formatted(MAX_METHODS),
					"Use several clients.");
		}
		if (this.bindings.size() >= MAX_BINDINGS) {
			throw new RpcConfigurationException(
					"The references of this client name more than %d pairs of service and serializer"
						.formatted(MAX_BINDINGS),
					"Make each Serializer once and share it between references.");
		}
		ServiceCodec codec = serializer.codec(service);
		ServiceBinding binding = new ServiceBinding(service, serializer.name(), codec, this.nextNumber);
		this.nextNumber += service.methods().size();
		this.bindings.put(key, binding);
		this.runtime.serializers().add(serializer.name());
		return binding;
	}

	/**
	 * The references made so far, as they stand now.
	 * @return each as it was at one moment
	 */
	public List<ReferenceInfo> references() {
		List<ReferenceInfo> result = new ArrayList<>();
		Iterator<ServiceRouter> directories = this.directories.iterator();
		while (directories.hasNext()) {
			List<ReferenceInfo> slice = onControl(() -> ReferenceInfoSlices.next(directories), List.of());
			if (slice.isEmpty()) {
				return List.of();
			}
			result.addAll(slice);
		}
		return Collections.unmodifiableList(result);
	}

	/**
	 * Wait until no reference is {@linkplain ReferenceInfo#isConnecting() connecting}, so
	 * that the first calls find their connections open. Blocks.
	 * @param atMost longest time, 0 to look only
	 * @return the references that are not ready then, because what they wait for has
	 * failed or the time is over; empty, too, if the calling thread is interrupted
	 */
	public List<ReferenceInfo> awaitConnected(Duration atMost) {
		long start = System.nanoTime();
		long most = Options.nanos(atMost);
		List<ReferenceInfo> all = references();
		while (all.stream().anyMatch(ReferenceInfo::isConnecting) && System.nanoTime() - start < most
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
			all = references();
		}
		return all.stream().filter((each) -> !each.isReady()).toList();
	}

	/**
	 * When the connections of a reference flush that has no batching of its own.
	 * @return the options
	 */
	public BatchingOptions batching() {
		return this.options.batching;
	}

	/**
	 * How calls get along with the instances of a reference that says nothing of it.
	 * @return the options
	 */
	public ResilienceOptions resilience() {
		return this.options.resilience;
	}

	/**
	 * Calls under way: waiting for an instance, for a grant, or for a reply.
	 * {@link RpcClientBuilder#maxPendingCalls} bounds them.
	 * @return the number
	 */
	public int pendingCalls() {
		return this.runtime.limit().pending();
	}

	/**
	 * How this client was set up.
	 * @return what does not change
	 */
	public ClientInfo info() {
		return this.options.info(this.runtime.transport().kind(), this.serializer.name());
	}

	/**
	 * Calls that wait in the client's queue because {@link #pendingCalls} are as many as
	 * may be; they are not among these.
	 * @return the number
	 */
	public int queuedCalls() {
		return this.runtime.limit().queued();
	}

	private int heldCalls() {
		return this.runtime.connections().stream().mapToInt(OpenConnection::held).sum()
				+ this.directories.stream().mapToInt(ServiceRouter::waitingCalls).sum();
	}

	/**
	 * The established connections, with those that only finish what is under way.
	 * @return a snapshot, by remote address
	 */
	public List<ConnectionInfo> connections() {
		return this.runtime.connections()
			.stream()
			.map(OpenConnection::describe)
			.sorted(Comparator.comparing(ConnectionInfo::remote))
			.toList();
	}

	/**
	 * What has broken this client: an event loop has ended although nobody closed it.
	 * Nothing mends that but a restart.
	 * @return the first failure, for people; empty while there is none
	 */
	public String failure() {
		return this.runtime.transport().health().failure();
	}

	/**
	 * Tell someone when this client is broken.
	 * @param listener told once with {@link #failure()}, on a thread that ends; at once
	 * if it is broken already
	 */
	public void onFailure(Consumer<String> listener) {
		this.runtime.transport().health().onFailure(listener);
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
			return this.runtime.control().submit(task).get(5, TimeUnit.SECONDS);
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
	 * Take no more calls, and end every connection when the calls that were sent have
	 * ended or the {@linkplain RpcClientBuilder#gracePeriod grace period} is over. Those
	 * that were not sent fail at once with {@link io.rpcboot.RpcStatus#UNAVAILABLE}, and
	 * so do those that are cut. Blocks; twice does nothing.
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
		this.sources.forEach(InstanceDiscovery::close);
		this.lookups.close();
		onControl(() -> {
			this.runtime.limit().queue().close(); // else each end would admit the next
			this.directories.forEach(ServiceRouter::close);
			this.runtime.limit().queue().close();
			return true;
		}, false);
		finish(start);
		this.runtime.transport().close();
		this.runtime.callbacks().close();
		this.runtime.contracts().clear();
		this.levels.close();
	}

	/** A connection that has no calls any more ends within a second. */
	private boolean isFinishing() {
		return pendingCalls() > 0 || !this.runtime.connections().isEmpty();
	}

	private void finish(long start) {
		int sent = pendingCalls();
		long grace = Options.nanos(this.options.gracePeriod);
		while (isFinishing() && System.nanoTime() - start < grace && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		int cut = pendingCalls();
		if (sent > 0) {
			logger.info("RPC client closed: {} calls finished, {} cut, after {} ms", Math.max(0, sent - cut), cut,
					TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
		}
	}

}
