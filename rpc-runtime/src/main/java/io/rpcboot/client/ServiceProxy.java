package io.rpcboot.client;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.EventLoopThread;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractException;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the interface at the client: serializes, chooses a connection,
 * waits. Stop before: the caller; stop after: client call.
 */
final class ServiceProxy extends ProxyParts {

	/**
	 * A method as this reference calls it.
	 *
	 * @param descriptor the method
	 * @param style how the caller waits
	 * @param codec its serialization
	 * @param recorder its metrics, null if nobody listens
	 * @param timeoutNanos time allowed
	 * @param number its number on the wire
	 * @param name service and method, for messages
	 */
	record ProxyMethod(MethodDescriptor descriptor, Style style, MethodCodec codec, @Nullable CallRecorder recorder,
			long timeoutNanos, int number, String name) {
	}

	/**
	 * The instances that take calls now.
	 *
	 * @param candidates what a load balancer sees of them
	 * @param connections for each instance its connections, one or more
	 * @param fewer by number of a method, for those that some of the connections refuse
	 */
	record Ready(ReadyInstances candidates, ClientConnection[][] connections, Map<Integer, Ready> fewer) {

		static final Ready NONE = new Ready(ReadyInstances.NONE, new ClientConnection[0][], Map.of());

		Ready forMethod(int number) {
			return this.fewer.isEmpty() ? this : this.fewer.getOrDefault(number, this);
		}

	}

	ServiceProxy(int index, ServiceDirectory directory, List<ProxyMethod> methods, LoadBalancer loadBalancer,
			Callbacks where, ClientRuntime client) {
		super(index, directory, methods, loadBalancer, where, client);
	}

	@Override
	ServiceProxy self() {
		return this;
	}

	@Override
	public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		ProxyMethod method = this.methods.get(called);
		if (method == null) {
			return this.directory.invokeObjectMethod(self, called, arguments);
		}
		long startNanos = System.nanoTime();
		CallFuture future = (method.style == Style.FUTURE) ? new CallFuture() : null;
		ClientCall call;
		try {
			call = start(method, arguments, startNanos, future);
		}
		catch (RpcException ex) {
			record(method, ex.status(), startNanos);
			if (future == null) {
				throw ex;
			}
			future.completeExceptionally(ex);
			return future;
		}
		return (method.style == Style.BLOCKING) ? call.await() : future;
	}

	private ClientCall start(ProxyMethod method, @Nullable Object @Nullable [] arguments, long startNanos,
			@Nullable CallFuture future) {
		boolean blocking = method.style == Style.BLOCKING;
		if (blocking && Thread.currentThread() instanceof EventLoopThread) {
			throw CallFailures.onEventLoop(method.descriptor);
		}
		ClientCall call = blocking ? new ClientCall(FrameType.REQUEST, this, method, startNanos) : (future != null)
				? new FutureCall(this, method, startNanos, future) : new OneWayCall(this, method, startNanos);
		try {
			serialize(call, method, arguments);
			begin(call, method, startNanos, future);
		}
		catch (RuntimeException | Error ex) {
			call.discard();
			throw ex;
		}
		return call;
	}

	private void begin(ClientCall call, ProxyMethod method, long startNanos, @Nullable CallFuture future) {
		boolean entered = this.room.tryAcquire() || this.directory.awaitRoom(method, startNanos);
		if (future != null) {
			future.belongsTo(call);
		}
		if (entered) {
			call.entered();
			dispatch(call, null);
		}
		else if (!this.limit.queue().add(call)) {
			throw CallFailures.tooManyPending(method.descriptor, this.limit.most());
		}
	}

	private void serialize(ClientCall call, ProxyMethod method, @Nullable Object @Nullable [] arguments) {
		OutputBuffer out = this.buffers.acquire();
		try {
			out.overflow(call);
			method.codec.serializeArguments(arguments, out);
			call.arguments(out);
		}
		catch (MemoryShortageException | SerializationException ex) {
			throw CallFailures.notSerialized(call, ex);
		}
		finally {
			this.buffers.release(out);
		}
	}

	@Nullable Object deserialize(ClientCall call, ProxyMethod method, int flags, byte[] reply, int offset, int length)
			throws Throwable {
		ClientConnection from = call.connection;
		try {
			MethodCodec codec = (from != null) ? from.codecOf(method) : method.codec;
			if ((flags & FrameHeader.FLAG_DECLARED_EXCEPTION) == 0) {
				return codec.deserializeResult(reply, offset, length);
			}
			throw CallFailures.thrown(method, from, codec.deserializeException(reply, offset, length));
		}
		catch (SerializationException | ContractException ex) {
			throw CallFailures.replyNotReadable(method.descriptor, from, ex);
		}
	}

	/** Send to an instance other than the excluded one, or wait for one. */
	void dispatch(ClientCall call, @Nullable ClientConnection excluded) {
		if (sendToReady(call, excluded)) {
			return;
		}
		if (excluded == null && this.ready.forMethod(call.method.number).connections.length > 0) {
			this.queue.add(call);
		}
		else {
			this.directory.await(call);
		}
	}

	/**
	 * False if others wait, or if no instance other than the excluded one was chosen and
	 * took it.
	 */
	boolean sendToReady(ClientCall call, @Nullable ClientConnection excluded) {
		Ready all = this.ready;
		Ready current = all.forMethod(call.method.number);
		int count = current.connections.length;
		if (count > 0 && (this.waiting.get() == 0 || current != all)) {
			int chosen = (count == 1) ? 0
					: this.loadBalancer.choose(current.candidates.of(call.method.descriptor, call.attempts));
			ClientConnection[] connections = current.connections[chosen];
			ClientConnection target = (connections.length == 1) ? connections[0]
					: connections[ThreadLocalRandom.current().nextInt(connections.length)];
			return target != excluded && !target.isFull() && call.sendTo(target);
		}
		return false;
	}

	void leave() {
		this.room.release();
		if (this.queued.get() > 0) {
			this.limit.queue().admit();
		}
	}

	static void record(ProxyMethod method, RpcStatus status, long startNanos) {
		if (method.recorder != null) {
			method.recorder.record(status, System.nanoTime() - startNanos);
		}
	}

}
