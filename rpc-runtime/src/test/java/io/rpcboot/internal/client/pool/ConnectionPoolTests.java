package io.rpcboot.internal.client.pool;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.connection.UnsentCallQueue;
import io.rpcboot.internal.client.connection.binary.BinaryClientProtocol;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.client.reference.ServiceRouter;
import io.rpcboot.internal.client.routing.InstanceDiscovery;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.InstanceWait;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportMetrics;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Protocol;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A pool whose control thread is this one; nothing listens where it connects to. */
@Timeout(30)
class ConnectionPoolTests {

	private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final AtomicLong clock = new AtomicLong(System.nanoTime());

	/** Tasks that other threads have handed over. */
	private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

	/** Tasks that wait for the end of a pause. */
	private final List<Runnable> scheduled = new ArrayList<>();

	/** Thrown by whatever is scheduled next. */
	private final Queue<Error> failures = new LinkedBlockingQueue<>();

	/** Thrown by the next read of the clock. */
	private final Queue<Error> clockFailures = new LinkedBlockingQueue<>();

	private final ClientOptions options = new ClientOptions();

	private final Transport transport = new Transport("test", this.options.eventLoop, this.options.socket,
			Duration.ZERO, null);

	private final WorkerPool callbacks = new WorkerPool("test-callback-", 1);

	private final LogRecorder log = new LogRecorder("rpc");

	private final ClientResources client = new ClientResources(this.options, ConcurrentHashMap.newKeySet(),
			this.transport, control(), this.callbacks, this.callbacks, new OutputBuffer.Pool(1024), new StripedPool<>(),
			new AdaptiveConcurrencyLimit(10, OverflowPolicy.FAIL, this.transport.anyLoop(), System::nanoTime),
			new RequestMemory(BodyAllocator.of(MemoryOptions.defaults(), this.options.socket, 1024, 10),
					OverflowPolicy.FAIL, this.callbacks),
			new PeerContractCache(new MemoryBudget(1 << 20, 0)), ConcurrentHashMap.newKeySet(),
			new OpenStreams(Integer.MAX_VALUE), new ClientCounters(), () -> {
				throwNext(this.clockFailures);
				return this.clock.get();
			});

	private final ConnectionPool pool = new ConnectionPool(
			PoolKey.of(new Endpoint("127.0.0.1", freePort()), this.options.batching), this.client,
			new BinaryClientProtocol(this.client, ConnectionSecurity.NONE));

	@AfterEach
	void close() {
		this.transport.close();
		this.callbacks.close();
		this.log.close();
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (java.io.IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void throwNext(Queue<Error> failures) {
		Error failure = failures.poll();
		if (failure != null) {
			throw failure;
		}
	}

	/** Runs nothing by itself; schedules nothing while a failure is left. */
	private ScheduledExecutorService control() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, method, arguments) -> {
					switch (method.getName()) {
						case "execute" -> this.tasks.add((Runnable) arguments[0]);
						case "schedule", "scheduleWithFixedDelay" -> {
							throwNext(this.failures);
							this.scheduled.add((Runnable) arguments[0]);
						}
						default -> throw new UnsupportedOperationException(method.getName());
					}
					return (method.getReturnType() == ScheduledFuture.class) ? noFuture() : null;
				});
	}

	private static Object noFuture() {
		return Proxy.newProxyInstance(ConnectionPoolTests.class.getClassLoader(),
				new Class<?>[] { ScheduledFuture.class },
				(proxy, method, arguments) -> (method.getReturnType() == boolean.class) ? false : null);
	}

	private static ServiceBinding binding() {
		ServiceDescriptor service = ServiceDescriptor.of(UserService.class);
		return new ServiceBinding(service, Protocol.NATIVE, "protostuff", new ProtostuffSerializer().codec(service), 0);
	}

	/** Its refresh fails, for nobody has given it a proxy. */
	private ServiceRouter brokenUser() {
		return new ServiceRouter(binding(), InstanceDiscovery.of(null), ResilienceOptions.defaults(),
				this.options.batching, new InstanceWait(WAIT_NANOS, false), this.client,
				new ConnectionPools(this.client, new BinaryClientProtocol(this.client, ConnectionSecurity.NONE)));
	}

	private void runNextTask() throws InterruptedException {
		Runnable task = this.tasks.poll(20, TimeUnit.SECONDS);
		assertThat(task).as("the attempt to connect ends").isNotNull();
		task.run();
	}

	@Test
	void reconnect_isScheduledLater_afterSchedulingFails() throws Exception {
		this.pool.use(brokenUser());
		this.failures.add(new OutOfMemoryError("injected"));
		runNextTask();
		assertThat(this.scheduled).isEmpty();
		assertThat(this.log.messages()).anyMatch((line) -> line.contains("OutOfMemoryError: injected"));
		this.pool.check();
		runNextTask();
		assertThat(this.scheduled).as("the next attempt").hasSize(1);
		assertNothingIsOwed();
	}

	private void assertNothingIsOwed() throws InterruptedException {
		this.pool.check();
		assertThat(this.tasks.poll(200, TimeUnit.MILLISECONDS)).as("nothing is owed any more").isNull();
	}

	@Test
	void allConnections_areOpenedLater_afterFirstStepOfFirstUserFails() throws Exception {
		this.options.connectionsPerEndpoint = 3;
		this.clockFailures.add(new OutOfMemoryError("injected"));
		this.pool.use(quietUser());
		assertThat(this.log.messages()).anyMatch((line) -> line.contains("OutOfMemoryError: injected"));
		this.pool.check();
		for (int i = 0; i < 3; i++) {
			runNextTask();
		}
		assertThat(this.scheduled).as("the next attempt of each").hasSize(3);
		assertNothingIsOwed();
	}

	@Test
	void firstUser_opensConnections_whenNothingCanBeScheduled() throws Exception {
		this.failures.add(new OutOfMemoryError("injected"));
		this.pool.use(quietUser());
		runNextTask();
		assertThat(this.scheduled).as("the injected failure ends its schedule").isEmpty();
		this.pool.check();
		runNextTask();
		assertThat(this.scheduled).as("the next attempt").hasSize(1);
	}

	@Test
	void failingUsers_areLogged_withoutStoppingOthers() throws Exception {
		this.pool.use(brokenUser());
		this.pool.use(brokenUser());
		runNextTask();
		assertThat(this.scheduled).hasSize(1);
		assertThat(this.log.messages().stream().filter((line) -> line.contains("Connections to an instance")))
			.as("once for each kind and second")
			.hasSize(1);
		this.scheduled.remove(0).run();
		runNextTask();
		assertThat(this.scheduled).as("and so on").hasSize(1);
	}

	/** It has no calls. */
	private static ConnectionPool.User quietUser() {
		ServiceBinding binding = binding();
		return new ConnectionPool.User() {

			@Override
			public ServiceBinding binding() {
				return binding;
			}

			@Override
			public List<UnsentCallQueue> queues() {
				return List.of();
			}

			@Override
			public void refresh() {
			}

		};
	}

	/** No guard stands around metrics that are alone. */
	private static RpcMetrics failingAtTheFirstConnection() {
		AtomicBoolean first = new AtomicBoolean(true);
		return new TransportMetrics(new TransportRecorder() {

			@Override
			public void connectionOpened(String remote, String application, long nanos) {
				if (first.getAndSet(false)) {
					throw new IllegalStateException("injected");
				}
			}

		});
	}

	@Test
	void connection_isOpenedAgain_whenItFailsBeforeFirstCall() throws Exception {
		this.options.metrics = failingAtTheFirstConnection();
		this.client.serializers().add("protostuff");
		RpcServer server = RpcServer.builder()
			.port(this.pool.endpoint().port())
			.bindAddress("127.0.0.1")
			.service(UserService.class, new UserServiceImpl())
			.start();
		try {
			ConnectionPool.User user = quietUser();
			this.pool.use(user);
			runNextTask();
			assertThat(this.scheduled).as("the next attempt").hasSize(1);
			this.scheduled.remove(0).run();
			runNextTask();
			assertThat(this.pool.connectionsFor(user.binding(), ConnectionPool.ANY_METHOD, false)).hasSize(1);
		}
		finally {
			server.close();
		}
	}

}
