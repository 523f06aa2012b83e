package io.rpcboot.internal.client.reference;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.call.FutureCall;
import io.rpcboot.internal.client.call.OneWayCall;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.context.TaskThread;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.eventloop.NonBlockingThreads;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the interface at the client: serializes, chooses a connection,
 * waits. Stop before: the caller; stop after: client call.
 */
public final class ServiceProxy extends ServiceProxyBase {

	public ServiceProxy(int index, ServiceRouter directory, List<BoundMethod> methods, LoadBalancer loadBalancer,
			CallbackThread where, ClientResources client) {
		super(index, directory, methods, loadBalancer, where, client);
	}

	@Override
	public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		BoundMethod method = this.methods.get(called);
		return (method != null) ? invoke(method, arguments, null) : invokeObjectMethod(self, called, arguments);
	}

	/**
	 * Call a method.
	 * @param given what the call has beside its arguments; null for what the calling
	 * thread adds
	 */
	@Nullable Object invoke(BoundMethod method, @Nullable Object @Nullable [] arguments, @Nullable CallMetadata given)
			throws Throwable {
		long startNanos = System.nanoTime();
		CallFuture future = (method.style == Style.FUTURE) ? new CallFuture() : null;
		ClientCall call;
		try {
			call = start(method, arguments, startNanos, future, given);
		}
		catch (RpcException ex) {
			method.recordUnsent(ex.status(), startNanos);
			if (future == null) {
				throw ex;
			}
			future.completeExceptionally(ex);
			return future;
		}
		return (method.style == Style.BLOCKING) ? call.await() : future;
	}

	private ClientCall start(BoundMethod method, @Nullable Object @Nullable [] arguments, long startNanos,
			@Nullable CallFuture future, @Nullable CallMetadata given) {
		boolean blocking = method.style == Style.BLOCKING;
		Thread caller = Thread.currentThread();
		if (blocking && (NonBlockingThreads.OF_NETTY.isInstance(caller)
				|| NonBlockingThreads.OF_REACTOR.isInstance(caller))) {
			method.requireBlockingThread();
		}
		CallMetadata context = (given == null && (CurrentTask.isCarried || caller instanceof TaskThread))
				? CallMetadata.ofCaller(method, this.options.forwardedAttachments, this.options.maxAttachments) : given;
		ClientCall call = blocking ? new ClientCall(FrameType.REQUEST, this, method, startNanos) : (future != null)
				? new FutureCall(this, method, startNanos, future) : new OneWayCall(this, method, startNanos);
		try {
			call.context = (method.keyArgument < 0) ? context : CallMetadata.withKey(method, arguments, context);
			serialize(call, method, arguments);
			begin(call, method, future);
		}
		catch (RuntimeException | Error ex) {
			call.discard();
			throw ex;
		}
		return call;
	}

	private void begin(ClientCall call, BoundMethod method, @Nullable CallFuture future) {
		if (method.isHedged) {
			this.repetition.begins(call);
		}
		boolean entered = this.room.tryAcquire() || awaitRoom(call, method);
		if (future != null) {
			future.belongsTo(call);
		}
		if (entered) {
			call.markAdmitted();
			if (call.context == null || bindToParent(call)) {
				dispatch(call, null);
			}
		}
		else if ((call.context == null || bindToParent(call)) && !this.limit.queue().add(call)) {
			throw FailureMessages.tooManyPending(method.descriptor, this.limit.pending());
		}
	}

	public void serialize(ClientCall call, BoundMethod method, @Nullable Object @Nullable [] arguments) {
		OutputBuffer out = this.buffers.acquire();
		try {
			out.overflow(call);
			if (call.context != null) {
				call.context.write(out);
			}
			method.codec.serializeArguments(arguments, out);
			call.arguments(out);
		}
		catch (MemoryShortageException | SerializationException ex) {
			throw notSerialized(call, ex);
		}
		finally {
			this.buffers.release(out);
		}
	}

	@Override
	public void dispatch(ClientCall call, @Nullable CallTransport excluded) {
		if (!sendToReady(call, excluded)) {
			awaitConnection(call, excluded);
		}
	}

	/**
	 * False if others wait, or if no instance other than the excluded one was chosen and
	 * took it.
	 */
	boolean sendToReady(ClientCall call, @Nullable CallTransport excluded) {
		RoutingTable all = this.ready;
		RoutingTable current = (all.routes == null) ? all : all.routes.toSend(call, all);
		int count = current.connections.length;
		if (count > 0 && (this.waiting.get() == 0 || current != all)) {
			int chosen = (count == 1) ? 0 : this.loadBalancer.choose(current.candidates.of(call));
			ClientConnection[] connections = current.connections[chosen];
			ClientConnection target = (connections.length == 1) ? connections[0]
					: connections[ThreadLocalRandom.current().nextInt(connections.length)];
			return target != excluded && !target.saturated && call.sendTo(target);
		}
		return false;
	}

}
