package io.rpcboot.internal.client.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.BroadcastReport;
import io.rpcboot.client.BroadcastReport.Reply;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.client.routing.BroadcastTarget;
import org.jspecify.annotations.Nullable;

/**
 * Concurrent calls of one broadcast, one for each known instance, and their report. Any
 * thread, unless a method says otherwise.
 *
 * @param <R> the return type of the method
 */
public final class BroadcastExecution<R extends @Nullable Object> {

	private final MethodDescriptor method;

	private final List<BroadcastInvocation> calls = new ArrayList<>();

	private final CompletableFuture<BroadcastReport<R>> report;

	/** Completions that the waiting thread runs; null if callback threads run them. */
	private final @Nullable BlockingQueue<Runnable> completions;

	private BroadcastExecution(InterceptingProxy interceptors, CapturedCall captured, List<BroadcastTarget> instances,
			@Nullable BlockingQueue<Runnable> completions) {
		this.completions = completions;
		BoundMethod pinned = captured.method().pinned();
		this.method = pinned.descriptor;
		List<CompletableFuture<Reply<R>>> replies = new ArrayList<>();
		for (BroadcastTarget each : instances) {
			BroadcastInvocation call = new BroadcastInvocation(interceptors, pinned, captured.arguments().clone(),
					each.endpoint(), (completions != null) ? completions::add : null);
			this.calls.add(call);
			replies.add(call.begin().handle((value, failure) -> reply(each, value, failure)));
		}
		this.report = instances.isEmpty() ? CompletableFuture.failedFuture(noInstance(interceptors))
				: CompletableFuture.allOf(replies.toArray(new CompletableFuture<?>[0]))
					.thenApply((nothing) -> new BroadcastReport<>(this.method.toString(),
							replies.stream().map(CompletableFuture::join).toList()));
	}

	/**
	 * Begins the calls.
	 * @param waits true if the calling thread will wait in {@link #await}
	 */
	public static <R extends @Nullable Object> BroadcastExecution<R> begin(InterceptingProxy interceptors,
			CapturedCall captured, boolean waits) {
		ServiceProxy proxy = interceptors.proxy();
		List<BroadcastTarget> instances = waits ? proxy.router.awaitBroadcastTargets()
				: proxy.router.broadcastTargets().all();
		// callback threads that all wait for each other would never complete a future
		boolean isCallback = waits && proxy.resources().callbacks.isMember(Thread.currentThread());
		return new BroadcastExecution<>(interceptors, captured, instances,
				isCallback ? new LinkedBlockingQueue<>() : null);
	}

	private RpcException noInstance(InterceptingProxy interceptors) {
		return FailureMessages.refused(this.method, RpcStatus.UNAVAILABLE, interceptors.proxy().router.problem(), null);
	}

	@SuppressWarnings("unchecked")
	private Reply<R> reply(BroadcastTarget instance, @Nullable Object value, @Nullable Throwable thrown) {
		Throwable failure = (thrown != null) ? Results.cause(thrown) : null;
		if (failure instanceof CancellationException) {
			failure = new RpcException(RpcStatus.CANCELLED,
					"%s at %s: the future of an interceptor was cancelled".formatted(this.method, instance.endpoint()),
					true, null, failure, Map.of(), this.method.toString());
		}
		boolean isVoid = this.method.method().getReturnType() == void.class;
		return new Reply<>(instance.endpoint(), instance.info().id(), (R) (isVoid ? null : value), failure);
	}

	/** Returns the future of the report, whose cancellation cancels the calls. */
	public CompletableFuture<BroadcastReport<R>> later() {
		this.report.whenComplete((made, failure) -> {
			if (this.report.isCancelled()) {
				cancel("the future was cancelled");
			}
		});
		return this.report;
	}

	private void cancel(String why) {
		this.calls.forEach((each) -> each.cancel(why));
	}

	/** Waits for the report. For the thread that began the calls. */
	public BroadcastReport<R> await() {
		if (this.completions != null) {
			this.report.whenComplete((made, failure) -> this.completions.add(() -> {
			}));
		}
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return (this.completions != null) ? runUntilDone(this.completions) : this.report.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
					cancel("the calling thread was interrupted");
				}
			}
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RpcException failure) ? failure : new IllegalStateException(ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private BroadcastReport<R> runUntilDone(BlockingQueue<Runnable> completions)
			throws InterruptedException, ExecutionException {
		while (!this.report.isDone()) {
			completions.take().run();
		}
		return this.report.get();
	}

}
