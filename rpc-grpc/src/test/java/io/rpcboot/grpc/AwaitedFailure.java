package io.rpcboot.grpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.grpc.stub.StreamObserver;

/** Observer of a call that fails. */
final class AwaitedFailure<T> implements StreamObserver<T> {

	private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

	@Override
	public void onNext(T value) {
		this.failure.completeExceptionally(new AssertionError("a response: " + value));
	}

	@Override
	public void onError(Throwable thrown) {
		this.failure.complete(thrown);
	}

	@Override
	public void onCompleted() {
		this.failure.completeExceptionally(new AssertionError("no failure"));
	}

	Throwable await() {
		try {
			return this.failure.get(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new AssertionError(ex);
		}
	}

}
