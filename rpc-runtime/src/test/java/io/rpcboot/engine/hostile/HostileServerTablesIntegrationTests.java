package io.rpcboot.engine.hostile;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.OlderCalls;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Servers whose tables and refusals are huge, or never end. Others are called beside. */
@Timeout(60)
class HostileServerTablesIntegrationTests {

	private static final int MIB = 1024 * 1024;

	private static final int MAX_FRAME = 2 * MIB;

	private static final int LIMIT = 16 * MIB;

	private final Accounts accounts = new Accounts();

	private final RpcServer honest = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();

	private final RpcClient client = RpcClient.builder()
		.timeout(Duration.ofSeconds(10))
		.backoff(Duration.ofMillis(1), Duration.ofMillis(1))
		.maxFrameSize(MAX_FRAME)
		.memory(MemoryOptions.defaults().withLimit(LIMIT))
		.metrics(this.accounts)
		.build();

	private final Calls other = this.client.reference(Calls.class, ReferenceStates.at(this.honest));

	private ServerSocket listener;

	private Calls calls;

	@BeforeEach
	void start() throws Exception {
		assertThat(this.other.greet("x")).isEqualTo("hello x");
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.listener.getLocalPort()));
	}

	@AfterEach
	void nothingIsLeft() throws Exception {
		assertThat(this.other.greet("y")).as("the honest server").isEqualTo("hello y");
		this.listener.close();
		this.client.close();
		this.accounts.awaitEmpty();
		this.honest.close();
	}

	private Peer accept() throws Exception {
		Socket socket = this.listener.accept();
		return new Peer(socket);
	}

	/** The client has taken it afterwards, so that there is a grant for what follows. */
	private static void table(Peer server, int number, String table) throws Exception {
		server.table(number, table.getBytes(StandardCharsets.UTF_8));
		for (int i = 0; i < 2; i++) {
			server.frame(FrameType.PING, 0, 0, 1, new byte[0]);
			server.read(FrameType.PONG);
		}
	}

	private static byte[] reply(ContractHash hash) {
		return new BindReply(hash, Map.of()).encode();
	}

	private void assertBounded() {
		assertThat(this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING)).isLessThan(LIMIT / 4);
	}

	/** Of a call that is made once the client knows that it cannot be made. */
	private RpcException failure() {
		Eventually.until("the client knows",
				() -> this.client.references()
					.stream()
					.flatMap((reference) -> reference.instances().stream())
					.anyMatch((instance) -> instance.state() == ReferenceInfo.State.INCOMPATIBLE));
		return catchThrowableOfType(RpcException.class, () -> this.calls.greet("x"));
	}

	@Test
	void contractTable_isRefused_whenItExceedsMemoryLimit() throws Exception {
		try (Peer server = accept()) {
			int number = server.read(FrameType.BIND).code();
			String table = "x".repeat(MIB);
			table(server, number, table);
			server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(ContractHash.of(table)));
			RpcException thrown = failure();
			assertThat(thrown.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(thrown).hasMessageContaining("the tables of all servers take more than")
				.hasMessageContaining("raise rpc.client.memory.limit");
			assertBounded();
		}
	}

	/** Its reply would be read as if the server had the client's contract. */
	@Test
	void reply_isNotRead_withoutItsContractTable() throws Exception {
		try (Peer server = accept()) {
			int number = server.read(FrameType.BIND).code();
			CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> this.calls.greet("x"));
			long id = server.read(FrameType.REQUEST).callId();
			String table = "x".repeat(MIB);
			table(server, number, table);
			server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(ContractHash.of(table)));
			server.frame(FrameType.RESPONSE, 0, 0, id, new byte[] { 10, 1, 'a' });
			assertThat(call).failsWithin(Duration.ofSeconds(10))
				.withThrowableOfType(ExecutionException.class)
				.withMessageContaining("the tables of all servers take more than");
		}
	}

	/** It can be read, and is another one each time; about 14,000 characters. */
	private static Contract table(int number) {
		return OlderCalls.contract(number, 500);
	}

	@Test
	void contractTables_stayWithinMemoryLimit_afterManyConnections() throws Exception {
		long most = 0;
		for (int i = 100; i < 160; i++) {
			Contract contract = table(i);
			try (Peer server = accept()) {
				Received bind = server.read(FrameType.BIND);
				table(server, bind.code(), contract.text());
				server.frame(FrameType.BIND_REPLY, 0, 0, bind.code(), reply(contract.hash()));
				server.frame(FrameType.PING, 0, 0, 1, new byte[0]);
				server.read(FrameType.PONG);
				most = Math.max(most, this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING));
				assertBounded();
			}
		}
		assertThat(most).as("each was entered").isGreaterThan(20 * table(100).text().length());
	}

	@Test
	void unconfirmedContractTable_isAccountedUntilConnectionEnds() throws Exception {
		long before;
		try (Peer server = accept()) {
			int number = server.read(FrameType.BIND).code();
			before = this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING);
			String text = table(1).text();
			server.table(number, text.getBytes(StandardCharsets.UTF_8));
			Eventually.until("it is entered: " + this.accounts,
					() -> this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING) >= before + 20L * text.length() - 1024);
		}
		Eventually.until("it has left: " + this.accounts,
				() -> this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING) <= before);
	}

	@Test
	void refusalMessage_isTruncated() throws Exception {
		byte[] why = "no".repeat(MAX_FRAME / 4).getBytes(StandardCharsets.UTF_8);
		try (Peer server = accept()) {
			int number = server.read(FrameType.BIND).code();
			server.frame(FrameType.BIND_REPLY, 0, RpcStatus.UNIMPLEMENTED.code(), number, why);
			assertThat(failure().getMessage()).contains("nono").hasSizeLessThan(5000);
			assertBounded();
		}
	}

	@Test
	void methodRefusalMessages_areTruncatedAndAccounted() throws Exception {
		try (Peer server = accept()) {
			Received bind = server.read(FrameType.BIND);
			ContractHash own = Bind.decode(bind.body()).contract();
			BindReply reply = new BindReply(own, Map.of(0, "a".repeat(60_000), 1, "b".repeat(60_000)));
			server.frame(FrameType.BIND_REPLY, 0, 0, bind.code(), reply.encode());
			Eventually.until("entered: " + this.accounts,
					() -> this.client.references()
						.stream()
						.flatMap((reference) -> reference.instances().stream())
						.anyMatch((instance) -> instance.problem().contains("aaaa")));
			assertBounded();
		}
	}

}
