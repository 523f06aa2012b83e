package io.rpcboot.engine.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.internal.protocol.grpc.StatusDetails;
import io.rpcboot.server.GrpcHandler;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of Connect to services that no interface declares. */
class HostedHttpIntegrationTests extends AbstractHttpEngine {

	private final List<Map.Entry<String, String>> metadata = new ArrayList<>();

	private Response talk(GrpcHandler handler, String... fields) {
		start(builder().grpcService(new GrpcServiceDefinition("acme.Talk", Map.of("Say", (call) -> {
			this.metadata.addAll(call.metadata());
			call.headers(List.of(Map.entry("x-head", "1"), Map.entry("x-head", "2")));
			return handler.handle(call);
		}), Map.of()), ServiceOptions.defaults()));
		HttpPeer peer = connect();
		byte[] request = { 10, 1, 'a' };
		return peer.send(HttpPeer.head("/acme.Talk/Say", "application/proto", request.length, fields))
			.send(request)
			.read();
	}

	@Test
	void fieldsOfSuccess_areHeaders() {
		Response response = talk((call) -> {
			call.trailers(List.of(Map.entry("x-tail", "3")));
			return CompletableFuture.completedFuture(call.message());
		});
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("\n\u0001a");
		assertThat(response.field("x-head")).isEqualTo("2");
		assertThat(response.field("trailer-x-tail")).isEqualTo("3");
	}

	@Test
	void fieldsOfFailure_areHeaders_andItsDetailsInTheBody() {
		byte[] detail = new StatusDetails.ErrorInfo("WHY", "acme", Map.of()).toDetail();
		Response response = talk((call) -> {
			call.trailers(List.of(Map.entry("x-tail", "3"),
					Map.entry("grpc-status-details-bin", new StatusDetails(9, "not now", List.of(detail)).format())));
			return CompletableFuture.failedFuture(new RpcException(RpcStatus.FAILED_PRECONDITION, "not now", true));
		});
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.field("x-head")).isEqualTo("2");
		assertThat(response.field("trailer-x-tail")).isEqualTo("3");
		assertThat(response.fields()).doesNotContainKey("trailer-grpc-status-details-bin");
		assertThat(response.body()).isEqualTo("{\"code\":\"failed_precondition\",\"message\":\"not now\",\"details\":["
				+ "{\"type\":\"google.rpc.ErrorInfo\",\"value\":\"CgNXSFkSBGFjbWU\"}]}");
	}

	@Test
	void fieldsOfHttpItself_areLeftOut() {
		Response response = talk((call) -> {
			call.headers(List.of(Map.entry("content-length", "100"), Map.entry("transfer-encoding", "chunked"),
					Map.entry("content-type", "text/html"), Map.entry("connection", "close"),
					Map.entry("x-head", "5")));
			return CompletableFuture.completedFuture(call.message());
		});
		assertThat(response.fields()).doesNotContainKeys("transfer-encoding", "connection")
			.containsEntry("content-length", "3")
			.containsEntry("content-type", "application/proto")
			.containsEntry("x-head", "5");
	}

	@Test
	void encodingsOfGrpc_areNotTold() {
		Response response = talk((call) -> CompletableFuture.completedFuture(call.message()),
				"grpc-accept-encoding: gzip", "X-Mine: 4");
		assertThat(response.status()).isEqualTo(200);
		assertThat(this.metadata).contains(Map.entry("x-mine", "4"))
			.noneMatch((each) -> each.getKey().startsWith("grpc-"));
	}

	@Test
	void responseThatServiceHasCompressed_isInternalError() {
		Response response = talk((call) -> {
			call.encoding("gzip");
			return CompletableFuture.completedFuture(call.message());
		});
		assertThat(response.status()).isEqualTo(500);
		assertThat(response.body()).contains("\"code\":\"internal\"", "has compressed its response");
	}

}
