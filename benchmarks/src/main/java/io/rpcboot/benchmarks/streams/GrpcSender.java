package io.rpcboot.benchmarks.streams;

import java.util.function.Supplier;

import io.grpc.stub.CallStreamObserver;

/**
 * Sends elements while its stream is ready, and goes on when it is ready again. Not
 * thread-safe: runs where the callbacks of its stream run.
 *
 * @param <T> the message of an element
 */
final class GrpcSender<T> implements Runnable {

	private final CallStreamObserver<T> stream;

	private final Supplier<T> message;

	private int left;

	private boolean ended;

	GrpcSender(CallStreamObserver<T> stream, int count, Supplier<T> message) {
		this.stream = stream;
		this.left = count;
		this.message = message;
	}

	@Override
	public void run() {
		while (this.left > 0 && this.stream.isReady()) {
			this.left--;
			this.stream.onNext(this.message.get());
		}
		if (this.left == 0 && !this.ended) {
			this.ended = true;
			this.stream.onCompleted();
		}
	}

}
