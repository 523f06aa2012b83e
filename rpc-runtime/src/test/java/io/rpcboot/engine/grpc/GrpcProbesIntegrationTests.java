package io.rpcboot.engine.grpc;

import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Health of a guarded server as probes see it, which prove nothing. */
class GrpcProbesIntegrationTests extends AbstractGrpcEngine {

	private static final String HEALTH = "/grpc.health.v1.Health/";

	/** Service on a list. */
	public interface Listed {

		String any();

	}

	/** Number of credentials that were checked. */
	private final AtomicInteger checks = new AtomicInteger();

	private CallerIdentity authenticate(Credentials credentials) {
		this.checks.incrementAndGet();
		if (!credentials.value().equals("right")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "not known", false);
		}
		Principal user = () -> "ann";
		return CallerIdentity.of(user, Instant.MAX);
	}

	/** Starts a server that everybody has to prove something to. */
	private void start(boolean hasList) {
		start(builder()
			.service(ServiceDescriptor.of(Listed.class), () -> (Listed) () -> "any",
					hasList ? ServiceOptions.defaults().withAllow(Set.of("user:bob")) : ServiceOptions.defaults())
			.access(options()));
		this.server.register();
	}

	private AccessOptions options() {
		return AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator(this::authenticate);
	}

	private static GrpcExchange ask(Http2Peer peer, String method, String service, @Nullable String credentials) {
		Http2Headers request = GrpcBytes.request(HEALTH + method);
		if (credentials != null) {
			request.set("authorization", credentials);
		}
		GrpcExchange call = peer.open(request, false);
		peer.data(call, GrpcBytes.message(service.isEmpty() ? new byte[0] : GrpcBytes.text(service)), true);
		return call;
	}

	private static byte[] serving(GrpcExchange call) {
		Eventually.until("an answer: " + call, () -> call.data().length > 0);
		return GrpcBytes.messages(call.data()).get(0);
	}

	@ParameterizedTest
	@CsvSource({ "Check, '', , false", "Check, '', , true", "Check, readiness, , true", "Check, liveness, , false",
			"Check, '', Bearer wrong, true", "Check, readiness, Bearer wrong, false", "Check, liveness, nonsense, true",
			"Check, '', Bearer right, true", "Watch, '', , true", "Watch, readiness, Bearer wrong, false",
			"Watch, liveness, Basic %%%, true" })
	void serverItself_isToldToEverybody_withoutCheck(String method, String name, @Nullable String credentials,
			boolean hasList) throws Exception {
		start(hasList);
		Http2Peer peer = connect();
		GrpcExchange call = ask(peer, method, name, credentials);
		assertThat(serving(call)).as("SERVING").isEqualTo(GrpcBytes.number(1));
		if (method.equals("Check")) {
			assertThat(call.status()).isZero();
		}
		else {
			peer.reset(call, Http2Error.CANCEL);
		}
		assertThat(this.checks).hasValue(0);
	}

	/** Statuses: 7 PERMISSION_DENIED, 16 UNAUTHENTICATED. */
	@ParameterizedTest
	@CsvSource({ "Check, , 16", "Check, Bearer wrong, 16", "Check, nonsense, 16", "Check, Bearer right, 7",
			"Watch, , 16", "Watch, Bearer wrong, 16", "Watch, Bearer right, 7" })
	void otherNames_getOneRefusal_knownOrNot(String method, @Nullable String credentials, int status) throws Exception {
		start(true);
		Http2Peer peer = connect();
		GrpcExchange known = ask(peer, method, Listed.class.getName().replace('$', '.'), credentials);
		GrpcExchange unknown = ask(peer, method, "shop.Missing", credentials);
		assertThat(known.status()).isEqualTo(status);
		assertThat(unknown.status()).isEqualTo(status);
		assertThat(known.headers).isEqualTo(unknown.headers);
		assertThat(known.field("rpc-executed")).isEqualTo("false");
		awaitLogged("grpc.health.v1.Health/" + method);
	}

	@ParameterizedTest
	@CsvSource({ ", 16", "Bearer wrong, 16", "Bearer right, 7" })
	void list_isGuarded_byProofAndLists(@Nullable String credentials, int status) throws Exception {
		start(true);
		GrpcExchange call = ask(connect(), "List", "", credentials);
		assertThat(call.status()).isEqualTo(status);
		assertThat(call.field("rpc-executed")).isEqualTo("false");
	}

	@Test
	void names_areToldToCallersWithProof() throws Exception {
		start(false);
		Http2Peer peer = connect();
		assertThat(serving(ask(peer, "Check", Listed.class.getName().replace('$', '.'), "Bearer right")))
			.isEqualTo(GrpcBytes.number(1));
		assertThat(ask(peer, "Check", "shop.Missing", "Bearer right").status()).as("NOT_FOUND").isEqualTo(5);
		assertThat(ask(peer, "List", "", "Bearer right").status()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Check", "Watch", "List" })
	void request_isAtMost1KB(String method) throws Exception {
		start(false);
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(HEALTH + method), false);
		peer.data(call, GrpcBytes.message(0, 1025), false);
		assertThat(call.status()).as("before the message arrives").isEqualTo(16);
		assertThat(ask(peer, "Check", "x".repeat(1000), null).status()).isEqualTo(16);
	}

	@Test
	void openRequests_ofUnknownCaller_areAtMost16() throws Exception {
		start(false);
		Http2Peer peer = connect();
		List<GrpcExchange> watching = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			watching.add(ask(peer, "Watch", "", null));
		}
		watching.forEach(GrpcProbesIntegrationTests::serving);
		GrpcExchange more = ask(peer, "Check", "", null);
		assertThat(more.status()).as("RESOURCE_EXHAUSTED").isEqualTo(8);
		assertThat(more.field("rpc-executed")).isEqualTo("false");
		peer.reset(watching.get(3), Http2Error.CANCEL);
		assertThat(ask(peer, "Check", "", null).status()).isZero();
		GrpcExchange refused = ask(peer, "Check", "shop.Missing", null);
		assertThat(refused.status()).isEqualTo(16);
		assertThat(ask(peer, "Check", "", null).status()).as("refused requests end").isZero();
		assertThat(connect().call("Greet").status()).isEqualTo(16);
	}

	/** With rules these decide, also about probes. */
	@ParameterizedTest
	@CsvSource({ "everybody, , 0, 0", "everybody, Bearer wrong, 0, 0", "everybody, Bearer right, 0, 0",
			"authenticated, , 16, 0", "authenticated, Bearer wrong, 16, 1", "authenticated, Bearer right, 0, 1",
			"nobody, , 16, 0", "nobody, Bearer right, 7, 1" })
	void rules_decideAboutProbes(String who, @Nullable String credentials, int status, int checked) throws Exception {
		start(builder().access(options().withAuthorizer((caller, service, method) -> who.equals("everybody")
				? method.equals("Check") : who.equals("authenticated") && caller.isAuthenticated())));
		this.server.register();
		GrpcExchange call = ask(connect(), "Check", "readiness", credentials);
		assertThat(call.status()).isEqualTo(status);
		assertThat(this.checks).hasValue(checked);
		if (status != 0) {
			awaitLogged("grpc.health.v1.Health/Check");
		}
	}

}
