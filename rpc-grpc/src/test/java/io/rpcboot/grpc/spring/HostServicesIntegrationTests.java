package io.rpcboot.grpc.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.Any;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.grpc.spring.HostingApplication.Application;
import io.rpcboot.grpc.spring.HostingApplication.EchoService;
import io.rpcboot.grpc.spring.HostingApplication.TenantInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.grpc.server.GrpcServerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Calls of a client of grpc-java to the services of an application of Spring's gRPC, on
 * the server of the starter.
 */
class HostServicesIntegrationTests {

	private static final SimpleRequest REQUEST = SimpleRequest.getDefaultInstance();

	private static final String SERVICE = TestServiceGrpc.SERVICE_NAME;

	private static HostingApplication application;

	@BeforeAll
	static void start() {
		application = HostingApplication.run(Application.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	private static <T> T await(Future<T> future) throws Exception {
		return future.get(30, TimeUnit.SECONDS);
	}

	@Test
	void call_runsOnServerOfStarter_withGlobalInterceptors() {
		application.service().behavior = (request, responses) -> EchoService.answer(responses, "hosted");
		assertThat(application.client().unaryCall(REQUEST).getUsername()).isEqualTo("hosted");
		assertThat(application.context.getBean(TenantInterceptor.class).methods).contains(SERVICE + "/UnaryCall");
		assertThat(application.context.getBeansOfType(GrpcServerFactory.class))
			.containsOnlyKeys("rpcGrpcServerFactory");
	}

	@Test
	void status_hasItsDetails() throws InvalidProtocolBufferException {
		ErrorInfo reason = ErrorInfo.newBuilder().setReason("GONE").setDomain("users").build();
		application.service().behavior = (request,
				responses) -> responses.onError(StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
					.setCode(Code.NOT_FOUND_VALUE)
					.setMessage("no user 7")
					.addDetails(Any.pack(reason))
					.build()));
		StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class,
				() -> application.client().unaryCall(REQUEST));
		assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
		assertThat(failure.getStatus().getDescription()).isEqualTo("no user 7");
		assertThat(StatusProto.fromThrowable(failure).getDetails(0).unpack(ErrorInfo.class)).isEqualTo(reason);
	}

	@Test
	void metadata_passBothWays() {
		application.service().behavior = (request, responses) -> EchoService.answer(responses,
				HostingApplication.TENANT.get());
		Metadata sent = new Metadata();
		sent.put(HostingApplication.TENANT_HEADER, "acme");
		AtomicReference<Metadata> headers = new AtomicReference<>();
		SimpleResponse response = application
			.client(ClientInterceptors.intercept(application.channel, MetadataUtils.newAttachHeadersInterceptor(sent),
					MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>())))
			.unaryCall(REQUEST);
		assertThat(response.getUsername()).isEqualTo("acme");
		assertThat(headers.get().get(HostingApplication.TENANT_HEADER)).isEqualTo("acme");
	}

	/** A call whose deadline is over before it arrives has a longer one next time. */
	@Test
	void deadline_reachesContext_andEndsCall() throws Exception {
		CompletableFuture<Context> context = new CompletableFuture<>();
		CompletableFuture<Boolean> ended = new CompletableFuture<>();
		application.service().behavior = (request, responses) -> {
			Context.current().addListener((each) -> ended.complete(each.isCancelled()), Runnable::run);
			context.complete(Context.current());
		};
		for (Duration deadline = Duration.ofMillis(500); !context.isDone(); deadline = deadline.multipliedBy(2)) {
			assertThat(deadline).isLessThan(Duration.ofMinutes(1));
			TestServiceGrpc.TestServiceBlockingStub client = application.client().withDeadlineAfter(deadline);
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.unaryCall(REQUEST))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
		}
		assertThat(await(context).getDeadline()).isNotNull();
		assertThat(await(ended)).isTrue();
	}

	@Test
	void cancellation_reachesService() throws Exception {
		CompletableFuture<Boolean> started = new CompletableFuture<>();
		CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
		application.service().behavior = (request, responses) -> {
			((ServerCallStreamObserver<SimpleResponse>) responses).setOnCancelHandler(() -> cancelled.complete(true));
			started.complete(true);
		};
		Future<SimpleResponse> call = TestServiceGrpc.newFutureStub(application.channel).unaryCall(REQUEST);
		await(started);
		call.cancel(true);
		assertThat(await(cancelled)).isTrue();
	}

	@Test
	void streamingMethod_isUnimplemented() {
		StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class,
				() -> application.client().streamingOutputCall(StreamingOutputCallRequest.getDefaultInstance()).next());
		assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
		assertThat(failure.getStatus().getDescription()).contains("is unimplemented");
		assertThat(catchThrowableOfType(StatusRuntimeException.class,
				() -> application.client().unimplementedCall(Empty.getDefaultInstance()))
			.getStatus()
			.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
	}

	@Test
	void health_isThatOfServer_withHostedService() {
		HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(application.channel);
		for (String each : List.of("", SERVICE, "liveness")) {
			assertThat(health.check(HealthCheckRequest.newBuilder().setService(each).build()).getStatus())
				.isEqualTo(ServingStatus.SERVING);
		}
	}

	@Test
	void reflection_hasFilesOfHostedService() throws Exception {
		assertThat(reflected(ServerReflectionRequest.newBuilder().setListServices("*")).getListServicesResponse()
			.getServiceList()).extracting(ServiceResponse::getName).contains(SERVICE, "grpc.health.v1.Health");
		for (String symbol : List.of(SERVICE, SERVICE + ".UnaryCall")) {
			List<FileDescriptorProto> files = reflected(
					ServerReflectionRequest.newBuilder().setFileContainingSymbol(symbol))
				.getFileDescriptorResponse()
				.getFileDescriptorProtoList()
				.stream()
				.map(HostServicesIntegrationTests::file)
				.toList();
			assertThat(files.get(0).getService(0).getName()).isEqualTo("TestService");
			assertThat(files).extracting(FileDescriptorProto::getName)
				.containsAll(files.get(0).getDependencyList())
				.doesNotHaveDuplicates();
		}
		assertThat(reflected(ServerReflectionRequest.newBuilder().setFileContainingSymbol("grpc.testing.SimpleRequest"))
			.getFileDescriptorResponse()
			.getFileDescriptorProtoCount()).isPositive();
	}

	private static FileDescriptorProto file(com.google.protobuf.ByteString file) {
		try {
			return FileDescriptorProto.parseFrom(file);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new AssertionError(ex);
		}
	}

	private static ServerReflectionResponse reflected(ServerReflectionRequest.Builder request) throws Exception {
		CompletableFuture<ServerReflectionResponse> response = new CompletableFuture<>();
		StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(application.channel)
			.serverReflectionInfo(new StreamObserver<>() {
				@Override
				public void onNext(ServerReflectionResponse value) {
					response.complete(value);
				}

				@Override
				public void onError(Throwable thrown) {
					response.completeExceptionally(thrown);
				}

				@Override
				public void onCompleted() {
					response.completeExceptionally(new AssertionError("no response"));
				}
			});
		requests.onNext(request.build());
		requests.onCompleted();
		return await(response);
	}

	@Test
	void shutdown_losesNoCall() throws Exception {
		CompletableFuture<Boolean> started = new CompletableFuture<>();
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		try (HostingApplication other = HostingApplication.run(Application.class)) {
			other.service().behavior = (request, responses) -> {
				started.complete(true);
				released.join();
				EchoService.answer(responses, "late");
			};
			Future<SimpleResponse> call = TestServiceGrpc.newFutureStub(other.channel).unaryCall(REQUEST);
			await(started);
			CompletableFuture<Void> closed = CompletableFuture.runAsync(other.context::close);
			CompletableFuture<Boolean> draining = new CompletableFuture<>();
			other.channel.notifyWhenStateChanged(io.grpc.ConnectivityState.READY, () -> draining.complete(true));
			await(draining); // GOAWAY
			released.complete(true);
			assertThat(await(call).getUsername()).isEqualTo("late");
			await(closed);
		}
	}

}
