package io.rpcboot.internal.relay.http2;

import java.util.List;
import java.util.Map;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.connection.http2.PassedFields;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.relay.RelayRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HeaderRulesTests {

	private static final String PATH = "/shop.Stock/Get?message=x";

	private final RelayRoute route = RelayRoute.to(List.of("shop.Stock"));

	private List<String> rewrite(RelayRoute by, String... fields) {
		return new HeaderRules(by).rewrite(Heads.head(PATH, fields))
			.others()
			.stream()
			.map((each) -> each.name() + "=" + each.value())
			.toList();
	}

	@Test
	void pathAndVerb_passWithQuery() {
		PassedFields passed = new HeaderRules(this.route).rewrite(Heads.head(PATH));
		assertThat(passed.verb()).isEqualTo("POST");
		assertThat(passed.path()).isEqualTo(PATH);
		assertThat(passed.isConnect()).isFalse();
		assertThat(new HeaderRules(this.route).rewrite(Heads.head(ContentType.JSON, PATH, null)).isConnect()).isTrue();
	}

	@Test
	void fieldsOfCall_pass_andThoseOfConnectionDoNot() {
		assertThat(rewrite(this.route, "grpc-timeout", "1S", "connect-timeout-ms", "5", "host", "x", "user", "doug",
				"authorization", "Bearer x", "traceparent", "00-1", "grpc-encoding", "gzip", "content-length", "7"))
			.containsExactly("content-type=application/grpc", "te=trailers", "user=doug", "authorization=Bearer x",
					"traceparent=00-1", "grpc-encoding=gzip", "content-length=7", "rpc-hops=1");
	}

	@Test
	void reservedNames_areDropped_exceptThoseOfService() {
		assertThat(rewrite(this.route, "rpc-version", "2", "rpc-group", "a", "rpc-contract", "7f",
				"rpc-forwarded-identity", "admin", "rpc-executed", "false"))
			.containsExactly("content-type=application/grpc", "te=trailers", "rpc-version=2", "rpc-group=a",
					"rpc-contract=7f", "rpc-hops=1");
	}

	@Test
	void attachments_areAddedReplacedAndRemoved() {
		RelayRoute rules = this.route.withAddedAttachments(Map.of("Via", "relay"))
			.withRemovedAttachments(List.of("Secret"));
		assertThat(rewrite(rules, "via", "client", "secret", "s", "secrets", "kept"))
			.containsExactly("content-type=application/grpc", "te=trailers", "secrets=kept", "via=relay", "rpc-hops=1");
	}

	@Test
	void hops_areCounted() {
		assertThat(rewrite(this.route, "rpc-hops", "7")).endsWith("rpc-hops=8").doesNotContain("rpc-hops=7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "8", "9", "99", "100", "-1", "", "x", "1.5" })
	void tooManyHops_orNoNumber_endRequest(String hops) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> rewrite(this.route, "rpc-hops", hops))
			.withMessageContaining("relays that are targets of each other")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
	}

}
