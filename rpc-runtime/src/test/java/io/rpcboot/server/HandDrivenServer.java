package io.rpcboot.server;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.logging.RateLimitedLog;
import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.ServerConnection;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerRuntime;
import io.rpcboot.internal.server.scheduling.CallLine;
import io.rpcboot.internal.server.scheduling.MethodTimes;
import io.rpcboot.internal.server.scheduling.ResultSizes;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.scheduling.ServiceShare;
import io.rpcboot.internal.server.services.OfferedServices;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.frame.BodyMemory;
import io.rpcboot.internal.transport.frame.Frame;
import io.rpcboot.internal.transport.frame.IncomingBody;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.transport.MemoryOptions;

/**
 * A server with one connection that has no socket. Its calls run in the thread that
 * starts them, and what is to happen later happens when the test says so.
 */
public final class HandDrivenServer {

	/** A service whose results are taken to be large. */
	public interface Archive {

		String fetch();

	}

	public final ServerRuntime runtime;

	public final MemoryAccount account;

	public final EmbeddedChannel channel;

	/** How often a result was made. */
	public final AtomicInteger fetched = new AtomicInteger();

	/** What the loop of the server is to do later. */
	public final List<Runnable> later = new ArrayList<>();

	public boolean loopHasEnded;

	public ServerConnection connection;

	/** What results are taken to need; 0 for small ones that wait now and then. */
	public int expected;

	public final ServerMethod method;

	private long lastId;

	public HandDrivenServer(int maxFrameSize, String result) {
		this(maxFrameSize, result, RpcMetrics.none());
	}

	public HandDrivenServer(int maxFrameSize, String result, RpcMetrics metrics) {
		this.expected = maxFrameSize / 2;
		ServerOptions options = BuiltOptions.of(RpcServer.builder()
			.maxFrameSize(maxFrameSize)
			.metrics(metrics)
			.memory(MemoryOptions.defaults().withLimit(16L * maxFrameSize)));
		RateLimitedLog log = new RateLimitedLog(HandDrivenServer.class.getName(), System::nanoTime);
		BodyMemory memory = BodyMemory.of(options.memory, options.socket, maxFrameSize, options.maxInFlightCalls);
		this.account = memory.account();
		this.runtime = new ServerRuntime(options, new OfferedServices(Map.of(), List.of(new ProtostuffSerializer()),
				options.dispatch, options.share(), metrics, this.account, log, List.of()), memory, log);
		this.runtime.workers.close(); // runs what it is given in the thread that gives it
		this.runtime.memory.start(loop());
		this.method = method(() -> {
			this.fetched.incrementAndGet();
			return result;
		});
		this.channel = EmbeddedConnections.open(maxFrameSize,
				(opened) -> this.connection = new ServerConnection(opened, this.runtime));
	}

	/** Runs what is to happen later when the test says so. */
	public ScheduledExecutorService loop() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, called, arguments) -> {
					if (called.getName().equals("isShutdown")) {
						return false;
					}
					if (this.loopHasEnded) {
						throw new RejectedExecutionException("ended on purpose");
					}
					this.later.add((Runnable) arguments[0]);
					return null;
				});
	}

	private static ServerMethod method(Archive archive) {
		ServiceDescriptor service = ServiceDescriptor.of(Archive.class);
		MethodDescriptor descriptor = service.methods().get(0);
		ServiceCodec codec = new ProtostuffSerializer().codec(service);
		return new ServerMethod(descriptor, false, codec.method(descriptor.number()), () -> archive, null,
				new LongAdder(), new ResultSizes(), new MethodTimes(), Dispatch.POOL,
				new CallLine(ServiceShare.of(1, false, 1, 1), false), null);
	}

	/** A call that has arrived and was not begun. */
	public ServerCall newCall(long allowedNanos) {
		return newCall(allowedNanos, false);
	}

	/** The same for one that may have no answer. */
	public ServerCall newCall(long allowedNanos, boolean oneWay) {
		this.method.results.accept(this.expected);
		this.method.results.entered();
		this.runtime.inFlight.incrementAndGet();
		return new ServerCall(this.connection, this.method, oneWay, ++this.lastId, 0, System.nanoTime(), allowedNanos);
	}

	/** A call that has arrived and begins, if it may. */
	public ServerCall start(long allowedNanos) {
		ServerCall call = newCall(allowedNanos);
		begin(call);
		return call;
	}

	/** A call that was not begun begins, if it may. */
	public void begin(ServerCall call) {
		this.connection.start(call, Frame.NOTHING, 0, 0, IncomingBody.of(Frame.NOTHING));
		this.connection.onReadComplete();
	}

}
