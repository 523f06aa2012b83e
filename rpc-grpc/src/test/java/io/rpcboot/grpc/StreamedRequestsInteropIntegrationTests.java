package io.rpcboot.grpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
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
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The cases of the interop tests of gRPC in which clients stream: those of grpc-java call
 * an interface, and a reference calls the server of grpc-java.
 */
@Timeout(60)
class StreamedRequestsInteropIntegrationTests {

	private static final int[] REQUESTS = { 27182, 8, 1828, 45904 };

	private static final int[] RESPONSES = { 31415, 9, 2653, 58979 };

	private static ScheduledExecutorService executor;

	private static ExchangesImpl implementation;

	private static RpcServer server;

	private static ManagedChannel channel;

	private static Server other;

	private static RpcClient client;

	private static TestServiceGrpc.TestServiceStub stub;

	private static Exchanges reference;

	/** The methods of gRPC's interop tests that take streams. */
	@RpcContract(name = "grpc.testing.TestService")
	public interface Exchanges {

		@RpcMethod(bare = true)
		CompletableFuture<StreamingInputCallResponse> streamingInputCall(Stream<StreamingInputCallRequest> requests);

		@RpcMethod(bare = true)
		Stream<StreamingOutputCallResponse> fullDuplexCall(Iterator<StreamingOutputCallRequest> requests);

	}

	/** Answers as the server of grpc-java does. */
	private static final class ExchangesImpl implements Exchanges {

		private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

		@Override
		public CompletableFuture<StreamingInputCallResponse> streamingInputCall(
				Stream<StreamingInputCallRequest> requests) {
			try {
				int sum = requests.mapToInt((each) -> each.getPayload().getBody().size()).sum();
				return CompletableFuture
					.completedFuture(StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(sum).build());
			}
			catch (RpcException ex) {
				this.failures.add(ex);
				throw ex;
			}
		}

		@Override
		public Stream<StreamingOutputCallResponse> fullDuplexCall(Iterator<StreamingOutputCallRequest> requests) {
			Iterable<StreamingOutputCallRequest> all = () -> requests;
			return StreamSupport.stream(all.spliterator(), false).flatMap((each) -> {
				EchoStatus status = each.getResponseStatus();
				if (status.getCode() != 0) {
					throw new StatusRuntimeException(
							Status.fromCodeValue(status.getCode()).withDescription(status.getMessage()));
				}
				return each.getResponseParametersList().stream().map((one) -> response(one.getSize()));
			});
		}

	}

	private static Payload payload(int size) {
		return Payload.newBuilder().setBody(ByteString.copyFrom(new byte[size])).build();
	}

	private static StreamingOutputCallResponse response(int size) {
		return StreamingOutputCallResponse.newBuilder().setPayload(payload(size)).build();
	}

	private static StreamingInputCallRequest input(int size) {
		return StreamingInputCallRequest.newBuilder().setPayload(payload(size)).build();
	}

	private static StreamingOutputCallRequest output(int request, int response) {
		return StreamingOutputCallRequest.newBuilder()
			.addResponseParameters(ResponseParameters.newBuilder().setSize(response))
			.setPayload(payload(request))
			.build();
	}

	@BeforeAll
	static void start() throws Exception {
		executor = Executors.newScheduledThreadPool(1);
		implementation = new ExchangesImpl();
		server = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Exchanges.class, implementation).start();
		channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
		stub = TestServiceGrpc.newStub(channel);
		other = NettyServerBuilder.forPort(0)
			.addService(ServerInterceptors.intercept(new TestServiceImpl(executor), TestServiceImpl.interceptors()))
			.build()
			.start();
		client = RpcClient.builder().build();
		reference = client.reference(Exchanges.class,
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

	@Test
	void clientStreaming_isAnswered_toGrpcJava() throws Exception {
		Responses<StreamingInputCallResponse> answers = new Responses<>();
		StreamObserver<StreamingInputCallRequest> requests = stub.streamingInputCall(answers);
		IntStream.of(REQUESTS).forEach((size) -> requests.onNext(input(size)));
		requests.onCompleted();
		assertThat(answers.take().getAggregatedPayloadSize()).isEqualTo(74922);
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.OK);
	}

	@Test
	void clientStreaming_isAnswered_byGrpcJava() {
		Stream<StreamingInputCallRequest> requests = IntStream.of(REQUESTS)
			.mapToObj(StreamedRequestsInteropIntegrationTests::input);
		assertThat(reference.streamingInputCall(requests).join().getAggregatedPayloadSize()).isEqualTo(74922);
		assertThat(reference.streamingInputCall(Stream.of()).join().getAggregatedPayloadSize()).isZero();
		Stream<StreamingInputCallRequest> many = IntStream.range(0, 20_000).mapToObj((each) -> input(each % 7));
		assertThat(reference.streamingInputCall(many).join().getAggregatedPayloadSize()).isEqualTo(59_997);
	}

	@Test
	void compressedRequests_areInflated() throws Exception {
		Responses<StreamingInputCallResponse> answers = new Responses<>();
		ClientCallStreamObserver<StreamingInputCallRequest> requests = (ClientCallStreamObserver<StreamingInputCallRequest>) stub
			.withCompression("gzip")
			.streamingInputCall(answers);
		requests.setMessageCompression(true);
		requests.onNext(input(27182));
		requests.setMessageCompression(false);
		requests.onNext(input(45904));
		requests.onCompleted();
		assertThat(answers.take().getAggregatedPayloadSize()).isEqualTo(73086);
	}

	@Test
	void pingPong_isAnswered_toGrpcJava() throws Exception {
		Responses<StreamingOutputCallResponse> answers = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.fullDuplexCall(answers);
		for (int i = 0; i < REQUESTS.length; i++) {
			requests.onNext(output(REQUESTS[i], RESPONSES[i]));
			assertThat(answers.take().getPayload().getBody().size()).isEqualTo(RESPONSES[i]);
		}
		requests.onCompleted();
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.OK);
	}

	@Test
	void pingPong_isAnswered_byGrpcJava() {
		BlockingQueue<Integer> turns = new LinkedBlockingQueue<>(List.of(0));
		List<Integer> sizes = new ArrayList<>();
		try (Stream<StreamingOutputCallResponse> responses = reference.fullDuplexCall(new Turns(turns))) {
			responses.forEach((each) -> {
				sizes.add(each.getPayload().getBody().size());
				turns.add(sizes.size());
			});
		}
		assertThat(sizes).containsExactly(31415, 9, 2653, 58979);
	}

	/** Requests that follow the response before them. */
	private record Turns(BlockingQueue<Integer> numbers) implements Iterator<StreamingOutputCallRequest> {

		@Override
		public boolean hasNext() {
			try {
				int next = this.numbers.take();
				this.numbers.add(next);
				return next < REQUESTS.length;
			}
			catch (InterruptedException ex) {
				throw new AssertionError(ex);
			}
		}

		@Override
		public StreamingOutputCallRequest next() {
			int number = this.numbers.remove();
			return output(REQUESTS[number], RESPONSES[number]);
		}

	}

	@Test
	void emptyStream_hasNoResponse_inBothDirections() {
		Responses<StreamingOutputCallResponse> answers = new Responses<>();
		stub.fullDuplexCall(answers).onCompleted();
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.OK);
		assertThat(answers.values).isEmpty();
		assertThat(reference.fullDuplexCall(List.<StreamingOutputCallRequest>of().iterator())).isEmpty();
	}

	@Test
	void cancelAfterBegin_reachesMethod() throws Exception {
		Responses<StreamingInputCallResponse> answers = new Responses<>();
		ClientCallStreamObserver<StreamingInputCallRequest> requests = (ClientCallStreamObserver<StreamingInputCallRequest>) stub
			.streamingInputCall(answers);
		requests.cancel("no more", null);
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.CANCELLED);
		requests = (ClientCallStreamObserver<StreamingInputCallRequest>) stub.streamingInputCall(new Responses<>());
		requests.onNext(input(5));
		while (server.inFlightCalls() == 0) {
			Thread.onSpinWait();
		}
		implementation.failures.clear();
		requests.cancel("no more", null);
		assertThat(implementation.failures.poll(20, TimeUnit.SECONDS)).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.CANCELLED));
	}

	@Test
	void cancelAfterFirstResponse_endsExchange() throws Exception {
		Responses<StreamingOutputCallResponse> answers = new Responses<>();
		ClientCallStreamObserver<StreamingOutputCallRequest> requests = (ClientCallStreamObserver<StreamingOutputCallRequest>) stub
			.fullDuplexCall(answers);
		requests.onNext(output(27182, 31415));
		answers.take();
		requests.cancel("enough", null);
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.CANCELLED);
		awaitIdle();
	}

	@Test
	void timeoutOnSleepingServer_endsExchange() {
		Responses<StreamingOutputCallResponse> answers = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.withDeadlineAfter(200, TimeUnit.MILLISECONDS)
			.fullDuplexCall(answers);
		requests.onNext(StreamingOutputCallRequest.newBuilder().setPayload(payload(27182)).build());
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
		awaitIdle();
	}

	@Test
	void statusAndMessage_arrive_inBothDirections() {
		StreamingOutputCallRequest failing = StreamingOutputCallRequest.newBuilder()
			.setResponseStatus(EchoStatus.newBuilder().setCode(2).setMessage("test status message"))
			.build();
		Responses<StreamingOutputCallResponse> answers = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.fullDuplexCall(answers);
		requests.onNext(failing);
		assertThat(answers.status().getCode()).isEqualTo(Status.Code.UNKNOWN);
		assertThat(answers.status().getDescription()).isEqualTo("test status message");
		AtomicReference<Throwable> failure = new AtomicReference<>();
		try (Stream<StreamingOutputCallResponse> responses = reference.fullDuplexCall(List.of(failing).iterator())) {
			responses.toList();
		}
		catch (RpcException ex) {
			failure.set(ex);
		}
		assertThat(failure.get()).hasMessageContaining("test status message");
	}

	@Test
	void failureOfCaller_isThatOfCall() {
		Stream<StreamingInputCallRequest> broken = Stream.of(1, 2).map((each) -> {
			throw new IllegalStateException("broken");
		});
		CompletableFuture<StreamingInputCallResponse> failing = reference.streamingInputCall(broken);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(failing::join)
			.withMessageContaining("the caller's stream has failed after 0 elements: broken");
	}

	private static void awaitIdle() {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (server.inFlightCalls() > 0 && System.nanoTime() - end < 0) {
			Thread.onSpinWait();
		}
		assertThat(server.inFlightCalls()).isZero();
	}

	@Test
	void protoFile_namesStreams() {
		assertThat(String.join("", server.protoFiles().values()))
			.contains("rpc StreamingInputCall(stream StreamingInputCallRequest) returns (StreamingInputCallResponse);")
			.contains(
					"rpc FullDuplexCall(stream StreamingOutputCallRequest) returns (stream StreamingOutputCallResponse);");
	}

}
