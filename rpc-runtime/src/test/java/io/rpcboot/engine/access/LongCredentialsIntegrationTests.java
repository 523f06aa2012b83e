package io.rpcboot.engine.access;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Credentials up to their longest: they take no room of attachments. */
class LongCredentialsIntegrationTests {

	private static final String SCHEME = "Bearer ";

	private static final String CALLER = "/" + Guarded.class.getName() + "/Caller";

	private final List<RpcClient> clients = new ArrayList<>();

	@AfterEach
	void closeClients() {
		this.clients.forEach(RpcClient::close);
	}

	private static RpcServerBuilder server(int attachments) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxAttachmentsSize(attachments)
			.service(Guarded.class, new GuardedImpl());
	}

	/** Names callers by the length of their credentials. */
	private static AccessOptions lengths() {
		return AccessOptions.defaults()
			.withClearTextCredentials(true)
			.withAuthenticator((credentials) -> CallerIdentity.of(() -> "caller of " + credentials.header().length(),
					Instant.MAX));
	}

	private static String token(int length) {
		return SCHEME + "x".repeat(length - SCHEME.length());
	}

	private Guarded at(RpcServer server, RpcClientBuilder builder, Protocol protocol,
			RpcClientInterceptor interceptor) {
		RpcClient client = builder.interceptor(interceptor).build();
		this.clients.add(client);
		return client.reference(Guarded.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", server.port()))
					.withProtocol(protocol)
					.withTimeout(Duration.ofSeconds(30)));
	}

	/** Returns a value that leaves no room, behind a name with one letter. */
	private static String filling(Protocol protocol, int attachments) {
		int overhead = (protocol == Protocol.GRPC) ? 32 : 3;
		return "y".repeat(attachments - 1 - overhead);
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, 20, 0", "NATIVE, 4097, 0", "NATIVE, 8192, 0", "NATIVE, 8192, 100", "NATIVE, 8192, 8192",
			"NATIVE, 8192, 65535", "GRPC, 20, 0", "GRPC, 4097, 0", "GRPC, 8192, 0", "GRPC, 8192, 100",
			"GRPC, 8192, 8192", "GRPC, 8192, 65535" })
	void credentialsOfClient_arrive_besideAttachments(Protocol protocol, int length, int attachments) {
		try (RpcServer server = server(attachments).access(lengths()).start()) {
			Guarded service = at(server,
					RpcClient.builder()
						.maxAttachmentsSize(attachments)
						.allowClearTextCredentials()
						.credentials(() -> Credentials.of(token(length))),
					protocol, (call) -> {
						if (attachments > 0) {
							call.attachments().put("y", filling(protocol, attachments));
						}
						return call.proceed();
					});
			assertThat(service.caller()).isEqualTo("caller of " + length);
		}
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, 20, 0", "NATIVE, 4097, 0", "NATIVE, 8192, 0", "NATIVE, 8192, 100", "NATIVE, 8192, 8192",
			"NATIVE, 8192, 57320", "GRPC, 20, 0", "GRPC, 4097, 0", "GRPC, 8192, 0", "GRPC, 8192, 100",
			"GRPC, 8192, 8192", "GRPC, 8192, 65535" })
	void credentialsOfCall_arrive_besideAttachments(Protocol protocol, int length, int attachments) {
		try (RpcServer server = server(attachments).access(lengths()).start()) {
			Guarded service = at(server, RpcClient.builder().maxAttachmentsSize(attachments), protocol, (call) -> {
				if (attachments > 0) {
					call.attachments().put("y", filling(protocol, attachments));
				}
				call.attachments().put(Credentials.ATTACHMENT, token(length));
				return call.proceed();
			});
			assertThat(service.caller()).isEqualTo("caller of " + length);
		}
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, 20", "NATIVE, 8192", "GRPC, 20", "GRPC, 8192" })
	void otherAttachments_keepTheirLimit_besideCredentials(Protocol protocol, int length) {
		try (RpcServer server = server(8192).access(lengths()).start()) {
			Guarded service = at(server,
					RpcClient.builder()
						.maxAttachmentsSize(8192)
						.allowClearTextCredentials()
						.credentials(() -> Credentials.of(token(length))),
					protocol, (call) -> {
						call.attachments().put("y", filling(protocol, 8193));
						return call.proceed();
					});
			RpcException refusal = catchThrowableOfType(RpcException.class, service::caller);
			assertThat(refusal.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(refusal).hasMessageContaining("max-attachments-size").hasMessageNotContaining("xxx");
		}
	}

	/** Credentials that are too long are refused like wrong ones. */
	@ParameterizedTest
	@CsvSource({ "8192, 0, 200, 0", "8193, 0, 200, 16", "8500, 8000, 200, 16", "8192, 8000, 200, 0",
			"8192, 14000, 431,", "14000, 8000, 431," })
	void headerList_hasRoomForCredentials(int length, int attachment, String http, String grpc) throws Exception {
		try (RpcServer server = server(8192).access(lengths()).start();
				Http2Peer peer = Http2Peer.connect(server.port())) {
			Http2Headers headers = GrpcBytes.request(CALLER).add("authorization", token(length));
			headers.add("y", "y".repeat(attachment));
			GrpcExchange call = peer.open(headers, false);
			peer.data(call, GrpcBytes.message(), true);
			call.await();
			assertThat(call.httpStatus()).isEqualTo(http);
			assertThat(call.field("grpc-status")).isEqualTo(grpc);
		}
	}

	/** A server that takes no credentials has no room for them. */
	@ParameterizedTest
	@CsvSource({ "4000, 200", "8192, 431" })
	void headerList_hasNoRoomForCredentials_whereNoneAreTaken(int length, String http) throws Exception {
		try (RpcServer server = server(0).start(); Http2Peer peer = Http2Peer.connect(server.port())) {
			GrpcExchange call = peer.open(GrpcBytes.request(CALLER).add("authorization", token(length - 300)), false);
			peer.data(call, GrpcBytes.message(), true);
			assertThat(call.await().httpStatus()).isEqualTo(http);
		}
	}

	/** Their proof is for method and address of a request of HTTP. */
	@ParameterizedTest
	@CsvSource({ "NATIVE, DPoP abc, DPoP", "NATIVE, digest username=ann, digest", "GRPC, dpop abc, dpop",
			"GRPC, Digest username=ann, Digest", "GRPC, Bearer abc," })
	void log_names_whatIsNotCarried(Protocol protocol, String header, String scheme) {
		AccessOptions nobody = AccessOptions.defaults()
			.withClearTextCredentials(true)
			.withAuthenticator((credentials) -> {
				throw new RpcException(RpcStatus.UNAUTHENTICATED, "the reason", false);
			});
		try (LogRecorder log = new LogRecorder("rpc.server"); RpcServer server = server(0).access(nobody).start()) {
			Guarded service = at(server, RpcClient.builder(), protocol, (call) -> {
				call.attachments().put(Credentials.ATTACHMENT, header);
				return call.proceed();
			});
			RpcException refusal = catchThrowableOfType(RpcException.class, service::caller);
			assertThat(refusal.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
			assertThat(log.messages()).anyMatch((line) -> line.contains("the reason")
					&& line.contains(scheme + " is not carried") == (scheme != null));
		}
	}

}
