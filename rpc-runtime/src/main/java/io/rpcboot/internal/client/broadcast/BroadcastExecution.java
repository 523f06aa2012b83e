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
import io.rpcboot.internal.client.call.CallerContext;
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

	/** Makes the calls and returns their report. Blocks the calling thread. */
	public static <R extends @Nullable Object> BroadcastReport<R> call(InterceptingProxy interceptors,
			CapturedCall captured) {
		ServiceProxy proxy = interceptors.proxy();
		List<BroadcastTarget> instances = proxy.router.awaitBroadcastTargets();
		// callback threads that all wait for each other would never complete a future
		boolean isCallback = proxy.resources().callbacks.isMember(Thread.currentThread());
		return new BroadcastExecution<R>(interceptors, captured, instances,
				isCallback ? new LinkedBlockingQueue<>() : null)
			.await();
	}

	/**
	 * Begins the calls, on a callback thread if no instance is known yet.
	 * @return the future of the report, whose cancellation cancels the calls
	 */
	public static <R extends @Nullable Object> CompletableFuture<BroadcastReport<R>> begin(
			InterceptingProxy interceptors, CapturedCall captured) {
		CompletableFuture<List<BroadcastTarget>> instances = interceptors.proxy().router.awaitBroadcastTargetsLater();
		if (instances.isDone()) {
			return new BroadcastExecution<R>(interceptors, captured, instances.join(), null).later();
		}
		CompletableFuture<BroadcastReport<R>> report = new CompletableFuture<>();
		CallerContext caller = CallerContext.current(null);
		instances.thenAcceptAsync((known) -> caller.resume(() -> {
			if (!report.isDone()) {
				new BroadcastExecution<R>(interceptors, captured, known, null).completes(report);
			}
		}), interceptors.proxy().resources().callbacks).exceptionally((failure) -> {
			report.completeExceptionally(Results.cause(failure));
			return null;
		});
		return report;
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
	private CompletableFuture<BroadcastReport<R>> later() {
		cancelsCalls(this.report);
		return this.report;
	}

	/** Completes a future with the report; its cancellation cancels the calls. */
	private void completes(CompletableFuture<BroadcastReport<R>> given) {
		cancelsCalls(given);
		this.report.whenComplete((made, failure) -> {
			if (failure != null) {
				given.completeExceptionally(failure);
			}
			else {
				given.complete(made);
			}
		});
	}

	private void cancelsCalls(CompletableFuture<BroadcastReport<R>> given) {
		given.whenComplete((made, failure) -> {
			if (given.isCancelled()) {
				cancel("the future was cancelled");
			}
		});
	}

	private void cancel(String why) {
		this.calls.forEach((each) -> each.cancel(why));
	}

	/** Waits for the report. For the thread that began the calls. */
	private BroadcastReport<R> await() {
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
