package io.rpcboot.engine.grpc;

import java.security.Principal;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

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
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Access to what a server offers over gRPC, also by itself. */
class GrpcAccessIntegrationTests extends AbstractGrpcEngine {

	private static final int LONG = 500_000;

	/** Service for few. */
	public interface Hidden {

		String any();

	}

	private final CountDownLatch released = new CountDownLatch(1);

	@AfterEach
	void release() {
		this.released.countDown();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@BeforeEach
	void startWithRules() {
		start(builder()
			.service(ServiceDescriptor.of(Hidden.class), () -> (Hidden) () -> "any",
					ServiceOptions.defaults().withAllow(Set.of("user:admin", "user:slowadmin", "user:briefadmin")))
			.access(AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((credentials) -> {
				if (credentials.value().startsWith("slow")) {
					await(this.released);
				}
				if (!credentials.scheme().equals("Bearer") || credentials.value().equals("wrong")) {
					throw new RpcException(RpcStatus.UNAUTHENTICATED, "not known", false);
				}
				Principal user = credentials::value;
				return CallerIdentity.of(user,
						credentials.value().startsWith("brief") ? Instant.now().plusSeconds(2) : Instant.MAX);
			}).withAuthorizer((caller, service, method) -> switch (service.name()) {
				case "grpc.health.v1.Health" -> caller.isAuthenticated();
				case "grpc.reflection.v1.ServerReflection" -> caller.getName().endsWith("admin");
				default -> method.equals("greet") && caller.isAuthenticated();
			})));
	}

	/** Statuses: 0 OK, 7 PERMISSION_DENIED, 16 UNAUTHENTICATED. */
	@ParameterizedTest
	@CsvSource({ "Greet, , 16", "Greet, Bearer ann, 0", "Greet, Bearer wrong, 16", "Greet, Basic ann, 16",
			"Greet, Bearer, 16", "Later, , 16", "Later, Bearer ann, 7", "Missing, , 16", "Missing, Bearer ann, 7",
			"Missing, Bearer wrong, 16", "/grpc.health.v1.Health/Check, , 16",
			"/grpc.health.v1.Health/Check, Bearer ann, 0", "/grpc.health.v1.Health/Check, Bearer wrong, 16",
			"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo, , 16",
			"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo, Bearer ann, 7",
			"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo, Bearer admin, 0", "/other.Service/Greet, , 16",
			"/other.Service/Greet, Bearer ann, 7", "/, Bearer ann, 7", "/a/b/c, Bearer ann, 7" })
	void request_isServed_ifItsCallerMayMakeIt(String method, @Nullable String credentials, int status)
			throws Exception {
		Http2Peer peer = connect();
		boolean isPath = method.isEmpty() || method.startsWith("/");
		for (int i = 0; i < 2; i++) { // the second time by what is known
			Http2Headers request = GrpcBytes.request(isPath ? method : Http2Peer.path(method));
			if (credentials != null) {
				request.set("authorization", credentials);
			}
			GrpcExchange call = peer.open(request, false);
			peer.data(call, GrpcBytes.message(new byte[0]), true);
			assertThat(call.status()).isEqualTo(status);
		}
	}

	/** Statuses: 0 OK, 5 NOT_FOUND, 7 PERMISSION_DENIED. */
	@ParameterizedTest
	@CsvSource({ "Check, '', ann, 0", "Check, readiness, ann, 0", "Check, io.rpcboot.engine.fixture.Calls, ann, 0",
			"Check, io.rpcboot.engine.grpc.GrpcAccessIntegrationTests.Hidden, ann, 7",
			"Check, io.rpcboot.engine.grpc.GrpcAccessIntegrationTests.Hidden, admin, 0", "Check, shop.Missing, ann, 7",
			"Check, shop.Missing, admin, 5", "Watch, shop.Missing, ann, 7",
			"Watch, io.rpcboot.engine.grpc.GrpcAccessIntegrationTests.Hidden, ann, 7", "List, '', ann, 7",
			"List, '', admin, 0" })
	void health_tellsAboutServices_thatItsCallerMayCall(String method, String service, String caller, int status)
			throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(
				GrpcBytes.request("/grpc.health.v1.Health/" + method).set("authorization", "Bearer " + caller), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text(service)), true);
		assertThat(call.status()).isEqualTo(status);
	}

	@Test
	void watch_endsWithProofOfItsCaller() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange watch = peer
			.open(GrpcBytes.request("/grpc.health.v1.Health/Watch").set("authorization", "Bearer briefadmin"), false);
		peer.data(watch, GrpcBytes.message(GrpcBytes.text("io.rpcboot.engine.grpc.GrpcAccessIntegrationTests.Hidden")),
				true);
		assertThat(watch.status()).isEqualTo(16);
		assertThat(watch.data()).as("the status before").isNotEmpty();
		assertThat(watch.message()).isEqualTo("a client certificate or credentials are needed");
	}

	private void awaitIncoming(LongPredicate expected) {
		Eventually.until("memory: " + this.accounts,
				() -> expected.test(this.accounts.of(RpcMetrics.Gauge.SERVER_MEMORY_INCOMING)));
	}

	/** Statuses: 0 OK, 7 PERMISSION_DENIED. */
	@ParameterizedTest
	@CsvSource({ "true, Greet, 0", "false, Greet, 0", "true, Missing, 7", "false, Missing, 7" })
	void messages_areAccounted_whileTheirCallerIsUnknown(boolean resets, String method, int status) throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request(Http2Peer.path(method)).set("authorization", "Bearer slow"),
				false);
		peer.data(call, GrpcBytes.message(GrpcBytes.field(9, new byte[LONG])), false);
		awaitIncoming((bytes) -> bytes > LONG / 2);
		assertThat(peer.call("Greet").status()).isEqualTo(16);
		assertThat(this.accounts.of(RpcMetrics.Gauge.SERVER_MEMORY_INCOMING)).isGreaterThan(LONG / 2);
		if (resets) {
			peer.reset(call, Http2Error.CANCEL);
		}
		else {
			this.released.countDown();
		}
		if (!resets) {
			peer.data(call, new byte[0], true);
			assertThat(call.status()).isEqualTo(status);
		}
		awaitIncoming((bytes) -> bytes == 0);
	}

	@Test
	void messagesToReflection_areAnswered_thoughTheyFillWindowBeforeCallerIsKnown() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(GrpcBytes.request("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
			.set("authorization", "Bearer slowadmin"), false);
		byte[] request = GrpcBytes.message(GrpcBytes.field(4, new byte[12_000]));
		for (int i = 0; i < 15; i++) {
			peer.data(call, request, i == 14);
		}
		peer.call("Greet").status(); // the first messages have arrived
		this.released.countDown();
		assertThat(call.status()).as(call.message()).isZero();
		assertThat(GrpcBytes.messages(call.data())).hasSize(15);
	}

}
