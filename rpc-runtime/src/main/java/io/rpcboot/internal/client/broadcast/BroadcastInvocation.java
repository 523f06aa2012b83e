package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallDispatcher;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.call.FutureCall;
import io.rpcboot.internal.client.call.OneWayCall;
import io.rpcboot.internal.client.call.ReferenceResources;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.reference.ClientInterceptorChain;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.client.routing.BroadcastTarget;
import io.rpcboot.internal.client.routing.BroadcastTargets;
import io.rpcboot.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Call of a broadcast at one instance: passes the interceptors, then goes to that
 * instance or nowhere, without retries and hedges. Any thread.
 */
final class BroadcastInvocation extends ClientInterceptorChain implements CallDispatcher {

	private final ServiceProxy proxy;

	private final BroadcastTargets instances;

	private final Endpoint endpoint;

	/** Runs the completion of futures; null for the callback threads of the client. */
	private final @Nullable Executor completer;

	/** End of the latest attempt of an interceptor; null before the first. */
	private volatile @Nullable CallFuture latest;

	/** Reason why no further attempt may begin; null while one may. */
	private volatile @Nullable String cancelled;

	BroadcastInvocation(InterceptingProxy interceptors, BoundMethod method, @Nullable Object[] arguments,
			Endpoint endpoint, @Nullable Executor completer) {
		super(interceptors.proxy(), method, arguments, interceptors.withoutFallback());
		this.proxy = interceptors.proxy();
		this.instances = this.proxy.router.broadcastTargets();
		this.endpoint = endpoint;
		this.completer = completer;
	}

	/**
	 * Begins the call.
	 * @return a future that completes with the call; that of a one-way call when the
	 * socket has taken it
	 */
	CompletableFuture<?> begin() {
		try {
			Object result = run();
			if (result instanceof CompletableFuture<?> future) {
				return future;
			}
			CompletableFuture<?> sent = this.latest;
			return (sent != null) ? sent : CompletableFuture.completedFuture(null);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Cancels the call with a reason for its message. */
	void cancel(String why) {
		this.cancelled = why;
		CallFuture pending = this.latest;
		if (pending != null) {
			pending.cancelCall(why);
		}
	}

	@Override
	protected @Nullable Object send(BoundMethod method, @Nullable Object[] arguments, CallMetadata context)
			throws Throwable {
		long startNanos = System.nanoTime();
		CallFuture end = new CallFuture();
		ClientCall call = (method.style == Style.ONE_WAY) ? new OneWayCall(this, method, startNanos, end)
				: new FutureCall(this, method, startNanos, end);
		call.context = context;
		try {
			requireNotCancelled(method);
			this.proxy.start(call, arguments, end);
		}
		catch (RpcException ex) {
			method.recordUnsent(ex.status(), startNanos);
			end.completeExceptionally(ex);
		}
		this.latest = end;
		String why = this.cancelled;
		if (why != null) {
			end.cancelCall(why);
		}
		if (method.style != Style.ONE_WAY) {
			return end;
		}
		Throwable failure = end.isCompletedExceptionally() ? end.handle((nothing, ex) -> ex).getNow(null) : null;
		if (failure != null) {
			throw Results.cause(failure);
		}
		return null;
	}

	private void requireNotCancelled(BoundMethod method) {
		String why = this.cancelled;
		if (why != null) {
			throw FailureMessages.refused(method.descriptor, RpcStatus.CANCELLED, why, null);
		}
	}

	@Override
	protected Endpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public ReferenceResources resources() {
		return this.proxy.resources();
	}

	@Override
	public boolean completesOnLoop() {
		return this.completer == null && this.proxy.completesOnLoop();
	}

	@Override
	public void publish(Runnable completion) {
		if (this.completer != null) {
			this.completer.execute(completion);
		}
		else {
			this.proxy.publish(completion);
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
		ClientConnection free = instance.freeConnection();
		if (free == null || !call.sendTo(free)) {
			enqueue(call);
		}
	}

	/** Waits for another connection to the instance, or for the end of the instance. */
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
	public void enqueue(ClientCall call) {
		this.instances.add(call);
	}

	@Override
	public void giveBack(ClientCall call) {
		this.instances.giveBack(call);
	}

	@Override
	public void expire(ClientCall call) {
		if (call.state != ClientCall.AWAITING_PERMIT && call.connection == null) {
			call.fail(RpcStatus.DEADLINE_EXCEEDED, "%s was full for the whole timeout".formatted(this.endpoint));
		}
		else {
			this.proxy.expire(call);
		}
	}

	@Override
	public boolean mayRunElsewhere(ClientCall call, RpcStatus status) {
		return false;
	}

	@Override
	public boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayHaveRun) {
		return false;
	}

	@Override
	public boolean retryElsewhere(ClientCall call, RedispatchReason why) {
		return false;
	}

	/** Earns no budget, because the call uses none. */
	@Override
	public void answered(ClientCall call) {
	}

	@Override
	public void onCompleted(ClientCall call) {
		this.proxy.onCompleted(call);
	}

}
