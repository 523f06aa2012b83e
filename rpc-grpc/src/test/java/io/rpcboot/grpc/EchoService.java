package io.rpcboot.grpc;

import java.util.function.BiConsumer;

import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;

/** Generated service whose {@code UnaryCall} does what a test says. */
final class EchoService extends TestServiceGrpc.TestServiceImplBase {

	private final BiConsumer<SimpleRequest, StreamObserver<SimpleResponse>> behavior;

	EchoService(BiConsumer<SimpleRequest, StreamObserver<SimpleResponse>> behavior) {
		this.behavior = behavior;
	}

	/** Returns a service that answers with an empty message. */
	static EchoService plain() {
		return new EchoService((request, responses) -> answer(responses));
	}

	static void answer(StreamObserver<SimpleResponse> responses) {
		responses.onNext(SimpleResponse.getDefaultInstance());
		responses.onCompleted();
	}

	@Override
	public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
		this.behavior.accept(request, responses);
	}

}
