package io.rpcboot.engine.grpc;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Clients that tell contracts, and servers that refuse them, as no peer of ours does. */
class GrpcContractRefusalsIntegrationTests extends AbstractGrpcEngine {

	private static final int FAILED_PRECONDITION = 9;

	private static GrpcExchange greet(Http2Peer peer, String contract) throws Exception {
		Http2Headers request = GrpcBytes.request(Http2Peer.path("Greet"));
		if (contract != null) {
			request.add("rpc-contract", contract);
		}
		GrpcExchange call = peer.open(request, false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("ann")), true);
		return call.await();
	}

	@Test
	void eachOtherHash_isRefused_withThatOfServer() throws Exception {
		Http2Peer peer = connect();
		assertThat(greet(peer, null).status()).isZero();
		String told = greet(peer, new ContractHash(1, 2).toString()).field("rpc-contract");
		for (int i = 0; i < 300; i++) {
			GrpcExchange refused = greet(peer, new ContractHash(i, i).toString());
			assertThat(refused.status()).isEqualTo(FAILED_PRECONDITION);
			assertThat(refused.field("rpc-executed")).isEqualTo("false");
			assertThat(refused.field("rpc-contract")).isEqualTo(told);
		}
		assertThat(greet(peer, "x".repeat(3000)).status()).isEqualTo(FAILED_PRECONDITION);
		assertThat(greet(peer, "").status()).isEqualTo(FAILED_PRECONDITION);
		assertThat(greet(peer, new ContractHash(3, 4) + "," + told).status()).isZero();
	}

	@Test
	void contract_isTold_afterRefusal() throws Exception {
		Http2Peer peer = connect();
		String path = Http2Peer.path("rpc-contract");
		assertThat(peer.open(GrpcBytes.request(path), true).status()).isEqualTo(14);
		String told = greet(peer, "x").field("rpc-contract");
		byte[] reply = peer.open(GrpcBytes.request(path), true).result();
		Contract contract = Contract.parse(new String(reply, StandardCharsets.UTF_8));
		assertThat(contract.hash()).hasToString(told);
		assertThat(contract.format()).isEqualTo("protobuf/1");
	}

	/**
	 * Statuses: 7 PERMISSION_DENIED, 9 FAILED_PRECONDITION, 14 UNAVAILABLE, 16
	 * UNAUTHENTICATED.
	 */
	@ParameterizedTest
	@CsvSource({ "Greet, , 16", "Greet, ann, 9", "Later, ann, 7", "rpc-contract, , 16", "rpc-contract, ann, 14",
			"rpc-contract, eve, 7" })
	void contractOfServer_isTold_toCallersOfAMethod(String method, String caller, int status) throws Exception {
		start(builder().access(AccessOptions.defaults()
			.withClearTextCredentials(true)
			.withAuthenticator((credentials) -> CallerIdentity.of((Principal) credentials::value, Instant.MAX))
			.withAuthorizer(
					(identity, service, called) -> identity.getName().equals("ann") && called.equals("greet"))));
		Http2Headers request = GrpcBytes.request(Http2Peer.path(method)).add("rpc-contract", "x");
		if (caller != null) {
			request.set("authorization", "Bearer " + caller);
		}
		Http2Peer peer = connect();
		GrpcExchange call = peer.open(request, false);
		peer.data(call, GrpcBytes.message(new byte[0]), true);
		assertThat(call.status()).isEqualTo(status);
		assertThat(call.field("rpc-contract")).matches((told) -> (told != null) == (status == FAILED_PRECONDITION));
	}

	/** The server answers the question for its contract in its own way. */
	@ParameterizedTest
	@ValueSource(strings = { "garbage", "unimplemented", "empty", "unasked" })
	void serverThatRefusesEachContract_endsCall(String behaviour) throws Exception {
		AtomicInteger requests = new AtomicInteger();
		try (Http2Server server = new Http2Server(new Http2Settings(), (connection, type, flags, id, answers) -> {
			if (type != Http2Server.HEADERS) {
				return;
			}
			int number = requests.incrementAndGet();
			if (behaviour.equals("unasked") || number % 2 == 1) {
				String told = behaviour.equals("unasked") ? "not a hash" : new ContractHash(0, number).toString();
				answers.headers(id, true, ":status", "200", "content-type", "application/grpc", "grpc-status", "9",
						"rpc-executed", "false", "rpc-contract", told);
			}
			else if (behaviour.equals("unimplemented")) {
				answers.headers(id, true, ":status", "200", "content-type", "application/grpc", "grpc-status", "12");
			}
			else {
				answers.answer(id, behaviour.equals("empty") ? new byte[0] : new byte[] { 10, 3, 'a', 'b', 'c' });
			}
		}); RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).timeout(Duration.ofSeconds(20)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server.port()));
			long start = System.nanoTime();
			assertThatExceptionOfType(RpcException.class).isThrownBy(calls::nothing).satisfies((ex) -> {
				assertThat(ex.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
				assertThat(ex.mayHaveExecuted()).isFalse();
			});
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
			assertThat(requests).hasValueLessThan(50);
			assertThat(client.pendingCalls()).isZero();
		}
	}

}
