package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.reference.ClientInterceptorChain;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import org.jspecify.annotations.Nullable;

/** A call of a broadcast on its way through the interceptors. */
final class BroadcastInvocation extends ClientInterceptorChain {

	private final SingleInstanceDispatcher reference;

	/** The end of the latest one-way call, which its interceptors do not see. */
	private volatile @Nullable CompletableFuture<@Nullable Object> handedOver;

	BroadcastInvocation(InterceptingProxy interceptors, BoundMethod method, @Nullable Object[] arguments,
			SingleInstanceDispatcher reference) {
		super(interceptors.proxy(), method, arguments, interceptors.withoutFallback());
		this.reference = reference;
	}

	/** Returns what ends with the call. */
	CompletableFuture<?> begin() {
		try {
			Object result = run();
			if (result instanceof CompletableFuture<?> future) {
				return future;
			}
			CompletableFuture<?> sent = this.handedOver;
			return (sent != null) ? sent : CompletableFuture.completedFuture(null);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	protected @Nullable Object send(BoundMethod method, @Nullable Object[] arguments, CallMetadata context)
			throws Throwable {
		CompletableFuture<@Nullable Object> end = this.reference.invoke(method, arguments, context);
		if (method.style != Style.ONE_WAY) {
			return end;
		}
		this.handedOver = end;
		Throwable failure = end.isCompletedExceptionally() ? end.handle((nothing, ex) -> ex).getNow(null) : null;
		if (failure != null) {
			throw Results.cause(failure);
		}
		return null;
	}

	@Override
	protected @Nullable Endpoint endpoint() {
		return this.reference.onlyAt();
	}

}
