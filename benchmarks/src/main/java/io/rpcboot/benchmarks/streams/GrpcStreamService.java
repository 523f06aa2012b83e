package io.rpcboot.benchmarks.streams;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.rpcboot.benchmarks.streams.proto.BothRequest;
import io.rpcboot.benchmarks.streams.proto.BothResponse;
import io.rpcboot.benchmarks.streams.proto.DownRequest;
import io.rpcboot.benchmarks.streams.proto.DownResponse;
import io.rpcboot.benchmarks.streams.proto.StreamServiceGrpc;
import io.rpcboot.benchmarks.streams.proto.UpRequest;
import io.rpcboot.benchmarks.streams.proto.UpResponse;

/**
 * The service as grpc-java has it. Bytes are not copied where its users need not.
 */
final class GrpcStreamService extends StreamServiceGrpc.StreamServiceImplBase {

	/** The ends of an element that has arrived. */
	static int check(ByteString element) {
		int size = element.size();
		return Elements.check(element.byteAt(0), element.byteAt(size - 1), size);
	}

	@Override
	public void down(DownRequest request, StreamObserver<DownResponse> responses) {
		ServerCallStreamObserver<DownResponse> stream = (ServerCallStreamObserver<DownResponse>) responses;
		ByteString element = UnsafeByteOperations.unsafeWrap(Elements.of(request.getBytes()));
		GrpcSender<DownResponse> sender = new GrpcSender<>(stream, request.getCount(),
				() -> DownResponse.newBuilder().setValue(element).build());
		stream.setOnReadyHandler(sender);
		sender.run();
	}

	@Override
	public StreamObserver<UpRequest> up(StreamObserver<UpResponse> responses) {
		return new Taker<>(responses) {

			private long bytes;

			@Override
			public void onNext(UpRequest request) {
				this.bytes += check(request.getElements());
			}

			@Override
			public void onCompleted() {
				responses.onNext(UpResponse.newBuilder().setValue(this.bytes).build());
				responses.onCompleted();
			}

		};
	}

	/** Asks for the next message when the last one did not have to wait. */
	@Override
	public StreamObserver<BothRequest> both(StreamObserver<BothResponse> responses) {
		ServerCallStreamObserver<BothResponse> stream = (ServerCallStreamObserver<BothResponse>) responses;
		stream.disableAutoRequest();
		boolean[] waits = { true };
		stream.setOnReadyHandler(() -> {
			if (waits[0]) {
				waits[0] = false;
				stream.request(1);
			}
		});
		return new Taker<>(responses) {

			@Override
			public void onNext(BothRequest request) {
				stream.onNext(BothResponse.newBuilder().setValue(request.getElements()).build());
				waits[0] = !stream.isReady();
				if (!waits[0]) {
					stream.request(1);
				}
			}

			@Override
			public void onCompleted() {
				stream.onCompleted();
			}

		};
	}

	private abstract static class Taker<Q, A> implements StreamObserver<Q> {

		private final StreamObserver<A> responses;

		Taker(StreamObserver<A> responses) {
			this.responses = responses;
		}

		@Override
		public void onError(Throwable failure) {
			this.responses.onError(Status.CANCELLED.withCause(failure).asRuntimeException());
		}

	}

}
