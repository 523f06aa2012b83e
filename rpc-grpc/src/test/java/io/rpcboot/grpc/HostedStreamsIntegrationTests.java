package io.rpcboot.grpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods of generated services that take or send several messages: the cases of gRPC's
 * interop tests with the service and the client of grpc-java, and services that do not
 * ask whether they may send.
 */
@Timeout(60)
class HostedStreamsIntegrationTests {

	private static final int[] REQUESTS = { 27182, 8, 1828, 45904 };

	private static final int[] RESPONSES = { 31415, 9, 2653, 58979 };

	private static ScheduledExecutorService executor;

	private static HostedPeer peer;

	private static TestServiceGrpc.TestServiceStub stub;

	@BeforeAll
	static void start() {
		executor = Executors.newScheduledThreadPool(1);
		peer = HostedPeer.ofInterop(executor);
		stub = TestServiceGrpc.newStub(peer.channel);
	}

	@AfterAll
	static void stop() {
		peer.close();
		executor.shutdownNow();
	}

	private static Payload payload(int size) {
		return Payload.newBuilder().setBody(ByteString.copyFrom(new byte[size])).build();
	}

	private static StreamingOutputCallRequest output(int... sizes) {
		StreamingOutputCallRequest.Builder request = StreamingOutputCallRequest.newBuilder();
		for (int each : sizes) {
			request.addResponseParameters(ResponseParameters.newBuilder().setSize(each));
		}
		return request.build();
	}

	private static int size(StreamingOutputCallResponse response) {
		return response.getPayload().getBody().size();
	}

	@Test
	void clientStreaming_isSummed() throws Exception {
		Responses<StreamingInputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingInputCallRequest> requests = stub.streamingInputCall(responses);
		for (int each : REQUESTS) {
			requests.onNext(StreamingInputCallRequest.newBuilder().setPayload(payload(each)).build());
		}
		requests.onCompleted();
		assertThat(responses.take().getAggregatedPayloadSize()).isEqualTo(74922);
		assertThat(responses.status().isOk()).isTrue();
	}

	@Test
	void serverStreaming_isAnswered() {
		Iterator<StreamingOutputCallResponse> all = TestServiceGrpc.newBlockingStub(peer.channel)
			.streamingOutputCall(output(RESPONSES));
		List<Integer> sizes = new ArrayList<>();
		all.forEachRemaining((each) -> sizes.add(size(each)));
		assertThat(sizes).containsExactly(31415, 9, 2653, 58979);
	}

	/** Compresses responses as the request says; the service of grpc-java does not. */
	private static final class Compressing extends TestServiceGrpc.TestServiceImplBase {

		@Override
		public void streamingOutputCall(StreamingOutputCallRequest request,
				StreamObserver<StreamingOutputCallResponse> observer) {
			ServerCallStreamObserver<StreamingOutputCallResponse> responses = (ServerCallStreamObserver<StreamingOutputCallResponse>) observer;
			responses.setCompression("gzip");
			for (ResponseParameters each : request.getResponseParametersList()) {
				responses.setMessageCompression(each.getCompressed().getValue());
				responses.onNext(StreamingOutputCallResponse.newBuilder().setPayload(payload(each.getSize())).build());
			}
			responses.onCompleted();
		}

	}

	/** Notes of each response whether it was short on the wire: all are long zeros. */
	private static final class Sizes extends ClientStreamTracer implements ClientInterceptor {

		final List<Boolean> compressed = new CopyOnWriteArrayList<>();

		@Override
		public void inboundMessageRead(int number, long wireSize, long unknown) {
			this.compressed.add(wireSize < 1000);
		}

		@Override
		public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
			return next.newCall(method, options.withStreamTracerFactory(new Factory() {
				@Override
				public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
					return Sizes.this;
				}
			}));
		}

	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, true", "true, true", "false, false" })
	void serverCompressedStreaming_isCompressed_whereAsked(boolean first, boolean second) {
		Sizes sizes = new Sizes();
		List<Integer> answered = new ArrayList<>();
		StreamingOutputCallRequest request = StreamingOutputCallRequest.newBuilder()
			.addResponseParameters(ResponseParameters.newBuilder().setSize(31415).setCompressed(bool(first)))
			.addResponseParameters(ResponseParameters.newBuilder().setSize(92653).setCompressed(bool(second)))
			.build();
		try (HostedPeer compressing = HostedPeer.of(new Compressing())) {
			TestServiceGrpc.newBlockingStub(compressing.channel)
				.withInterceptors(sizes)
				.streamingOutputCall(request)
				.forEachRemaining((each) -> answered.add(size(each)));
		}
		assertThat(answered).containsExactly(31415, 92653);
		assertThat(sizes.compressed).containsExactly(first, second);
	}

	private static BoolValue bool(boolean value) {
		return BoolValue.newBuilder().setValue(value).build();
	}

	@Test
	void pingPong_isAnswered_oneByOne() throws Exception {
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.fullDuplexCall(responses);
		for (int i = 0; i < RESPONSES.length; i++) {
			requests.onNext(output(RESPONSES[i]).toBuilder().setPayload(payload(REQUESTS[i])).build());
			assertThat(size(responses.take())).isEqualTo(RESPONSES[i]);
		}
		requests.onCompleted();
		assertThat(responses.status().isOk()).isTrue();
		assertThat(responses.values).isEmpty();
	}

	@Test
	void emptyStream_ends() throws Exception {
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		stub.fullDuplexCall(responses).onCompleted();
		assertThat(responses.status().isOk()).isTrue();
		assertThat(responses.values).isEmpty();
	}

	@Test
	void sleepingServer_isLate() throws Exception {
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.withDeadlineAfter(1, TimeUnit.MILLISECONDS)
			.fullDuplexCall(responses);
		try {
			requests.onNext(output().toBuilder()
				.addResponseParameters(ResponseParameters.newBuilder().setSize(1).setIntervalUs(10_000_000))
				.build());
		}
		catch (IllegalStateException ex) {
			// the call has ended already
		}
		assertThat(responses.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
	}

	@Test
	void cancelAfterBegin_endsCall() throws Exception {
		Responses<StreamingInputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingInputCallRequest> requests = stub.streamingInputCall(responses);
		requests.onError(Status.CANCELLED.asRuntimeException());
		assertThat(responses.status().getCode()).isEqualTo(Status.Code.CANCELLED);
	}

	@Test
	void cancelAfterFirstResponse_endsCall() throws Exception {
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.fullDuplexCall(responses);
		requests.onNext(output(31415));
		assertThat(size(responses.take())).isEqualTo(31415);
		requests.onError(Status.CANCELLED.asRuntimeException());
		assertThat(responses.status().getCode()).isEqualTo(Status.Code.CANCELLED);
	}

	@Test
	void customMetadata_isEchoed() throws Exception {
		Metadata.Key<String> initial = Metadata.Key.of("x-grpc-test-echo-initial", Metadata.ASCII_STRING_MARSHALLER);
		Metadata.Key<byte[]> trailing = Metadata.Key.of("x-grpc-test-echo-trailing-bin",
				Metadata.BINARY_BYTE_MARSHALLER);
		Metadata sent = new Metadata();
		sent.put(initial, "test_initial_metadata_value");
		sent.put(trailing, new byte[] { (byte) 0xab, (byte) 0xab, (byte) 0xab });
		AtomicReference<Metadata> headers = new AtomicReference<>();
		AtomicReference<Metadata> trailers = new AtomicReference<>();
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = TestServiceGrpc
			.newStub(ClientInterceptors.intercept(peer.channel, MetadataUtils.newAttachHeadersInterceptor(sent),
					MetadataUtils.newCaptureMetadataInterceptor(headers, trailers)))
			.fullDuplexCall(responses);
		requests.onNext(output(1));
		responses.take();
		assertThat(headers.get().getAll(initial)).containsExactly("test_initial_metadata_value");
		requests.onCompleted();
		assertThat(responses.status().isOk()).isTrue();
		assertThat(trailers.get().getAll(trailing)).containsExactly(sent.get(trailing));
	}

	@Test
	void statusCodeAndMessage_reachClient() throws Exception {
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = stub.fullDuplexCall(responses);
		requests.onNext(StreamingOutputCallRequest.newBuilder()
			.setResponseStatus(EchoStatus.newBuilder().setCode(2).setMessage("test status message"))
			.build());
		requests.onCompleted();
		Status status = responses.status();
		assertThat(status.getCode()).isEqualTo(Status.Code.UNKNOWN);
		assertThat(status.getDescription()).isEqualTo("test status message");
	}

	/** Service of a test with a method that sends what it likes. */
	private static HostedPeer serving(TestServiceGrpc.TestServiceImplBase service, long memory) {
		return HostedPeer.of(service.bindService(),
				(builder) -> builder.maxFrameSize(1 << 20).memory(MemoryOptions.defaults().withLimit(memory)));
	}

	@Test
	void serviceThatDoesNotAsk_isServed_ifClientReads() {
		TestServiceGrpc.TestServiceImplBase service = new TestServiceGrpc.TestServiceImplBase() {
			@Override
			public void streamingOutputCall(StreamingOutputCallRequest request,
					StreamObserver<StreamingOutputCallResponse> responses) {
				for (int i = 0; i < 20_000; i++) {
					responses.onNext(StreamingOutputCallResponse.newBuilder().setPayload(payload(i % 7)).build());
				}
				responses.onCompleted();
			}
		};
		try (HostedPeer served = serving(service, 64 << 20)) {
			Iterator<StreamingOutputCallResponse> all = TestServiceGrpc.newBlockingStub(served.channel)
				.streamingOutputCall(output());
			int count = 0;
			while (all.hasNext()) {
				assertThat(size(all.next())).isEqualTo(count++ % 7);
			}
			assertThat(count).isEqualTo(20_000);
		}
	}

	@Test
	void serviceThatDoesNotAsk_isEndedByMemory_ifClientDoesNotRead() throws Exception {
		CompletableFuture<Integer> ended = new CompletableFuture<>();
		TestServiceGrpc.TestServiceImplBase service = new TestServiceGrpc.TestServiceImplBase() {
			@Override
			public void streamingOutputCall(StreamingOutputCallRequest request,
					StreamObserver<StreamingOutputCallResponse> responses) {
				ServerCallStreamObserver<StreamingOutputCallResponse> call = (ServerCallStreamObserver<StreamingOutputCallResponse>) responses;
				StreamingOutputCallResponse response = StreamingOutputCallResponse.newBuilder()
					.setPayload(payload(100_000))
					.build();
				int sent = 0;
				while (!call.isCancelled() && sent < 5000) { // 500 MB
					call.onNext(response);
					sent++;
				}
				ended.complete(sent);
			}
		};
		try (HostedPeer served = serving(service, 8 << 20)) {
			CompletableFuture<Status> status = new CompletableFuture<>();
			AtomicReference<ClientCallStreamObserver<StreamingOutputCallRequest>> call = new AtomicReference<>();
			TestServiceGrpc.newStub(served.channel)
				.streamingOutputCall(output(),
						new ClientResponseObserver<StreamingOutputCallRequest, StreamingOutputCallResponse>() {

							@Override
							public void beforeStart(ClientCallStreamObserver<StreamingOutputCallRequest> started) {
								started.disableAutoRequestWithInitial(1);
								call.set(started);
							}

							@Override
							public void onNext(StreamingOutputCallResponse value) {
								// asks for no other
							}

							@Override
							public void onError(Throwable failure) {
								status.complete(Status.fromThrowable(failure));
							}

							@Override
							public void onCompleted() {
								status.complete(Status.OK);
							}

						});
			assertThat(ended.get(30, TimeUnit.SECONDS)).as("messages until the memory was used up").isLessThan(1000);
			call.get().request(1000);
			assertThat(status.get(20, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@Test
	void cancel_reachesService_andItsContext() throws Exception {
		CompletableFuture<Boolean> told = new CompletableFuture<>();
		CompletableFuture<Boolean> inContext = new CompletableFuture<>();
		TestServiceGrpc.TestServiceImplBase service = new TestServiceGrpc.TestServiceImplBase() {
			@Override
			public StreamObserver<StreamingOutputCallRequest> fullDuplexCall(
					StreamObserver<StreamingOutputCallResponse> responses) {
				((ServerCallStreamObserver<StreamingOutputCallResponse>) responses)
					.setOnCancelHandler(() -> told.complete(true));
				Context.current().addListener((context) -> inContext.complete(true), Runnable::run);
				responses.onNext(StreamingOutputCallResponse.getDefaultInstance());
				return new Responses<>();
			}
		};
		try (HostedPeer served = serving(service, 0)) {
			Responses<StreamingOutputCallResponse> responses = new Responses<>();
			StreamObserver<StreamingOutputCallRequest> requests = TestServiceGrpc.newStub(served.channel)
				.fullDuplexCall(responses);
			responses.take();
			requests.onError(Status.CANCELLED.asRuntimeException());
			assertThat(told.get(20, TimeUnit.SECONDS)).isTrue();
			assertThat(inContext.get(20, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void readiness_followsClient() throws Exception {
		AtomicInteger sent = new AtomicInteger();
		TestServiceGrpc.TestServiceImplBase service = new TestServiceGrpc.TestServiceImplBase() {
			@Override
			public void streamingOutputCall(StreamingOutputCallRequest request,
					StreamObserver<StreamingOutputCallResponse> responses) {
				ServerCallStreamObserver<StreamingOutputCallResponse> call = (ServerCallStreamObserver<StreamingOutputCallResponse>) responses;
				call.setOnReadyHandler(() -> {
					while (call.isReady() && sent.get() < 10_000) {
						call.onNext(StreamingOutputCallResponse.newBuilder().setPayload(payload(1000)).build());
						if (sent.incrementAndGet() == 10_000) {
							call.onCompleted();
						}
					}
				});
			}
		};
		try (HostedPeer served = serving(service, 0)) {
			Iterator<StreamingOutputCallResponse> all = TestServiceGrpc.newBlockingStub(served.channel)
				.streamingOutputCall(output());
			assertThat(size(all.next())).isEqualTo(1000);
			assertThat(sent).as("the client has asked for little").hasValueLessThan(2000);
			int count = 1;
			while (all.hasNext()) {
				all.next();
				count++;
			}
			assertThat(count).isEqualTo(10_000);
		}
	}

	@Test
	void exceptionOfService_isItsStatus() {
		TestServiceGrpc.TestServiceImplBase service = new TestServiceGrpc.TestServiceImplBase() {
			@Override
			public void streamingOutputCall(StreamingOutputCallRequest request,
					StreamObserver<StreamingOutputCallResponse> responses) {
				throw Status.ALREADY_EXISTS.withDescription("twice").asRuntimeException();
			}
		};
		try (HostedPeer served = serving(service, 0)) {
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> TestServiceGrpc.newBlockingStub(served.channel).streamingOutputCall(output()).next())
				.satisfies((ex) -> {
					assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
					assertThat(ex.getStatus().getDescription()).isEqualTo("twice");
				});
		}
	}

}
