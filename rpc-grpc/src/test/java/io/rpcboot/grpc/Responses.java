package io.rpcboot.grpc;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues the events of a call.
 *
 * @param <T> type of the messages
 */
final class Responses<T> implements StreamObserver<T> {

	final BlockingQueue<T> values = new LinkedBlockingQueue<>();

	final CompletableFuture<Status> end = new CompletableFuture<>();

	T take() throws InterruptedException {
		T value = this.values.poll(20, TimeUnit.SECONDS);
		assertThat(value).as("a response in time; end: %s", this.end).isNotNull();
		return value;
	}

	Status status() {
		return this.end.orTimeout(20, TimeUnit.SECONDS).join();
	}

	@Override
	public void onNext(T value) {
		this.values.add(value);
	}

	@Override
	public void onError(Throwable failure) {
		this.end.complete(Status.fromThrowable(failure));
	}

	@Override
	public void onCompleted() {
		this.end.complete(Status.OK);
	}

}
