package io.rpcboot.grpc;

import java.util.concurrent.atomic.AtomicReference;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceGrpc.TestServiceBlockingStub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Status, headers and trailers of generated services, as a client of grpc-java sees them.
 */
class OutcomesIntegrationTests {

	private static final Metadata.Key<String> TEXT = Metadata.Key.of("x-text", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<byte[]> BINARY = Metadata.Key.of("x-data-bin", Metadata.BINARY_BYTE_MARSHALLER);

	private static final Metadata.Key<byte[]> DETAILS = Metadata.Key.of("grpc-status-details-bin",
			Metadata.BINARY_BYTE_MARSHALLER);

	private static StatusRuntimeException failure(HostedPeer peer) {
		return catchThrowableOfType(StatusRuntimeException.class,
				() -> TestServiceGrpc.newBlockingStub(peer.channel).unaryCall(SimpleRequest.getDefaultInstance()));
	}

	private static Metadata trailers() {
		Metadata trailers = new Metadata();
		trailers.put(TEXT, "one");
		trailers.put(TEXT, "two, with a comma");
		trailers.put(BINARY, new byte[] { 0, -1, 7 });
		trailers.put(BINARY, new byte[0]);
		trailers.put(DETAILS, new byte[] { 8, 5 });
		return trailers;
	}

	private static void assertTrailers(Metadata received) {
		assertThat(received.getAll(TEXT)).containsExactly("one", "two, with a comma");
		assertThat(received.getAll(BINARY)).containsExactly(new byte[] { 0, -1, 7 }, new byte[0]);
		assertThat(received.getAll(DETAILS)).containsExactly(new byte[] { 8, 5 });
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "OK")
	void status_reachesClient_asItIs(Status.Code code) {
		StatusRuntimeException sent = code.toStatus()
			.withDescription("50 % of 'it' \u2013 done\n")
			.asRuntimeException(trailers());
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> responses.onError(sent)))) {
			StatusRuntimeException received = failure(peer);
			assertThat(received.getStatus().getCode()).isEqualTo(code);
			assertThat(received.getStatus().getDescription()).isEqualTo(sent.getStatus().getDescription());
			assertTrailers(received.getTrailers());
		}
	}

	@Test
	void thrownStatus_reachesClient_withTrailers() {
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			throw Status.NOT_FOUND.withDescription("no user 7").asRuntimeException(trailers());
		}))) {
			StatusRuntimeException received = failure(peer);
			assertThat(received.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
			assertThat(received.getStatus().getDescription()).isEqualTo("no user 7");
			assertTrailers(received.getTrailers());
		}
	}

	@Test
	void statusWithoutDescription_hasNone() {
		try (HostedPeer peer = HostedPeer
			.of(new EchoService((request, responses) -> responses.onError(Status.ABORTED.asRuntimeException())))) {
			assertThat(failure(peer).getStatus().getDescription()).isNull();
		}
	}

	@Test
	void otherException_isUnknown_withItsType() {
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			throw new IllegalArgumentException("a secret");
		}))) {
			Status received = failure(peer).getStatus();
			assertThat(received.getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(received.getDescription()).contains("IllegalArgumentException").doesNotContain("secret");
		}
	}

	@Test
	void missingResponse_isInternal() {
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> responses.onCompleted()))) {
			Status received = failure(peer).getStatus();
			assertThat(received.getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(received.getDescription()).contains("without a response");
		}
	}

	@Test
	void secondResponse_isInternal() {
		try (HostedPeer peer = HostedPeer.of(new EchoService((request, responses) -> {
			responses.onNext(SimpleResponse.getDefaultInstance());
			EchoService.answer(responses);
		}))) {
			Status received = failure(peer).getStatus();
			assertThat(received.getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(received.getDescription()).contains("two messages");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void headersAndTrailersOfInterceptor_reachClient(boolean succeeds) {
		ServerInterceptor adding = new ServerInterceptor() {
			@Override
			public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
					ServerCallHandler<Q, A> next) {
				return next.startCall(new SimpleForwardingServerCall<Q, A>(call) {
					@Override
					public void sendHeaders(Metadata sent) {
						sent.merge(trailers());
						super.sendHeaders(sent);
					}

					@Override
					public void close(Status status, Metadata sent) {
						sent.merge(trailers());
						super.close(succeeds ? status : Status.DATA_LOSS, sent);
					}
				}, headers);
			}
		};
		AtomicReference<Metadata> headers = new AtomicReference<>();
		AtomicReference<Metadata> trailers = new AtomicReference<>();
		try (HostedPeer peer = HostedPeer.of(ServerInterceptors.intercept(EchoService.plain(), adding),
				(builder) -> builder)) {
			TestServiceBlockingStub stub = TestServiceGrpc.newBlockingStub(peer.channel)
				.withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
			StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class,
					() -> stub.unaryCall(SimpleRequest.getDefaultInstance()));
			assertThat(failure == null).isEqualTo(succeeds);
			assertTrailers(headers.get());
			assertTrailers(trailers.get());
		}
	}

	@Test
	void interceptorThatClosesCall_isItsEnd() {
		ServerInterceptor closing = new ServerInterceptor() {
			@Override
			public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
					ServerCallHandler<Q, A> next) {
				call.close(Status.UNAUTHENTICATED.withDescription("no token"), new Metadata());
				return new ServerCall.Listener<>() {
				};
			}
		};
		try (HostedPeer peer = HostedPeer.of(ServerInterceptors.intercept(EchoService.plain(), closing),
				(builder) -> builder)) {
			assertThat(failure(peer).getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
			assertThat(failure(peer).getStatus().getDescription()).isEqualTo("no token");
		}
	}

}
