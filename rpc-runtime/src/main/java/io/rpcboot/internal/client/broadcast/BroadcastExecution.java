package io.rpcboot.internal.client.broadcast;

import java.util.ArrayList;
import java.util.List;
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
 * The calls of one broadcast, which are under way at the same time, and their report. Any
 * thread, but for what says otherwise.
 *
 * @param <R> what the method returns
 */
public final class BroadcastExecution<R extends @Nullable Object> {

	private final MethodDescriptor method;

	private final List<SingleInstanceDispatcher> references = new ArrayList<>();

	private final CompletableFuture<BroadcastReport<R>> report;

	/** What the waiting thread has to do by itself; null if others do it. */
	private final @Nullable BlockingQueue<Runnable> tasks;

	private BroadcastExecution(InterceptingProxy interceptors, CapturedCall recorded, List<BroadcastTarget> instances,
			@Nullable BlockingQueue<Runnable> tasks) {
		this.tasks = tasks;
		BoundMethod pinned = recorded.method().pinned();
		this.method = pinned.descriptor;
		List<CompletableFuture<Reply<R>>> replies = new ArrayList<>();
		for (BroadcastTarget each : instances) {
			SingleInstanceDispatcher reference = new SingleInstanceDispatcher(interceptors.proxy(), each.endpoint(),
					(tasks != null) ? tasks::add : null);
			this.references.add(reference);
			replies.add(new BroadcastInvocation(interceptors, pinned, recorded.arguments().clone(), reference).begin()
				.handle((value, failure) -> reply(each, value, failure)));
		}
		this.report = instances.isEmpty() ? CompletableFuture.failedFuture(noInstance(interceptors))
				: CompletableFuture.allOf(replies.toArray(new CompletableFuture<?>[0]))
					.thenApply((nothing) -> new BroadcastReport<>(this.method.toString(),
							replies.stream().map(CompletableFuture::join).toList()));
	}

	/**
	 * Make the calls.
	 * @param waits whether the calling thread will wait for their end
	 */
	public static <R extends @Nullable Object> BroadcastExecution<R> begin(InterceptingProxy interceptors,
			CapturedCall recorded, boolean waits) {
		ServiceProxy proxy = interceptors.proxy();
		List<BroadcastTarget> instances = waits ? proxy.directory.awaitKnown() : proxy.directory.known().all();
		// a thread that completes futures must not wait for others of its kind
		boolean completes = waits && proxy.callbacks.isMember(Thread.currentThread());
		return new BroadcastExecution<>(interceptors, recorded, instances,
				completes ? new LinkedBlockingQueue<>() : null);
	}

	private RpcException noInstance(InterceptingProxy interceptors) {
		return FailureMessages.refused(this.method, RpcStatus.UNAVAILABLE, interceptors.proxy().directory.problem(),
				null);
	}

	@SuppressWarnings("unchecked")
	private Reply<R> reply(BroadcastTarget instance, @Nullable Object value, @Nullable Throwable thrown) {
		Throwable failure = (thrown != null) ? Results.cause(thrown) : null;
		if (failure instanceof CancellationException) {
			failure = new RpcException(RpcStatus.CANCELLED,
					"%s at %s: the future of an interceptor was cancelled".formatted(this.method, instance.endpoint()),
					true, null, failure);
		}
		boolean isVoid = this.method.method().getReturnType() == void.class;
		return new Reply<>(instance.endpoint(), instance.info().id(), (R) (isVoid ? null : value), failure);
	}

	/** The report to come: who cancels it cancels the calls. */
	public CompletableFuture<BroadcastReport<R>> later() {
		this.report.whenComplete((made, failure) -> {
			if (this.report.isCancelled()) {
				cancel("the future was cancelled");
			}
		});
		return this.report;
	}

	private void cancel(String why) {
		this.references.forEach((each) -> each.cancel(why));
	}

	/** Wait for the report. By the thread that has begun. */
	public BroadcastReport<R> await() {
		if (this.tasks != null) {
			this.report.whenComplete((made, failure) -> this.tasks.add(() -> {
			}));
		}
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return (this.tasks != null) ? work(this.tasks) : this.report.get();
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

	private BroadcastReport<R> work(BlockingQueue<Runnable> tasks) throws InterruptedException, ExecutionException {
		while (!this.report.isDone()) {
			tasks.take().run();
		}
		return this.report.get();
	}

}
