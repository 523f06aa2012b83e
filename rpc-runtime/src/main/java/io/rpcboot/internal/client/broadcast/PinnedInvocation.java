package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.client.call.CallContext;
import io.rpcboot.internal.client.call.CalledMethod;
import io.rpcboot.internal.client.reference.InterceptedCall;
import io.rpcboot.internal.client.reference.InterceptedProxy;
import org.jspecify.annotations.Nullable;

/** A call of a broadcast on its way through the interceptors. */
final class PinnedInvocation extends InterceptedCall {

	private final PinnedReference reference;

	/** The end of the latest one-way call, which its interceptors do not see. */
	private volatile @Nullable CompletableFuture<@Nullable Object> handedOver;

	PinnedInvocation(InterceptedProxy interceptors, CalledMethod method, @Nullable Object[] arguments,
			PinnedReference reference) {
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
	protected @Nullable Object send(CalledMethod method, @Nullable Object[] arguments, CallContext context)
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
