package io.rpcboot.client;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.client.call.CalledMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounts;
import io.rpcboot.internal.client.call.OneWayLosses;
import io.rpcboot.internal.client.call.RouteKeys;
import io.rpcboot.internal.client.contract.ServerContracts;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.limits.CallLimit;
import io.rpcboot.internal.client.limits.ClientMemory;
import io.rpcboot.internal.client.pool.EndpointPools;
import io.rpcboot.internal.client.routing.InstanceSource;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientRuntime;
import io.rpcboot.internal.concurrent.ThreadStripes;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.frame.BodyMemory;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.metrics.LevelBook;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client whose control thread is that of the test, in which no timer fires by itself,
 * and whose clock stands until it is moved.
 */
@Timeout(60)
public abstract class AbstractHandDrivenDirectory {

	public static final Duration WAIT = Duration.ofSeconds(1);

	public static final ServiceDescriptor SERVICE = ServiceDescriptor.of(UserService.class);

	private static final ServiceCodec CODEC = new ProtostuffSerializer().codec(SERVICE);

	final AtomicLong clock = new AtomicLong(System.nanoTime());

	public final HandDrivenControl control = new HandDrivenControl();

	public final LevelBook levels = new LevelBook();

	public final ClientCounts counts = new ClientCounts();

	private final ClientOptions options = options();

	private final Transport transport = new Transport("test", this.options.eventLoop, this.options.socket,
			Duration.ZERO, this.options.maxFrameSize, null);

	private final WorkerPool callbacks = new WorkerPool("test-callback-", 1);

	private final ClientRuntime runtime = new ClientRuntime(this.options, Set.of("protostuff"), this.transport,
			this.control.executor, this.callbacks, new OutputBuffer.Pool(1024), new ThreadStripes<>(),
			new CallLimit(10, WhenFull.FAIL, this.control.executor, this.clock::get),
			new ClientMemory(BodyMemory.of(MemoryOptions.defaults(), this.options.socket, 1024, 10), WhenFull.FAIL,
					this.callbacks),
			new ServerContracts(new MemoryAccount(1 << 20, 0)), ConcurrentHashMap.newKeySet(), new OneWayLosses(),
			this.counts, this.clock::get);

	private final EndpointPools pools = new EndpointPools(this.runtime);

	public final int port = freePort();

	public @Nullable RpcServer server;

	private ClientOptions options() {
		ClientOptions options = new ClientOptions();
		options.metrics = this.levels;
		return options;
	}

	@AfterEach
	void close() {
		this.transport.close();
		this.callbacks.close();
		if (this.server != null) {
			this.server.close();
		}
	}

	public static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (java.io.IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A reference, and what its calls need. */
	public final class Caller {

		public final ServiceDirectory directory;

		public final ServiceProxy proxy;

		public final CalledMethod method;

		Caller(Duration wait, @Nullable InMemoryRegistry registry) {
			ServiceBinding binding = new ServiceBinding(SERVICE, "protostuff", CODEC, 0);
			ClientRuntime client = AbstractHandDrivenDirectory.this.runtime;
			this.directory = new ServiceDirectory(binding, InstanceSource.of(registry), ResilienceOptions.defaults(),
					client.options().batching, wait.toNanos(), client, AbstractHandDrivenDirectory.this.pools);
			MethodDescriptor first = SERVICE.methods().get(0);
			this.method = new CalledMethod(first, CODEC.method(0), null, TimeUnit.SECONDS.toNanos(60), 0, false, false,
					false, RouteKeys.NONE);
			this.proxy = new ServiceProxy(0, this.directory, List.of(this.method), new RandomLoadBalancer(),
					Callbacks.EVENT_LOOP, client);
			this.directory.serve(this.proxy);
		}

		public Caller(Duration wait, int... ports) {
			this(wait, (InMemoryRegistry) null);
			names(ports);
		}

		/** The registry, or who gave the addresses, says where instances are. */
		public void names(int... ports) {
			this.directory.onInstances(Arrays.stream(ports)
				.mapToObj((each) -> new ServiceInstance("i" + each, "app", new Endpoint("127.0.0.1", each),
						ServiceInstance.DEFAULT_WEIGHT, 0, Set.of(SERVICE.id())))
				.toList());
			AbstractHandDrivenDirectory.this.control.runOwn();
		}

		/** A call that comes to the control thread as every other. */
		ClientCall call() {
			ClientCall call = new ClientCall(FrameType.REQUEST, this.proxy, this.method, System.nanoTime());
			call.entered();
			this.proxy.dispatch(call, null);
			AbstractHandDrivenDirectory.this.control.runOwn();
			return call;
		}

		/** As the sweep of the queue does, 20 ms after a call was added. */
		void sweep() {
			this.directory.lookAgain();
			AbstractHandDrivenDirectory.this.control.runOwn();
		}

	}

	public final void serve() {
		this.server = RpcServer.builder()
			.port(this.port)
			.bindAddress("127.0.0.1")
			.service(UserService.class, new UserServiceImpl())
			.start();
	}

	public final Caller connected(Duration wait) throws InterruptedException {
		serve();
		Caller caller = new Caller(wait, this.port);
		awaitReady(caller);
		return caller;
	}

	public final void awaitReady(Caller caller) throws InterruptedException {
		while (!caller.proxy.hasReady()) {
			this.control.runNext();
		}
	}

	/** The server goes; what calls learn of it is what the state says then. */
	public final void lose(Caller caller) throws InterruptedException {
		pass(200); // it has lived
		this.server.shutdown(Duration.ZERO);
		while (caller.proxy.hasReady()) {
			this.control.runNext();
		}
		while (this.control.hasNext()) { // the end of the connection
			this.control.runNext();
		}
	}

	public final void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/** A connection that has room takes it on a thread of its own. */
	static void assertSent(ClientCall call) {
		long start = System.nanoTime();
		while (call.connection == null && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20)) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		assertThat(call.connection).as("it was sent").isNotNull();
	}

	public static void assertWaits(ClientCall call) {
		assertThat(call.isAbandoned()).isFalse();
	}

	public static void assertFailed(ClientCall call, String... texts) {
		assertThat(call.isAbandoned()).isTrue();
		assertThat(call.failure).isNotNull();
		for (String text : texts) {
			assertThat(call.failure).hasMessageContaining(text);
		}
		assertThat(call.failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(call.failure.mayHaveExecuted()).isFalse();
	}

}
