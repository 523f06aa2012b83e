package io.rpcboot.benchmarks.grpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.grpc.stub.StreamObserver;

/**
 * The one answer of an asynchronous stub, as a future.
 *
 * @param <M> the message
 * @param <T> what the caller gets of it
 */
final class Reply<M, T> implements StreamObserver<M> {

	final CompletableFuture<T> future = new CompletableFuture<>();

	private final Function<M, T> mapping;

	Reply(Function<M, T> mapping) {
		this.mapping = mapping;
	}

	@Override
	public void onNext(M message) {
		this.future.complete(this.mapping.apply(message));
	}

	@Override
	public void onError(Throwable cause) {
		this.future.completeExceptionally(cause);
	}

	@Override
	public void onCompleted() {
		// the one message completed the future
	}

}
