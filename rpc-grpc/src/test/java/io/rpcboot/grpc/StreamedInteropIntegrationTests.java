package io.rpcboot.grpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceImpl;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcContract;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The server-streaming cases of the interop tests of gRPC: clients of grpc-java call an
 * interface, and a reference calls the server of grpc-java.
 */
class StreamedInteropIntegrationTests {

	private static final int[] SIZES = { 31415, 9, 2653, 58979 };

	private static ScheduledExecutorService executor;

	private static Outputs implementation;

	private static RpcServer server;

	private static ManagedChannel channel;

	private static Server other;

	private static RpcClient client;

	private static TestServiceGrpc.TestServiceBlockingStub stub;

	private static Outputs reference;

	/** The method of gRPC's interop tests that returns a stream. */
	@RpcContract(name = "grpc.testing.TestService")
	public interface Outputs {

		@RpcMethod(bare = true)
		Stream<StreamingOutputCallResponse> streamingOutputCall(StreamingOutputCallRequest request);

	}

	/** Gives what is asked for; a negative size ends the stream with a failure. */
	private static final class OutputsImpl implements Outputs {

		private final AtomicInteger closed = new AtomicInteger();

		@Override
		public Stream<StreamingOutputCallResponse> streamingOutputCall(StreamingOutputCallRequest request) {
			return request.getResponseParametersList().stream().map((each) -> {
				if (each.getSize() < 0) {
					throw new RpcException(RpcStatus.FAILED_PRECONDITION, "asked to fail", true);
				}
				return response(each.getSize());
			}).onClose(this.closed::incrementAndGet);
		}

	}

	private static StreamingOutputCallResponse response(int size) {
		return StreamingOutputCallResponse.newBuilder()
			.setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[size])))
			.build();
	}

	@BeforeAll
	static void start() throws Exception {
		executor = Executors.newScheduledThreadPool(1);
		implementation = new OutputsImpl();
		server = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Outputs.class, implementation).start();
		channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
		stub = TestServiceGrpc.newBlockingStub(channel);
		other = NettyServerBuilder.forPort(0)
			.addService(ServerInterceptors.intercept(new TestServiceImpl(executor), TestServiceImpl.interceptors()))
			.build()
			.start();
		client = RpcClient.builder().build();
		reference = client.reference(Outputs.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", other.getPort()))
					.withProtocol(Protocol.GRPC));
	}

	@AfterAll
	static void stop() {
		client.close();
		other.shutdownNow();
		channel.shutdownNow();
		server.close();
		executor.shutdownNow();
	}

	private static StreamingOutputCallRequest request(int... sizes) {
		return StreamingOutputCallRequest.newBuilder()
			.addAllResponseParameters(IntStream.of(sizes)
				.mapToObj((size) -> ResponseParameters.newBuilder().setSize(size).build())
				.toList())
			.build();
	}

	private static int size(StreamingOutputCallResponse response) {
		return response.getPayload().getBody().size();
	}

	@Test
	void serverStreaming_isAnswered_toGrpcJava() {
		List<Integer> sizes = new ArrayList<>();
		stub.streamingOutputCall(request(SIZES)).forEachRemaining((each) -> sizes.add(size(each)));
		assertThat(sizes).containsExactly(31415, 9, 2653, 58979);
	}

	@Test
	void serverStreaming_isAnswered_byGrpcJava() {
		assertThat(reference.streamingOutputCall(request(SIZES)).map(StreamedInteropIntegrationTests::size))
			.containsExactly(31415, 9, 2653, 58979);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3000 })
	void emptyMessages_areElements_inBothDirections(int count) {
		int[] sizes = new int[count];
		List<StreamingOutputCallResponse> received = new ArrayList<>();
		stub.streamingOutputCall(request(sizes)).forEachRemaining(received::add);
		assertThat(received).hasSize(count);
		assertThat(reference.streamingOutputCall(request(sizes))).hasSize(count);
	}

	@Test
	void compressedStream_isInflated() {
		StreamingOutputCallRequest request = StreamingOutputCallRequest.newBuilder()
			.addResponseParameters(compressed(31415, true))
			.addResponseParameters(compressed(92653, false))
			.build();
		assertThat(reference.streamingOutputCall(request).map(StreamedInteropIntegrationTests::size))
			.containsExactly(31415, 92653);
	}

	private static ResponseParameters compressed(int size, boolean wanted) {
		return ResponseParameters.newBuilder()
			.setSize(size)
			.setCompressed(BoolValue.newBuilder().setValue(wanted))
			.build();
	}

	@Test
	void failureBehindElements_isStatusOfGrpcJava() {
		Iterator<StreamingOutputCallResponse> responses = stub.streamingOutputCall(request(5, -1));
		assertThat(size(responses.next())).isEqualTo(5);
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(responses::hasNext).satisfies((ex) -> {
			assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
			assertThat(ex.getStatus().getDescription()).isEqualTo("asked to fail");
		});
	}

	@Test
	void deadline_endsStreamOfGrpcJava() {
		OutputsImpl counting = (OutputsImpl) implementation;
		int before = counting.closed.get();
		Iterator<StreamingOutputCallResponse> responses = stub.withDeadlineAfter(1, TimeUnit.SECONDS)
			.streamingOutputCall(request(new int[50_000]));
		responses.next();
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> {
			while (responses.hasNext()) {
				responses.next();
				TimeUnit.MILLISECONDS.sleep(10);
			}
		}).satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
		awaitClosed(counting, before + 1);
	}

	@Test
	void cancelAfterFirstResponse_closesStream() {
		OutputsImpl counting = (OutputsImpl) implementation;
		int before = counting.closed.get();
		Context.CancellableContext context = Context.current().withCancellation();
		context.run(() -> {
			Iterator<StreamingOutputCallResponse> responses = stub.streamingOutputCall(request(new int[50_000]));
			responses.next();
			context.cancel(null);
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> responses.forEachRemaining((each) -> {
				}))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.CANCELLED));
		});
		awaitClosed(counting, before + 1);
	}

	private static void awaitClosed(OutputsImpl counting, int expected) {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (counting.closed.get() < expected && System.nanoTime() - end < 0) {
			Thread.onSpinWait();
		}
		assertThat(counting.closed).hasValue(expected);
	}

	/** A client of grpc-java that asks for its responses one by one. */
	@Test
	void demandOfGrpcJava_isObeyed() throws Exception {
		AtomicReference<ClientCallStreamObserver<?>> call = new AtomicReference<>();
		AtomicInteger received = new AtomicInteger();
		CountDownLatch end = new CountDownLatch(1);
		TestServiceGrpc.newStub(channel)
			.streamingOutputCall(request(IntStream.generate(() -> 1000).limit(1000).toArray()),
					new ClientResponseObserver<StreamingOutputCallRequest, StreamingOutputCallResponse>() {

						@Override
						public void beforeStart(ClientCallStreamObserver<StreamingOutputCallRequest> stream) {
							call.set(stream);
							stream.disableAutoRequestWithInitial(1);
						}

						@Override
						public void onNext(StreamingOutputCallResponse value) {
							received.incrementAndGet();
							call.get().request(1);
						}

						@Override
						public void onError(Throwable failure) {
							end.countDown();
						}

						@Override
						public void onCompleted() {
							end.countDown();
						}

					});
		assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(received).hasValue(1000);
	}

	@Test
	void protoFile_namesStream() {
		assertThat(String.join("", server.protoFiles().values())).contains(
				"rpc StreamingOutputCall(StreamingOutputCallRequest) returns (stream StreamingOutputCallResponse);");
	}

}
