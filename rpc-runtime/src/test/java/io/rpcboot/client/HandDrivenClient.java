package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.client.call.CalledMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounts;
import io.rpcboot.internal.client.call.OneWayCall;
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
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.BodyMemory;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.workload.UserService;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a client with one reference, without sockets and threads. What it hands to
 * its control thread never happens: no sweep of a queue hides a wake-up that was lost.
 */
public final class HandDrivenClient {

	public static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

	public static final ScheduledExecutorService NOBODY = (ScheduledExecutorService) Proxy.newProxyInstance(
			HandDrivenClient.class.getClassLoader(), new Class<?>[] { ScheduledExecutorService.class },
			(proxy, method, arguments) -> null);

	private static final int MAX_FRAME = 1024;

	private static final ClientOptions OPTIONS = new ClientOptions();

	private static final WorkerPool CALLBACKS = new WorkerPool("none-", 0);

	private static final ClientMemory MEMORY = new ClientMemory(
			BodyMemory.of(MemoryOptions.defaults(), OPTIONS.socket, MAX_FRAME, 10), WhenFull.FAIL, CALLBACKS);

	private static final OutputBuffer.Pool BUFFERS = new OutputBuffer.Pool(MAX_FRAME);

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(UserService.class);

	private static final ServiceCodec CODEC = new ProtostuffSerializer().codec(SERVICE);

	private static final ServiceBinding BINDING = new ServiceBinding(SERVICE, "protostuff", CODEC, 0);

	private static final MethodDescriptor METHOD = SERVICE.methods().get(0);

	private final CalledMethod called;

	public final AtomicLong clock = new AtomicLong(System.nanoTime());

	/** Its clock stands until a test moves it. */
	public final CallLimit limit;

	public final ClientRuntime runtime;

	public final ServiceDirectory directory;

	public final ServiceProxy proxy;

	public HandDrivenClient(int maxPendingCalls) {
		this(maxPendingCalls, METHOD.style(), NOBODY);
	}

	/**
	 * Create the parts.
	 * @param style how the caller waits for a call of the one method
	 * @param control the control thread
	 */
	HandDrivenClient(int maxPendingCalls, Style style, ScheduledExecutorService control) {
		MethodDescriptor method = new MethodDescriptor(METHOD.service(), METHOD.number(), METHOD.method(), style,
				METHOD.declaredExceptions(), METHOD.timeout(), METHOD.isIdempotent());
		this.called = new CalledMethod(method, CODEC.method(0), null, TIMEOUT_NANOS, 0, false, false, false,
				RouteKeys.NONE);
		this.limit = new CallLimit(maxPendingCalls, WhenFull.FAIL, control, this.clock::get);
		this.runtime = new ClientRuntime(OPTIONS, Set.of("protostuff"), null, control, CALLBACKS, BUFFERS,
				new ThreadStripes<>(), this.limit, MEMORY, new ServerContracts(MEMORY.account()),
				ConcurrentHashMap.newKeySet(), new OneWayLosses(), new ClientCounts(), this.clock::get);
		this.directory = new ServiceDirectory(BINDING, InstanceSource.of(null), ResilienceOptions.defaults(),
				OPTIONS.batching, WAIT_NANOS, this.runtime, new EndpointPools(this.runtime));
		this.proxy = new ServiceProxy(0, this.directory, List.of(this.called), new RandomLoadBalancer(),
				Callbacks.EVENT_LOOP, this.runtime);
		this.directory.serve(this.proxy);
	}

	/** A call that counts as under way nowhere. */
	public ClientCall call(long startNanos) {
		return new ClientCall(FrameType.REQUEST, this.proxy, this.called, startNanos);
	}

	/** One that is over when it is written. */
	public ClientCall oneWayCall() {
		return new OneWayCall(this.proxy, this.called, System.nanoTime());
	}

	/** Call the one method, as an application does. */
	@Nullable Object invoke() throws Throwable {
		return this.proxy.invoke(this, METHOD.method(), new @Nullable Object[] { null });
	}

	/** Calls that begin now and count as under way. */
	public List<ClientCall> calls(int count) {
		return IntStream.range(0, count).mapToObj((i) -> {
			ClientCall call = call(System.nanoTime());
			call.entered();
			return call;
		}).toList();
	}

}
