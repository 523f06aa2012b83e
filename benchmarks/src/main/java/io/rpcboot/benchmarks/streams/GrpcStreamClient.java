package io.rpcboot.benchmarks.streams;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.rpcboot.benchmarks.streams.proto.BothRequest;
import io.rpcboot.benchmarks.streams.proto.BothResponse;
import io.rpcboot.benchmarks.streams.proto.DownRequest;
import io.rpcboot.benchmarks.streams.proto.DownResponse;
import io.rpcboot.benchmarks.streams.proto.StreamServiceGrpc;
import io.rpcboot.benchmarks.streams.proto.UpRequest;
import io.rpcboot.benchmarks.streams.proto.UpResponse;

/**
 * One channel of grpc-java with generated stubs.
 */
final class GrpcStreamClient implements StreamClient {

	private final ManagedChannel channel;

	private final StreamServiceGrpc.StreamServiceStub stub;

	GrpcStreamClient(int port) {
		this.channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
		this.stub = StreamServiceGrpc.newStub(this.channel);
	}

	@Override
	public CompletableFuture<Long> open(Direction direction, int bytes, int count) {
		ByteString element = UnsafeByteOperations.unsafeWrap(Elements.of(bytes));
		switch (direction) {
			case DOWN -> {
				Taker<DownRequest, DownResponse> taker = new Taker<>(0, DownRequest::getDefaultInstance,
						(response) -> GrpcStreamService.check(response.getValue()));
				this.stub.down(DownRequest.newBuilder().setBytes(bytes).setCount(count).build(), taker);
				return taker.result;
			}
			case UP -> {
				Taker<UpRequest, UpResponse> taker = new Taker<>(count,
						() -> UpRequest.newBuilder().setElements(element).build(), UpResponse::getValue);
				this.stub.up(taker);
				return taker.result;
			}
			case BOTH -> {
				Taker<BothRequest, BothResponse> taker = new Taker<>(count,
						() -> BothRequest.newBuilder().setElements(element).build(),
						(response) -> GrpcStreamService.check(response.getValue()));
				this.stub.both(taker);
				return taker.result;
			}
			default -> throw new UnsupportedOperationException(direction.word());
		}
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
	}

	/** Sends elements if there are any, and adds up the answers. */
	private static final class Taker<Q, A> implements ClientResponseObserver<Q, A> {

		private final CompletableFuture<Long> result = new CompletableFuture<>();

		private final int count;

		private final Supplier<Q> message;

		private final ToLongFunction<A> size;

		private long bytes;

		Taker(int count, Supplier<Q> message, ToLongFunction<A> size) {
			this.count = count;
			this.message = message;
			this.size = size;
		}

		@Override
		public void beforeStart(ClientCallStreamObserver<Q> requests) {
			if (this.count > 0) {
				requests.setOnReadyHandler(new GrpcSender<>(requests, this.count, this.message));
			}
		}

		@Override
		public void onNext(A response) {
			this.bytes += this.size.applyAsLong(response);
		}

		@Override
		public void onError(Throwable failure) {
			this.result.completeExceptionally(failure);
		}

		@Override
		public void onCompleted() {
			this.result.complete(this.bytes);
		}

	}

}
