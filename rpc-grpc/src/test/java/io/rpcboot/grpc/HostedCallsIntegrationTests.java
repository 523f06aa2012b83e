package io.rpcboot.grpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.protobuf.ByteString;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Calls of generated services: what grpc-java promises them, and what every call has. */
class HostedCallsIntegrationTests {

	private static final SimpleRequest REQUEST = SimpleRequest.getDefaultInstance();

	private static <T> T await(Future<T> future) throws Exception {
		return future.get(30, TimeUnit.SECONDS);
	}

	@Test
	void requestMetadata_isReadable_asItWasSent() throws Exception {
		Metadata.Key<String> text = Metadata.Key.of("x-text", Metadata.ASCII_STRING_MARSHALLER);
		Metadata.Key<byte[]> binary = Metadata.Key.of("x-data-bin", Metadata.BINARY_BYTE_MARSHALLER);
		CompletableFuture<Metadata> seen = new CompletableFuture<>();
		CompletableFuture<ServerCall<?, ?>> call = new CompletableFuture<>();
		ServerInterceptor observing = new ServerInterceptor() {
			@Override
			public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> observed, Metadata headers,
					ServerCallHandler<Q, A> next) {
				seen.complete(headers);
				call.complete(observed);
				return next.startCall(observed, headers);
			}
		};
		Metadata sent = new Metadata();
		sent.put(text, "one");
		sent.put(text, "two");
		sent.put(binary, new byte[] { 1, 0, -1 });
		try (HostedPeer peer = HostedPeer.of(ServerInterceptors.intercept(EchoService.plain(), observing),
				(builder) -> builder)) {
			TestServiceGrpc
				.newBlockingStub(
						ClientInterceptors.intercept(peer.channel, MetadataUtils.newAttachHeadersInterceptor(sent)))
				.unaryCall(REQUEST);
			Metadata received = await(seen);
			assertThat(received.getAll(text)).containsExactly("one", "two");
			assertThat(received.getAll(binary)).containsExactly(new byte[] { 1, 0, -1 });
			assertThat(received.keys()).contains("user-agent", "grpc-accept-encoding");
			assertThat(await(call).getAuthority()).isEqualTo("127.0.0.1:" + peer.server.port());
			assertThat(await(call).getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)).asString()
				.startsWith("/127.0.0.1:");
		}
	}

	@Test
	void contextOfCall_hasDeadline_andIsCancelledAtItsEnd() throws Exception {
		CompletableFuture<Context> context = new CompletableFuture<>();
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			context.complete(Context.current());
			EchoService.answer(responses);
		}))) {
			TestServiceGrpc.newBlockingStub(peer.channel).withDeadlineAfter(1, TimeUnit.HOURS).unaryCall(REQUEST);
			assertThat(await(context).getDeadline().timeRemaining(TimeUnit.MINUTES)).isBetween(50L, 60L);
			CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
			await(context).addListener((ended) -> cancelled.complete(true), Runnable::run);
			assertThat(await(cancelled)).isTrue();
		}
	}

	@Test
	void cancellation_reachesContextAndObserver() throws Exception {
		CompletableFuture<Boolean> started = new CompletableFuture<>();
		CompletableFuture<Throwable> ofContext = new CompletableFuture<>();
		CompletableFuture<Boolean> ofObserver = new CompletableFuture<>();
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			Context.current().addListener((ended) -> ofContext.complete(ended.cancellationCause()), Runnable::run);
			((ServerCallStreamObserver<SimpleResponse>) responses).setOnCancelHandler(() -> ofObserver.complete(true));
			started.complete(true);
		}))) {
			Future<SimpleResponse> call = TestServiceGrpc.newFutureStub(peer.channel).unaryCall(REQUEST);
			await(started);
			call.cancel(true);
			await(ofContext);
			assertThat(await(ofObserver)).isTrue();
			awaitIdle(peer.server);
		}
	}

	private static void awaitIdle(RpcServer server) throws InterruptedException {
		CountDownLatch never = new CountDownLatch(1);
		for (int i = 0; server.inFlightCalls() > 0 && i < 1500; i++) {
			never.await(20, TimeUnit.MILLISECONDS);
		}
		assertThat(server.inFlightCalls()).isZero();
	}

	/** A call whose deadline is over before it arrives has a longer one next time. */
	@Test
	void deadline_endsCallOfServiceThatNeverAnswers() throws Exception {
		CompletableFuture<Throwable> cause = new CompletableFuture<>();
		CountDownLatch arrived = new CountDownLatch(1);
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			Context.current().addListener((ended) -> cause.complete(ended.cancellationCause()), Runnable::run);
			arrived.countDown();
		}))) {
			for (long millis = 300; arrived.getCount() > 0; millis *= 2) {
				assertThat(millis).as("deadline").isLessThan(60_000);
				Future<SimpleResponse> call = TestServiceGrpc.newFutureStub(peer.channel)
					.withDeadlineAfter(millis, TimeUnit.MILLISECONDS)
					.unaryCall(REQUEST);
				assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(60, TimeUnit.SECONDS))
					.satisfies((ex) -> assertThat(Status.fromThrowable(ex).getCode())
						.isEqualTo(Status.Code.DEADLINE_EXCEEDED));
			}
			Throwable ended = await(cause);
			assertThat(ended == null || ended instanceof TimeoutException).isTrue();
			awaitIdle(peer.server);
		}
	}

	@Test
	void answerOfAnotherThread_reachesClient() throws Exception {
		try (HostedPeer peer = HostedPeer
			.of(new EchoService((request, responses) -> new Thread(() -> EchoService.answer(responses)).start()))) {
			assertThat(await(TestServiceGrpc.newFutureStub(peer.channel).unaryCall(REQUEST)))
				.isEqualTo(SimpleResponse.getDefaultInstance());
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "VIRTUAL")
	void callsOfEveryDispatch_areAnswered(Dispatch dispatch) throws Exception {
		EchoService echo = new EchoService((request, responses) -> {
			responses.onNext(SimpleResponse.newBuilder().setPayload(request.getPayload()).build());
			responses.onCompleted();
		});
		try (HostedPeer peer = HostedPeer.of(echo.bindService(), (builder) -> builder.dispatch(dispatch))) {
			for (int size : List.of(0, 1, 100, 20_000, 1_000_000)) {
				Payload payload = Payload.newBuilder().setBody(ByteString.copyFrom(new byte[size])).build();
				assertThat(TestServiceGrpc.newBlockingStub(peer.channel)
					.unaryCall(SimpleRequest.newBuilder().setPayload(payload).build())
					.getPayload()).isEqualTo(payload);
			}
		}
	}

	@Test
	void interceptorsOfServer_seeMethodByItsName() throws Exception {
		List<String> seen = new ArrayList<>();
		RpcServerInterceptor observing = new RpcServerInterceptor() {
			@Override
			public @Nullable Object intercept(ServerInvocation call) throws Throwable {
				seen.add(call.method().service() + " " + call.method().name() + " " + call.attachments().get("tenant"));
				return call.proceed();
			}
		};
		Metadata sent = new Metadata();
		sent.put(Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER), "acme");
		try (HostedPeer peer = HostedPeer.of(EchoService.plain().bindService(),
				(builder) -> builder.interceptor(observing))) {
			TestServiceGrpc
				.newBlockingStub(
						ClientInterceptors.intercept(peer.channel, MetadataUtils.newAttachHeadersInterceptor(sent)))
				.unaryCall(REQUEST);
			assertThat(seen).containsExactly("grpc.testing.TestService UnaryCall acme");
			assertThat(peer.server.services()).singleElement().satisfies((service) -> {
				assertThat(service.methods()).contains("UnaryCall(byte[])", "EmptyCall(byte[])");
				assertThat(service.calls()).isEqualTo(1);
			});
		}
	}

	@Test
	void shutdown_waitsForCall() throws Exception {
		CompletableFuture<Boolean> started = new CompletableFuture<>();
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			started.complete(true);
			released.join();
			EchoService.answer(responses);
		}))) {
			Future<SimpleResponse> call = TestServiceGrpc.newFutureStub(peer.channel).unaryCall(REQUEST);
			await(started);
			CompletableFuture<Void> closed = CompletableFuture
				.runAsync(() -> peer.server.shutdown(Duration.ofSeconds(30)));
			released.complete(true);
			assertThat(await(call)).isEqualTo(SimpleResponse.getDefaultInstance());
			await(closed);
		}
	}

	@Test
	void serviceOfTwoDefinitions_isRefused() {
		GrpcServiceDefinition definition = BindableServices.of(EchoService.plain());
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder()
				.grpcService(definition, ServiceOptions.defaults())
				.grpcService(definition, ServiceOptions.defaults()))
			.withMessageContaining("grpc.testing.TestService is offered twice");
	}

	@Test
	void serverWithoutGrpc_isRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder()
				.protocols(Protocol.NATIVE)
				.grpcService(BindableServices.of(EchoService.plain()), ServiceOptions.defaults())
				.build())
			.withMessageContaining("grpc.testing.TestService is offered over gRPC alone");
	}

}
