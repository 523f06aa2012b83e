package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.CallDispatcher;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.client.reference.ServiceProxyBase;
import io.rpcboot.internal.client.routing.BroadcastTarget;
import io.rpcboot.internal.client.routing.BroadcastTargets;
import org.jspecify.annotations.Nullable;

/**
 * A reference as the calls of a broadcast know it: they go to one instance or nowhere,
 * and are made once. Stands beside service proxy. Any thread.
 */
final class SingleInstanceDispatcher extends CallDispatcher {

	private final ServiceProxy proxy;

	private final BroadcastTargets instances;

	private final Endpoint endpoint;

	/** Runs what completes futures, null for the threads that do so for the reference. */
	private final @Nullable Executor completer;

	/** The latest call. */
	private volatile @Nullable ClientCall latest;

	/** Why no further call is to be made; null while it may. */
	private volatile @Nullable String over;

	SingleInstanceDispatcher(ServiceProxy proxy, Endpoint endpoint, @Nullable Executor completer) {
		super(proxy.index, proxy.arrays, proxy.callbacks, proxy.limit, proxy.share,
				proxy.completesOnLoop && completer == null, proxy.memory, proxy.counts);
		this.proxy = proxy;
		this.instances = proxy.directory.known();
		this.endpoint = endpoint;
		this.completer = completer;
	}

	/** Call a method. Returns what ends with the call; of a one-way call, too. */
	CompletableFuture<@Nullable Object> invoke(BoundMethod method, @Nullable Object[] arguments, CallMetadata context) {
		long startNanos = System.nanoTime();
		CallFuture future = new CallFuture();
		try {
			start(method, arguments, context, future, startNanos);
		}
		catch (RpcException ex) {
			method.recordUnsent(ex.status(), startNanos);
			future.completeExceptionally(ex);
		}
		return future;
	}

	private void start(BoundMethod method, @Nullable Object[] arguments, CallMetadata context, CallFuture future,
			long startNanos) {
		ClientCall call = (method.style == Style.ONE_WAY)
				? new BroadcastOneWayCall(this, method, startNanos, future, this.completer)
				: new BroadcastCall(this, method, startNanos, future, this.completer);
		try {
			call.context = context;
			this.proxy.serialize(call, method, arguments);
			begin(call, method, future);
		}
		catch (RuntimeException | Error ex) {
			call.discard();
			throw ex;
		}
	}

	private void begin(ClientCall call, BoundMethod method, CallFuture future) {
		boolean entered = this.proxy.room.tryAcquire() || this.proxy.awaitRoom(call, method);
		if (entered) {
			call.markAdmitted(); // before anybody else can end it
		}
		future.belongsTo(call);
		this.latest = call;
		String why = this.over;
		if (why != null) {
			call.fail(RpcStatus.CANCELLED, why);
		}
		else if (ServiceProxyBase.bindToParent(call)) {
			if (entered) {
				dispatch(call, null);
			}
			else if (!this.proxy.limit.queue().add(call)) {
				throw FailureMessages.tooManyPending(method.descriptor, this.proxy.limit.pending());
			}
		}
	}

	/** Nobody waits any more. */
	void cancel(String why) {
		this.over = why;
		ClientCall call = this.latest;
		if (call != null) {
			call.fail(RpcStatus.CANCELLED, why);
		}
	}

	@Override
	public Endpoint onlyAt() {
		return this.endpoint;
	}

	@Override
	public void dispatch(ClientCall call, @Nullable CallTransport excluded) {
		BroadcastTarget instance = this.instances.at(this.endpoint);
		if (instance == null || !instance.isReachable()) {
			this.instances.fail(call);
			return;
		}
		ClientConnection free = instance.withRoom();
		if (free == null || !call.sendTo(free)) {
			enqueue(call);
		}
	}

	@Override
	protected boolean mayTryElsewhere(ClientCall call) {
		return false;
	}

	/** It waits: for another connection, or until it is known that there is none. */
	@Override
	public void dispatchAgain(ClientCall call, RedispatchReason why) {
		if (!call.markNotExecuted()) {
			return;
		}
		if (call.remainingNanos() <= 0) {
			call.expire();
			return;
		}
		enqueue(call);
	}

	@Override
	protected boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply) {
		return false;
	}

	@Override
	protected void answered(ClientCall call) {
	}

	@Override
	public boolean retryFromFrozen(ClientCall call) {
		return false;
	}

	@Override
	public boolean hedgesOverdue(ClientCall call) {
		return true;
	}

	@Override
	public void enqueue(ClientCall call) {
		this.instances.add(call);
	}

	@Override
	public void giveBack(ClientCall call) {
		this.instances.giveBack(call);
	}

	@Override
	protected void expire(ClientCall call) {
		if (call.state == ClientCall.AWAITING_PERMIT) {
			call.fail(RpcStatus.DEADLINE_EXCEEDED, FailureMessages.noPermit(this.proxy.limit.most()));
		}
		else if (call.connection == null) {
			call.fail(RpcStatus.DEADLINE_EXCEEDED, "%s had no room for it all the time".formatted(this.endpoint));
		}
		else {
			call.failWithoutReply();
		}
	}

	@Override
	public void onCompleted(ClientCall call) {
		this.proxy.onCompleted(call);
	}

}
