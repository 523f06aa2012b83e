package io.rpcboot.engine.grpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ContextCalls;
import io.rpcboot.engine.fixture.ContextCallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Metadata in each form that gRPC over HTTP/2 allows, in requests and in replies. */
class GrpcMetadataIntegrationTests extends AbstractGrpcEngine {

	/** Part of a reply that has the fields. */
	enum Part {

		HEADERS, TRAILERS, TRAILERS_ONLY

	}

	/** Fields as names and values, and the attachments that they are. */
	static Stream<Arguments> forms() {
		return Stream.of(Arguments.of(List.of("a", "1", "b", "x", "a", "2", "a", "3"), Map.of("a", "1,2,3", "b", "x")),
				Arguments.of(List.of("a", ""), Map.of("a", "")),
				Arguments.of(List.of("a", "", "a", "1", "a", ""), Map.of("a", ",1,")),
				Arguments.of(List.of("a", "  x y\t"), Map.of("a", "x y")),
				Arguments.of(List.of("a", " 1", "a", "2 "), Map.of("a", "1,2")),
				Arguments.of(List.of("a", "1, 2", "a", "3"), Map.of("a", "1, 2,3")),
				Arguments.of(List.of("k-bin", "YWI"), Map.of("k", "ab")),
				Arguments.of(List.of("k-bin", "YWI="), Map.of("k", "ab")),
				Arguments.of(List.of("k-bin", "YWI,YWM=,YQ"), Map.of("k", "ab,ac,a")),
				Arguments.of(List.of("k-bin", "YWI", "k-bin", "YQ=="), Map.of("k", "ab,a")),
				Arguments.of(List.of("k-bin", ""), Map.of("k", "")),
				Arguments.of(List.of("k-bin", "YWI,"), Map.of("k", "ab,")),
				Arguments.of(List.of("k-bin", "YWI,,YWM"), Map.of("k", "ab,,ac")),
				Arguments.of(List.of("k-bin", " YWI , YWM "), Map.of("k", "ab,ac")),
				Arguments.of(List.of("k-bin", "q/8AAQ"), Map.of("k-bin", "q/8AAQ==")),
				Arguments.of(List.of("k-bin", "YWI,q/8AAQ"), Map.of("k-bin", "YWI=,q/8AAQ==")),
				Arguments.of(List.of("k-bin", "q/8AAQ", "k-bin", "YWI", "k-bin", ""),
						Map.of("k-bin", "q/8AAQ==,YWI=,")),
				Arguments.of(List.of("k-bin", "YWI,Cg"), Map.of("k", "ab,\n", "k-bin", "YWI=,Cg==")),
				Arguments.of(List.of("a.b_c-d", "1", "0", "2"), Map.of("a.b_c-d", "1", "0", "2")));
	}

	@ParameterizedTest
	@MethodSource("forms")
	void fieldsOfRequest_areAttachments_inEachForm(List<String> fields, Map<String, String> expected) throws Exception {
		ContextCallsImpl context = new ContextCallsImpl();
		start(builder().service(ContextCalls.class, context));
		Http2Headers headers = GrpcBytes.request("/io.rpcboot.engine.fixture.ContextCalls/Look");
		for (int i = 0; i < fields.size(); i += 2) {
			headers.add(fields.get(i), fields.get(i + 1));
		}
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(headers, false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("w")), true);
		assertThat(call.status()).as(call.toString()).isZero();
		Map<String, String> seen = context.seen.poll(20, TimeUnit.SECONDS);
		seen.keySet().removeAll(Set.of("word", "method", "peer", "millis", "thread")); // no
																						// metadata
		assertThat(seen).isEqualTo(expected);
	}

	@ParameterizedTest
	@EnumSource
	void fieldsOfReply_areAttachments_inEachForm(Part part) throws Exception {
		for (Arguments each : forms().toList()) {
			@SuppressWarnings("unchecked")
			List<String> fields = (List<String>) each.get()[0];
			assertThat(reply(part, fields)).as("%s", fields).isEqualTo(each.get()[1]);
		}
	}

	private static Map<String, String> reply(Part part, List<String> fields) throws Exception {
		String[] head = with(List.of(":status", "200", "content-type", "application/grpc"),
				(part == Part.HEADERS) ? fields : List.of());
		String[] end = with(List.of("grpc-status", "9"), (part == Part.TRAILERS) ? fields : List.of());
		try (Http2Server server = new Http2Server(new Http2Settings(), (connection, type, flags, id, answers) -> {
			if (type == Http2Server.HEADERS && part == Part.TRAILERS_ONLY) {
				answers.headers(id, true, with(
						List.of(":status", "200", "content-type", "application/grpc", "grpc-status", "9"), fields));
			}
			else if (type == Http2Server.HEADERS) {
				answers.headers(id, false, head);
				answers.headers(id, true, end);
			}
		}); RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).timeout(Duration.ofSeconds(20)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server.port()));
			return catchThrowableOfType(RpcException.class, () -> calls.nothing()).replyAttachments();
		}
	}

	private static String[] with(List<String> first, List<String> fields) {
		List<String> all = new ArrayList<>(first);
		all.addAll(fields);
		return all.toArray(String[]::new);
	}

}
