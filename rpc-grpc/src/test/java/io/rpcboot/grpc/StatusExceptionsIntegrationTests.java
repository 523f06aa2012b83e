package io.rpcboot.grpc;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.resilience.RetryAdvice;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Status exceptions of grpc-java that the implementation of an interface throws, at
 * clients of both protocols.
 */
@Timeout(120)
class StatusExceptionsIntegrationTests {

	private static final Metadata.Key<String> TEXT = Metadata.Key.of("x-secret", Metadata.ASCII_STRING_MARSHALLER);

	private static HostedPeer nested;

	private static RpcServer server;

	@BeforeAll
	static void start() {
		nested = HostedPeer.of(new EchoService((request, responses) -> responses
			.onError(Status.FAILED_PRECONDITION.withDescription("not yet").asRuntimeException())));
		server = serve(new UsersImpl());
	}

	@AfterAll
	static void stop() {
		server.close();
		nested.close();
	}

	private static RpcServer serve(Users implementation) {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Users.class, implementation).start();
	}

	/** Users as an interface of both protocols. */
	public interface Users {

		String find(String kind);

		CompletableFuture<String> findLater(String kind);

		@RpcMethod(idempotent = true)
		String refresh(String name);

	}

	private static ReferenceOptions at(Protocol protocol, RpcServer... servers) {
		List<String> addresses = IntStream.range(0, servers.length)
			.mapToObj((i) -> "127.0.0.1:" + servers[i].port())
			.toList();
		return ReferenceOptions.defaults()
			.withAddresses(addresses)
			.withProtocol(protocol)
			.withWaitForInstance(Duration.ofSeconds(20));
	}

	private static RpcException failure(Protocol protocol, String kind) {
		try (RpcClient client = RpcClient.builder().build()) {
			Users users = client.reference(Users.class, at(protocol, server));
			Throwable sync = catchThrowable(() -> users.find(kind));
			Throwable later = catchThrowable(() -> users.findLater(kind).get(30, TimeUnit.SECONDS)).getCause();
			assertThat(later).isInstanceOf(RpcException.class);
			assertThat(((RpcException) later).status()).isEqualTo(((RpcException) sync).status());
			return (RpcException) sync;
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "plain|NOT_FOUND|no user 7", "checked|ALREADY_EXISTS|user 7", "wrapped|ABORTED|again",
					"subclass|OUT_OF_RANGE|mine", "unavailable|UNAVAILABLE|closed",
					"unauthenticated|UNAUTHENTICATED|who?", "unknown|UNKNOWN|no idea", "internal|INTERNAL|broken",
					"broken|INVALID_ARGUMENT|two lines?", "trailers|NOT_FOUND|no user 7",
					"nested|FAILED_PRECONDITION|not yet", "nestedLater|FAILED_PRECONDITION|not yet" })
	void statusOfImplementation_isItsAnswer(String kind, RpcStatus status, String description) {
		for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			RpcException failure = failure(protocol, kind);
			assertThat(failure.status()).as("%s %s", protocol, failure).isEqualTo(status);
			assertThat(failure).hasMessageContaining(description).hasMessageEndingWith("; it may have executed");
			assertThat(failure.mayHaveExecuted()).isTrue();
			assertThat(failure.remoteType()).isNull();
			assertThat(failure.getMessage()).doesNotContain("StatusRuntime", "cause", "\n");
			assertThat(failure.replyAttachments()).containsOnlyKeys(RetryAdvice.ATTACHMENT);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void statusWithoutDescription_hasOnlyItsCode(Protocol protocol) {
		assertThat(failure(protocol, "bare").status()).isEqualTo(RpcStatus.DATA_LOSS);
		assertThat(failure(protocol, "ok").status()).as("no failure").isEqualTo(RpcStatus.INTERNAL);
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void detailsOfStatus_arriveAsBytes(Protocol protocol) throws Exception {
		RpcException failure = failure(protocol, "details");
		byte[] details = Base64.getDecoder().decode(failure.replyAttachments().get("grpc-status-details-bin"));
		com.google.rpc.Status status = com.google.rpc.Status.parseFrom(details);
		assertThat(status.getDetails(0).unpack(ErrorInfo.class).getReason()).isEqualTo("GONE");
		assertThat(failure.status()).isEqualTo(RpcStatus.NOT_FOUND);
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void unavailableOfImplementation_ejectsNothing_andIsNotRepeated(Protocol protocol) {
		UsersImpl sick = new UsersImpl();
		try (RpcServer first = serve(sick);
				RpcServer second = serve(new UsersImpl());
				RpcClient client = RpcClient.builder().build()) {
			Users users = client.reference(Users.class, at(protocol, first, second));
			long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
			int failures = 0;
			while (System.nanoTime() < end || failures < 50) {
				sick.sick = true;
				failures += (catchThrowable(() -> users.refresh("x")) != null) ? 1 : 0;
			}
			assertThat(client.references()).flatExtracting(ReferenceInfo::instances)
				.extracting(ReferenceInfo.Instance::state)
				.containsOnly(ReferenceInfo.State.READY);
		}
	}

	@Test
	void otherExceptions_stayUndeclared() {
		assertThat(failure(Protocol.NATIVE, "other").status()).isEqualTo(RpcStatus.APPLICATION);
	}

	private static class OwnStatus extends StatusRuntimeException {

		private static final long serialVersionUID = 1L;

		OwnStatus() {
			super(Status.OUT_OF_RANGE.withDescription("mine"));
		}

	}

	private static class UsersImpl implements Users {

		volatile boolean sick;

		private static Throwable thrown(String kind) {
			Metadata trailers = new Metadata();
			trailers.put(TEXT, "secret");
			return switch (kind) {
				case "plain" -> Status.NOT_FOUND.withDescription("no user 7").asRuntimeException();
				case "checked" -> new StatusException(Status.ALREADY_EXISTS.withDescription("user 7"));
				case "wrapped" -> new CompletionException(Status.ABORTED.withDescription("again").asRuntimeException());
				case "subclass" -> new OwnStatus();
				case "unavailable" -> Status.UNAVAILABLE.withDescription("closed").asRuntimeException();
				case "unauthenticated" -> Status.UNAUTHENTICATED.withDescription("who?").asRuntimeException();
				case "unknown" -> Status.UNKNOWN.withDescription("no idea").asRuntimeException();
				case "internal" -> Status.INTERNAL.withDescription("broken").asRuntimeException();
				case "broken" -> Status.INVALID_ARGUMENT.withDescription("two\nlines\u0000").asRuntimeException();
				case "trailers" -> Status.NOT_FOUND.withDescription("no user 7")
					.withCause(new IllegalStateException("the cause"))
					.asRuntimeException(trailers);
				case "bare" -> Status.DATA_LOSS.asRuntimeException();
				case "ok" -> Status.OK.asRuntimeException();
				case "details" -> StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
					.setCode(5)
					.setMessage("no user 7")
					.addDetails(Any.pack(ErrorInfo.newBuilder().setReason("GONE").build()))
					.build(), trailers);
				case "nested" -> catchThrowable(() -> TestServiceGrpc.newBlockingStub(nested.channel)
					.unaryCall(SimpleRequest.getDefaultInstance()));
				case "nestedLater" -> nestedLater();
				default -> new IllegalStateException(kind);
			};
		}

		private static Throwable nestedLater() {
			CompletableFuture<Throwable> seen = new CompletableFuture<>();
			TestServiceGrpc.newStub(nested.channel)
				.unaryCall(SimpleRequest.getDefaultInstance(), new StreamObserver<SimpleResponse>() {

					@Override
					public void onNext(SimpleResponse value) {
					}

					@Override
					public void onError(Throwable thrown) {
						seen.complete(thrown);
					}

					@Override
					public void onCompleted() {
					}

				});
			return seen.join();
		}

		@SuppressWarnings("unchecked")
		private static <T extends Throwable> void sneak(Throwable thrown) throws T {
			throw (T) thrown;
		}

		@Override
		public String find(String kind) {
			UsersImpl.<RuntimeException>sneak(thrown(kind));
			return "";
		}

		@Override
		public CompletableFuture<String> findLater(String kind) {
			return CompletableFuture.failedFuture(thrown(kind));
		}

		@Override
		public String refresh(String name) {
			if (this.sick) {
				throw Status.UNAVAILABLE.asRuntimeException();
			}
			return name;
		}

	}

}
