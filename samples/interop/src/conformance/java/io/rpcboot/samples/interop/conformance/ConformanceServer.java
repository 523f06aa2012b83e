package io.rpcboot.samples.interop.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import com.connectrpc.conformance.v1.ConformancePayload.RequestInfo;
import com.connectrpc.conformance.v1.ConformancePayload;
import com.connectrpc.conformance.v1.Error;
import com.connectrpc.conformance.v1.Header;
import com.connectrpc.conformance.v1.IdempotentUnaryRequest;
import com.connectrpc.conformance.v1.IdempotentUnaryResponse;
import com.connectrpc.conformance.v1.ServerCompatRequest;
import com.connectrpc.conformance.v1.ServerCompatResponse;
import com.connectrpc.conformance.v1.Service;
import com.connectrpc.conformance.v1.UnaryRequest;
import com.connectrpc.conformance.v1.UnaryResponse;
import com.connectrpc.conformance.v1.UnaryResponseDefinition;
import com.google.protobuf.Any;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.GrpcCall;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;

/**
 * Server under test. Reads its properties, tells where it listens, and ends with its
 * process. It speaks all protocols of a port, whichever is tested. The service is a
 * definition without an interface, because headers and trailers are told apart there; with
 * the argument {@value #STREAMS_ALONE} it is {@link ConformanceStreams}, whose
 * methods take and return streams.
 */
public final class ConformanceServer {

	private static final String STREAMS_ALONE = "streams";

	private ConformanceServer() {
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		PrintStream out = System.out;
		System.setOut(System.err); // for logs
		ServerCompatRequest request = Objects
			.requireNonNull(SizedMessages.read(System.in, ServerCompatRequest.parser()));
		RpcServerBuilder builder = RpcServer.builder()
			.bindAddress("127.0.0.1")
			.port(0)
			.protocols(Protocol.values())
			.grpc(GrpcOptions.defaults().withCompression(GrpcOptions.Compression.GZIP));
		boolean hasStreams = List.of(args).contains(STREAMS_ALONE);
		if (hasStreams) {
			builder.service(ServiceDescriptor.of(ConformanceStreams.class), DefaultConformanceStreams::new);
		}
		else {
			builder.grpcService(definition(), ServiceOptions.defaults());
		}
		if (request.getMessageReceiveLimit() > 0) {
			builder.maxFrameSize(request.getMessageReceiveLimit());
		}
		ServerCompatResponse.Builder response = ServerCompatResponse.newBuilder().setHost("127.0.0.1");
		if (request.getUseTls()) {
			builder.tls(GivenCertificate.tls(request.getServerCreds()));
			response.setPemCert(request.getServerCreds().getCert());
		}
		RpcServer server = builder.start();
		FirstCalls.make(request, server.port(), hasStreams);
		SizedMessages.write(out, response.setPort(server.port()).build());
		Thread.currentThread().join();
	}

	private static GrpcServiceDefinition definition() {
		return new GrpcServiceDefinition("connectrpc.conformance.v1.ConformanceService",
				Map.of("Unary", ConformanceServer::unary, "IdempotentUnary", ConformanceServer::idempotentUnary),
				Map.of(), () -> List.of(DeclaredFiles.of(Service.getDescriptor())));
	}

	private static CompletionStage<byte[]> unary(GrpcCall call) throws Exception {
		UnaryRequest request = UnaryRequest.parseFrom(call.message());
		return answer(call, Any.pack(request), request.getResponseDefinition(),
				(payload) -> UnaryResponse.newBuilder().setPayload(payload).build());
	}

	private static CompletionStage<byte[]> idempotentUnary(GrpcCall call) throws Exception {
		IdempotentUnaryRequest request = IdempotentUnaryRequest.parseFrom(call.message());
		return answer(call, Any.pack(request), request.getResponseDefinition(),
				(payload) -> IdempotentUnaryResponse.newBuilder().setPayload(payload).build());
	}

	private static CompletionStage<byte[]> answer(GrpcCall call, Any request, UnaryResponseDefinition definition,
			Function<ConformancePayload, MessageLite> response) throws Exception {
		RequestInfo info = info(call, request);
		Thread.sleep(definition.getResponseDelayMs());
		call.headers(fields(definition.getResponseHeadersList()));
		List<Map.Entry<String, String>> trailers = fields(definition.getResponseTrailersList());
		if (definition.hasError()) {
			Error error = definition.getError();
			trailers.add(Map.entry("grpc-status-details-bin", details(error, Any.pack(info))));
			call.trailers(trailers);
			RpcStatus status = Objects.requireNonNullElse(RpcStatus.ofCode(error.getCodeValue()), RpcStatus.UNKNOWN);
			return CompletableFuture.failedFuture(new RpcException(status, error.getMessage(), true));
		}
		call.trailers(trailers);
		return CompletableFuture.completedFuture(response
			.apply(ConformancePayload.newBuilder().setData(definition.getResponseData()).setRequestInfo(info).build())
			.toByteArray());
	}

	private static RequestInfo info(GrpcCall call, Any request) {
		RequestInfo.Builder info = RequestInfo.newBuilder().addRequests(request);
		Map<String, List<String>> headers = new LinkedHashMap<>();
		call.metadata()
			.forEach(
					(each) -> headers.computeIfAbsent(each.getKey(), (name) -> new ArrayList<>()).add(each.getValue()));
		headers
			.forEach((name, values) -> info.addRequestHeaders(Header.newBuilder().setName(name).addAllValue(values)));
		long nanos = call.context().remaining().toNanos();
		if (nanos < Long.MAX_VALUE) {
			info.setTimeoutMs(nanos / 1_000_000);
		}
		return info.build();
	}

	private static List<Map.Entry<String, String>> fields(List<Header> headers) {
		List<Map.Entry<String, String>> fields = new ArrayList<>();
		for (Header each : headers) {
			each.getValueList().forEach((value) -> fields.add(Map.entry(each.getName().toLowerCase(), value)));
		}
		return fields;
	}

	/** Returns a {@code google.rpc.Status}. */
	private static String details(Error error, Any info) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		CodedOutputStream out = CodedOutputStream.newInstance(bytes);
		out.writeInt32(1, error.getCodeValue());
		out.writeString(2, error.getMessage());
		for (Any each : error.getDetailsList()) {
			out.writeMessage(3, each);
		}
		out.writeMessage(3, info);
		out.flush();
		return Base64.getEncoder().withoutPadding().encodeToString(bytes.toByteArray());
	}

}
