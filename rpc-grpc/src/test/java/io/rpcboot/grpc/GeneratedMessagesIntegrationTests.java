package io.rpcboot.grpc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Timestamp;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcContract;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.serialization.GeneratedMessage;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Interfaces with messages that protoc has generated. */
public class GeneratedMessagesIntegrationTests {

	private static final SimpleRequest REQUEST = SimpleRequest.newBuilder()
		.setResponseSize(3)
		.setPayload(Payload.newBuilder().setBody(ByteString.copyFromUtf8("abc")))
		.build();

	/** The service of gRPC's interop tests. */
	@RpcContract(name = "grpc.testing.TestService")
	public interface TestService {

		Empty emptyCall(Empty request);

		SimpleResponse unaryCall(SimpleRequest request);

		@RpcMethod(bare = true)
		Order reorder(Order order);

		/** Returns a message that an interface cannot declare. */
		default String local() {
			return "local";
		}

	}

	/** A class with messages within it. */
	public record Order(Payload first, List<Payload> all, Map<String, Timestamp> times) {
	}

	/** A message whose class nothing has generated. */
	public interface Unknown {

		com.google.protobuf.Message any();

	}

	private static final class TestServiceImpl implements TestService {

		@Override
		public Empty emptyCall(Empty request) {
			return request;
		}

		@Override
		public SimpleResponse unaryCall(SimpleRequest request) {
			return (request.getResponseSize() < 0) ? null
					: SimpleResponse.newBuilder()
						.setPayload(
								Payload.newBuilder().setBody(ByteString.copyFrom(new byte[request.getResponseSize()])))
						.build();
		}

		@Override
		public Order reorder(Order order) {
			return order;
		}

	}

	private static RpcServerBuilder builder() {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(TestService.class, new TestServiceImpl());
	}

	private static TestService reference(RpcClient client, RpcServer server, Protocol protocol) {
		return client.reference(TestService.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", server.port()))
					.withProtocol(protocol));
	}

	@Test
	void generatedStub_callsInterface() {
		try (RpcServer server = builder().start()) {
			ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
			try {
				TestServiceGrpc.TestServiceBlockingStub stub = TestServiceGrpc.newBlockingStub(channel);
				assertThat(stub.unaryCall(REQUEST).getPayload().getBody().size()).isEqualTo(3);
				assertThat(stub.emptyCall(Empty.getDefaultInstance())).isEqualTo(Empty.getDefaultInstance());
			}
			finally {
				channel.shutdownNow();
			}
		}
	}

	@Test
	void reference_callsGeneratedService() {
		try (HostedPeer peer = HostedPeer.of(EchoService.plain()); RpcClient client = RpcClient.builder().build()) {
			TestService service = reference(client, peer.server, Protocol.GRPC);
			assertThat(service.unaryCall(REQUEST)).isEqualTo(SimpleResponse.getDefaultInstance());
			assertThat(catchThrowableOfType(RpcException.class, () -> service.emptyCall(Empty.getDefaultInstance()))
				.status()).isEqualTo(RpcStatus.UNIMPLEMENTED);
		}
	}

	@Test
	void messages_passBothProtocols_alsoWithinClasses() {
		Timestamp time = Timestamp.newBuilder().setSeconds(5).build();
		Order order = new Order(REQUEST.getPayload(), List.of(Payload.getDefaultInstance(), REQUEST.getPayload()),
				Map.of("a", time));
		try (RpcServer server = builder().start(); RpcClient client = RpcClient.builder().build()) {
			for (TestService each : List.of(reference(client, server, Protocol.GRPC),
					reference(client, server, Protocol.NATIVE))) {
				assertThat(each.unaryCall(REQUEST).getPayload().getBody().size()).isEqualTo(3);
				assertThat(each.reorder(order)).isEqualTo(order);
			}
		}
	}

	/** A message within a class, whose parts are not all whole. */
	@Test
	void messageInParts_isMerged_withinAClass() {
		Payload type = Payload.newBuilder().setTypeValue(7).build();
		byte[] merged = order(type.toByteArray(), REQUEST.getPayload().toByteArray(), new byte[0]);
		try (RpcServer server = builder().start()) {
			ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
			try {
				assertThat(reorder(channel, merged))
					.isEqualTo(order(REQUEST.getPayload().toBuilder().setTypeValue(7).build().toByteArray()));
				// the first part would end within the second one
				byte[] cut = order(new byte[] { 18, 4 }, new byte[] { 18, 2, 1, 2 });
				assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> reorder(channel, cut)).getStatus())
					.satisfies((status) -> assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
			}
			finally {
				channel.shutdownNow();
			}
		}
	}

	private static byte[] order(byte[]... parts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] each : parts) {
			out.write(10);
			out.write(each.length);
			out.writeBytes(each);
		}
		return out.toByteArray();
	}

	private static byte[] reorder(ManagedChannel channel, byte[] order) {
		return ClientCalls.blockingUnaryCall(channel,
				MethodDescriptor.newBuilder(Bytes.INSTANCE, Bytes.INSTANCE)
					.setType(MethodDescriptor.MethodType.UNARY)
					.setFullMethodName("grpc.testing.TestService/Reorder")
					.build(),
				CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS), order);
	}

	@Test
	void null_isRefusedOverGrpc() {
		try (RpcServer server = builder().start(); RpcClient client = RpcClient.builder().build()) {
			TestService service = reference(client, server, Protocol.GRPC);
			RpcException refused = catchThrowableOfType(RpcException.class, () -> service.unaryCall(null));
			assertThat(refused.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(refused).hasMessageContaining("arguments request: null (expected: a value");
			SimpleRequest ofNull = SimpleRequest.newBuilder().setResponseSize(-1).build();
			assertThat(catchThrowableOfType(RpcException.class, () -> service.unaryCall(ofNull)).status())
				.isEqualTo(RpcStatus.INTERNAL);
			assertThat(reference(client, server, Protocol.NATIVE).unaryCall(ofNull)).isNull();
		}
	}

	@Test
	void protoFile_importsTheFilesOfMessages() {
		try (RpcServer server = builder().start()) {
			assertThat(server.protoFiles().get("grpc/testing/services.proto"))
				.contains("import \"google/protobuf/timestamp.proto\";",
						"rpc UnaryCall(SimpleRequest) returns (SimpleResponse);",
						"rpc EmptyCall(Empty) returns (Empty);", "optional Payload first = 1;",
						"map<string, google.protobuf.Timestamp> times = 3;")
				.doesNotContain("message Payload", "message SimpleRequest");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc.testing.SimpleRequest", "grpc.testing.TestService" })
	void reflection_hasFilesOfMessages_withTheirImports(String symbol) throws Exception {
		try (RpcServer server = builder().start()) {
			ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
			try {
				Map<String, FileDescriptorProto> files = new HashMap<>();
				for (ByteString each : reflect(channel, symbol).getFileDescriptorResponse()
					.getFileDescriptorProtoList()) {
					FileDescriptorProto file = FileDescriptorProto.parseFrom(each);
					files.put(file.getName(), file);
				}
				assertThat(files.values())
					.anySatisfy((file) -> assertThat(file.getMessageTypeList()).anyMatch(
							(each) -> file.getPackage().equals("grpc.testing") && each.getName().equals("Payload")))
					.allSatisfy((file) -> assertThat(files.keySet()).containsAll(file.getDependencyList()));
			}
			finally {
				channel.shutdownNow();
			}
		}
	}

	private static ServerReflectionResponse reflect(ManagedChannel channel, String symbol) throws Exception {
		CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
		StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
			.serverReflectionInfo(new StreamObserver<>() {
				@Override
				public void onNext(ServerReflectionResponse response) {
					answer.complete(response);
				}

				@Override
				public void onError(Throwable failure) {
					answer.completeExceptionally(failure);
				}

				@Override
				public void onCompleted() {
					answer.completeExceptionally(new AssertionError("no answer"));
				}
			});
		requests.onNext(ServerReflectionRequest.newBuilder().setFileContainingSymbol(symbol).build());
		ServerReflectionResponse response = answer.get(20, TimeUnit.SECONDS);
		requests.onCompleted();
		return response;
	}

	@Test
	void descriptor_hasFileAndSymbols() {
		GeneratedMessage message = GeneratedMessage.find(SimpleRequest.class);
		assertThat(message).isNotNull();
		assertThat(message.name()).isEqualTo("grpc.testing.SimpleRequest");
		ProtoDescriptor file = message.file().get();
		assertThat(file.name()).endsWith("messages.proto");
		assertThat(file.symbols()).contains("grpc.testing.SimpleRequest", "grpc.testing.Payload",
				"grpc.testing.PayloadType");
		assertThat(GeneratedMessage.find(String.class)).isNull();
		assertThat(GeneratedMessage.find(com.google.protobuf.DynamicMessage.class)).isNull();
	}

	@Test
	void messageThatIsNotGenerated_isRefusedAtStart() {
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> RpcServer.builder().port(0).service(Unknown.class, () -> null).start())
			.withMessageContaining("Unknown.any(): result: com.google.protobuf.Message cannot be sent")
			.satisfies((ex) -> assertThat(ex.action()).contains("Declare a class that protoc has generated"));
	}

	/** Marshaller of the bytes of a message. */
	private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {

		INSTANCE;

		@Override
		public InputStream stream(byte[] value) {
			return new ByteArrayInputStream(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			try {
				return stream.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
