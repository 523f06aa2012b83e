package io.rpcboot.engine.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.OlderCalls;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** Clients that send tables which no client of ours would send. */
class HostileTableIntegrationTests {

	private static final ContractHash UNKNOWN = new ContractHash(1, 2);

	/** Memory of a connection whose client has sent nothing. */
	private static final long WINDOW = 64 * 1024;

	private final LogRecorder log = new LogRecorder("rpc.server");

	private RpcServer server;

	private RpcClient client;

	private Calls calls;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder()
			.port(0)
			.handshakeTimeout(Duration.ofMillis(1500))
			.service(Calls.class, new CallsImpl())
			.start();
		this.client = RpcClient.builder().timeout(Duration.ofSeconds(10)).build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.server));
		assertThat(this.calls.greet("x")).isEqualTo("hello x");
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
		this.log.close();
		assertThat(this.server.inFlightCalls()).isZero();
	}

	/** It ended for this reason, and nobody else notices. */
	private void assertEnded(Peer peer, String reason) throws IOException {
		Garbage.awaitClose(peer.socket);
		Eventually.until("logged: " + reason,
				() -> this.log.messages().stream().anyMatch((line) -> line.contains(reason)));
		Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
		Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
		assertThat(this.calls.greet("y")).isEqualTo("hello y");
	}

	@Test
	void unrequestedTable_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.table(7, Peer.OLDER_TABLE);
			assertEnded(peer, "a CONTRACT that was not requested");
		}
	}

	@Test
	void repeatedTable_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(7);
			peer.table(7, Peer.OLDER_TABLE);
			peer.table(7, Peer.OLDER_TABLE);
			assertEnded(peer, "a CONTRACT that was not requested");
		}
	}

	@Test
	void oversizedTable_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(7, 1, UNKNOWN);
			peer.table(7, new byte[Contract.MAX_LENGTH + 1]);
			assertEnded(peer, "CONTRACT: more than 1048576 bytes");
		}
	}

	@Test
	void tableBeyondMaxFrameSize_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.send((out) -> Garbage.header(out, 8 * 1024 * 1024 + 1, FrameType.CONTRACT, 0));
			assertEnded(peer, "frame length: 8388609 (expected: 0 to 8388608, which is max-frame-size)");
		}
	}

	@Test
	void tableWithWrongHash_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(7, 5, UNKNOWN);
			peer.call(7, "greet", 1, "held");
			peer.table(7, Peer.OLDER_TABLE);
			assertEnded(peer, "the hash of the table is not that of the BIND");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "protostuff/1\nmethod\n", "protostuff/1\nbean a.B\n  1 x\n", "\n\n\n",
			"protostuff/1\nmethod greet(java.lang.String) java.lang.String", "\u0000\uffff" })
	void malformedTable_endsConnection(String text) throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(7, 1, ContractHash.of(text));
			peer.call(7, "greet", 1, "held");
			peer.table(7, text.getBytes(StandardCharsets.UTF_8));
			assertEnded(peer, "contract: ");
		}
	}

	@Test
	void bindWithWrongMethodCount_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(7, 4, OlderCalls.codec().contract().hash());
			peer.table(7, Peer.OLDER_TABLE);
			assertEnded(peer, "another number of methods than in the table");
		}
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(7);
			peer.table(7, Peer.OLDER_TABLE);
			peer.read(FrameType.BIND_REPLY);
			peer.bind(70, 4, OlderCalls.codec().contract().hash());
			assertEnded(peer, "another number of methods than in the table");
		}
	}

	@Test
	void missingTable_endsConnection_afterHandshakeTimeout() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(7, 5, UNKNOWN);
			peer.call(7, "greet", 1, "held");
			assertEnded(peer, "no answer to CONTRACT within rpc.server.handshake-timeout, which is PT1.5S");
		}
	}

	@Test
	void repeatedBind_endsConnection_whileFirstBindIsPending() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(7);
			peer.bindOlder(7);
			assertEnded(peer, "a first number that is being bound");
		}
	}

	@Test
	void concurrentTableRequests_areLimited() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			for (int i = 0; i < 40; i++) {
				peer.bindOlder(10 * i);
			}
			for (int i = 0; i < 16; i++) {
				Received asked = peer.next();
				assertThat(asked.type()).isEqualTo(FrameType.CONTRACT);
				assertThat(asked.code()).isEqualTo(10 * i);
			}
			peer.frame(FrameType.PING, 0, 0, 1, new byte[0]);
			assertThat(peer.next().type()).as("no more").isEqualTo(FrameType.PONG);
			for (int i = 0; i < 16; i++) {
				peer.table(10 * i, Peer.OLDER_TABLE);
			}
			List<Integer> bound = new ArrayList<>();
			while (bound.size() < 40) {
				Received frame = peer.next();
				if (frame.type() == FrameType.BIND_REPLY) {
					assertThat(BindReply.decode(frame.body()).refused()).hasSize(2);
					bound.add((int) frame.callId());
				}
				else {
					assertThat(frame.body()).as("asked for once, and known then").isNotEmpty();
				}
			}
			assertThat(bound).doesNotHaveDuplicates();
		}
	}

	/** The time stands still while the table itself waits for memory of the server. */
	@Test
	void tableThatWaitsForMemory_isAnswered_afterHandshakeTimeout() throws Exception {
		Duration timeout = Duration.ofSeconds(2);
		try (RpcServer small = RpcServer.builder()
			.port(0)
			.handshakeTimeout(timeout)
			.maxFrameSize(1 << 20)
			.memory(MemoryOptions.defaults().withLimit(4 << 20).withLeastRate(0))
			.service(Calls.class, new CallsImpl())
			.start(); Peer holder = new Peer(small.port()); Peer peer = new Peer(small.port())) {
			holder.bindOlder(7);
			holder.table(7, Peer.OLDER_TABLE);
			holder.read(FrameType.BIND_REPLY);
			holder.send((out) -> FrameHeader.write(out, 0, FrameType.NEED, 0, 0, 1 << 20));
			Contract contract = OlderCalls.contract(1, 14_000);
			peer.bind(7, contract.methods().size(), contract.hash());
			assertThat(peer.next().type()).isEqualTo(FrameType.CONTRACT);
			CompletableFuture<Void> table = CompletableFuture.runAsync(() -> sendTable(peer, contract));
			long since = System.nanoTime();
			Eventually.until("the timeout has passed",
					() -> System.nanoTime() - since > 1.5 * timeout.toNanos() || table.isDone());
			assertThat(table).as("it waits for memory").isNotDone();
			holder.socket.close();
			table.get(10, TimeUnit.SECONDS);
			assertThat(peer.read(FrameType.BIND_REPLY).text()).contains("the tables of this connection take more than");
		}
	}

	private static void sendTable(Peer peer, Contract contract) {
		try {
			peer.table(7, contract.text().getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A table of nearly the largest length. */
	private static Contract large(int number) {
		return OlderCalls.contract(number, 25_000);
	}

	/** What connections use is theirs together, and is given back when they end. */
	@Test
	void tablesOfAllConnections_areBounded() throws Exception {
		List<Peer> peers = new ArrayList<>();
		try {
			int number = 100;
			Received reply = bind(peers, number);
			while (reply.code() == 0 && peers.size() < 30) {
				reply = bind(peers, ++number);
			}
			assertThat(peers).hasSizeBetween(2, 24);
			assertThat(reply.text()).contains("the tables of all connections of 127.0.0.1 take more than");
			for (Peer each : peers) {
				each.close();
			}
			peers.clear();
			Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
			assertThat(bind(peers, ++number).code()).isZero();
		}
		finally {
			for (Peer each : peers) {
				each.close();
			}
		}
	}

	/** Nothing of a table that fits no method is kept. */
	@Test
	void refusedTable_holdsNoMemory() throws Exception {
		String refused = "protostuff/1\nmethod unknown() void\n" + "bean x.Y\n  1 a int\n"
				+ IntStream.range(0, 2000).mapToObj("bean x.Z%d\n  1 a int\n"::formatted).sorted().collect(joining());
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(7, 1, ContractHash.of(refused));
			assertThat(peer.next().type()).isEqualTo(FrameType.CONTRACT);
			peer.table(7, refused.getBytes(StandardCharsets.UTF_8));
			Received reply = peer.read(FrameType.BIND_REPLY);
			assertThat(RpcStatus.ofCode(reply.code())).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(reply.text()).contains("unknown()");
			assertThat(memory(peer)).as("its window alone").isLessThanOrEqualTo(WINDOW);
		}
	}

	private long memory(Peer peer) {
		return this.server.connections()
			.stream()
			.filter((each) -> each.remote().endsWith(":" + peer.socket.getLocalPort()))
			.findFirst()
			.orElseThrow()
			.memoryBytes();
	}

	/** Methods that a client binds take nothing of the memory of others. */
	@Test
	void methodsThatAreNotBound_holdNoMemory() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			for (int i = 0; i < 40; i++) {
				Bind bind = new Bind(65_535, UNKNOWN, List.of(), "no.such.Service", "protostuff");
				peer.frame(FrameType.BIND, 0, i, 0, bind.encode());
				peer.read(FrameType.BIND_REPLY);
			}
			assertThat(memory(peer)).isBetween(WINDOW, WINDOW + 40 * 1024L);
		}
	}

	/** The first services are no reason for memory outside of the account. */
	@Test
	void boundMethods_areInAccount_beyondPartOfEach() throws Exception {
		Contract contract = OlderCalls.codec().contract();
		long ofOne = 1024 + 32L * contract.methods().size();
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(0);
			peer.table(0, Peer.OLDER_TABLE);
			peer.read(FrameType.BIND_REPLY);
			long before = memory(peer);
			for (int i = 1; i < 40; i++) {
				peer.bindOlder(10 * i, contract.hash());
				peer.read(FrameType.BIND_REPLY);
			}
			assertThat(memory(peer)).isEqualTo(before + 40 * ofOne - 16 * 1024);
		}
	}

	@Test
	void contractInUse_isShownWithMemoryOfItsConnection() throws Exception {
		List<Peer> peers = new ArrayList<>();
		assertThat(bind(peers, 4711).code()).isZero();
		try (Peer peer = peers.get(0)) {
			assertThat(this.server.connections())
				.anyMatch((each) -> each.remote().endsWith(":" + peer.socket.getLocalPort())
						&& each.memoryBytes() > 20L * 700_000);
		}
	}

	private Received bind(List<Peer> peers, int number) throws IOException {
		Peer peer = new Peer(this.server.port());
		peers.add(peer);
		Contract contract = large(number);
		peer.bind(7, contract.methods().size(), contract.hash());
		assertThat(peer.next().type()).isEqualTo(FrameType.CONTRACT);
		peer.table(7, contract.text().getBytes(StandardCharsets.UTF_8));
		return peer.read(FrameType.BIND_REPLY);
	}

	@Test
	void tablesOfOneConnection_areBounded() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			int accepted = 0;
			for (int i = 0; i < 8; i++) {
				Contract contract = large(i);
				assertThat(contract.text().length()).isBetween(700_000, Contract.MAX_LENGTH);
				peer.bind(10 * i, contract.methods().size(), contract.hash());
				assertThat(peer.next().type()).isEqualTo(FrameType.CONTRACT);
				peer.table(10 * i, contract.text().getBytes(StandardCharsets.UTF_8));
				Received reply = peer.read(FrameType.BIND_REPLY);
				if (reply.code() == 0) {
					accepted++;
				}
				else {
					assertThat(RpcStatus.ofCode(reply.code())).isEqualTo(RpcStatus.FAILED_PRECONDITION);
					assertThat(reply.text()).contains("the tables of this connection take more than 4194304 bytes");
				}
			}
			assertThat(accepted).isBetween(4, 6);
			peer.bindOlder(200);
			peer.call(200, "greet", 1, "held");
			assertThat(peer.next().type()).isEqualTo(FrameType.CONTRACT);
			peer.table(200, new byte[0]);
			Received refused = peer.next();
			assertThat(RpcStatus.ofCode(refused.code())).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(refused.text())
				.contains("the client's table is too large to be sent (expected: at most 1048576");
			assertThat(peer.read(FrameType.RESPONSE).code()).isEqualTo(RpcStatus.FAILED_PRECONDITION.code());
		}
	}

}
