package io.rpcboot.grpc;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.ByteString;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceGrpc.TestServiceBlockingStub;
import io.grpc.testing.integration.UnimplementedServiceGrpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The unary cases of the interop tests of gRPC: the service and the client are those of
 * grpc-java.
 */
class InteropIntegrationTests {

	private static final int LARGE_REQUEST = 271828;

	private static final int LARGE_RESPONSE = 314159;

	static ScheduledExecutorService executor;

	static HostedPeer peer;

	static TestServiceBlockingStub client;

	@BeforeAll
	static void start() {
		executor = Executors.newScheduledThreadPool(1);
		peer = HostedPeer.ofInterop(executor);
		client = TestServiceGrpc.newBlockingStub(peer.channel);
	}

	@AfterAll
	static void stop() {
		peer.close();
		executor.shutdownNow();
	}

	private static SimpleRequest.Builder large() {
		return SimpleRequest.newBuilder()
			.setResponseSize(LARGE_RESPONSE)
			.setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[LARGE_REQUEST])));
	}

	@Test
	void emptyUnary_isAnswered() {
		assertThat(client.emptyCall(Empty.getDefaultInstance())).isEqualTo(Empty.getDefaultInstance());
	}

	@Test
	void largeUnary_isAnswered() {
		SimpleResponse response = client.unaryCall(large().build());
		assertThat(response.getPayload().getBody().size()).isEqualTo(LARGE_RESPONSE);
		assertThat(response.getPayload().getBody()).containsOnly((byte) 0);
	}

	@Test
	void clientCompressedUnary_isInflated() {
		SimpleRequest compressed = large().setExpectCompressed(BoolValue.newBuilder().setValue(true)).build();
		SimpleRequest plain = large().setExpectCompressed(BoolValue.newBuilder().setValue(false)).build();
		assertThat(client.withCompression("gzip").unaryCall(compressed).getPayload().getBody().size())
			.isEqualTo(LARGE_RESPONSE);
		assertThat(client.unaryCall(plain).getPayload().getBody().size()).isEqualTo(LARGE_RESPONSE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void serverCompressedUnary_isCompressed_ifAsked(boolean compressed) {
		AtomicReference<Metadata> headers = new AtomicReference<>();
		TestServiceBlockingStub stub = client
			.withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()));
		SimpleRequest request = large().setResponseCompressed(BoolValue.newBuilder().setValue(compressed)).build();
		assertThat(stub.unaryCall(request).getPayload().getBody().size()).isEqualTo(LARGE_RESPONSE);
		assertThat(headers.get().get(Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER)))
			.isEqualTo(compressed ? "gzip" : null);
	}

	@Test
	void statusCodeAndMessage_reachClient() {
		assertStatus("test status message");
	}

	@Test
	void specialStatusMessage_reachesClient() {
		assertStatus("\t\ntest with whitespace\r\nand Unicode BMP \u263A and non-BMP \uD83D\uDE08\t\n");
	}

	private static void assertStatus(String message) {
		SimpleRequest request = SimpleRequest.newBuilder()
			.setResponseStatus(EchoStatus.newBuilder().setCode(2).setMessage(message))
			.build();
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.unaryCall(request))
			.satisfies((ex) -> {
				assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
				assertThat(ex.getStatus().getDescription()).isEqualTo(message);
			});
	}

	@Test
	void unimplementedMethod_isUnimplemented() {
		assertThatExceptionOfType(StatusRuntimeException.class)
			.isThrownBy(() -> client.unimplementedCall(Empty.getDefaultInstance()))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
	}

	@Test
	void unimplementedService_isUnimplemented() {
		assertThatExceptionOfType(StatusRuntimeException.class)
			.isThrownBy(() -> UnimplementedServiceGrpc.newBlockingStub(peer.channel)
				.unimplementedCall(Empty.getDefaultInstance()))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
	}

	@Test
	void customMetadata_isEchoed() {
		Metadata.Key<String> initial = Metadata.Key.of("x-grpc-test-echo-initial", Metadata.ASCII_STRING_MARSHALLER);
		Metadata.Key<byte[]> trailing = Metadata.Key.of("x-grpc-test-echo-trailing-bin",
				Metadata.BINARY_BYTE_MARSHALLER);
		Metadata sent = new Metadata();
		sent.put(initial, "test_initial_metadata_value");
		sent.put(trailing, new byte[] { (byte) 0xab, (byte) 0xab, (byte) 0xab });
		AtomicReference<Metadata> headers = new AtomicReference<>();
		AtomicReference<Metadata> trailers = new AtomicReference<>();
		TestServiceBlockingStub stub = TestServiceGrpc
			.newBlockingStub(ClientInterceptors.intercept(peer.channel, MetadataUtils.newAttachHeadersInterceptor(sent),
					MetadataUtils.newCaptureMetadataInterceptor(headers, trailers)));
		stub.unaryCall(large().build());
		assertThat(headers.get().getAll(initial)).containsExactly("test_initial_metadata_value");
		assertThat(trailers.get().getAll(trailing)).containsExactly(sent.get(trailing));
	}

	@Test
	void manyCalls_areAnswered_onOneChannel() {
		for (int i = 0; i < 200; i++) {
			byte[] body = ("call " + i).getBytes(StandardCharsets.UTF_8);
			SimpleRequest request = SimpleRequest.newBuilder()
				.setResponseSize(i)
				.setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(body)))
				.build();
			assertThat(client.unaryCall(request).getPayload().getBody().size()).isEqualTo(i);
		}
	}

}
