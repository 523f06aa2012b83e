package io.rpcboot.engine.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.peer.OlderCalls;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ShutdownReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the server with clients whose contract it does not know. */
class ContractExchangeIntegrationTests {

	private static final int FIRST = 100;

	private static final ContractHash SERVER = new ProtostuffSerializer()
		.codec(io.rpcboot.ServiceDescriptor.of(Calls.class))
		.contract()
		.hash();

	private final CallsImpl implementation = new CallsImpl();

	private final LogRecorder log = new LogRecorder("rpc.server");

	private RpcServer server;

	@BeforeEach
	void start() {
		this.server = server(20_000);
	}

	private RpcServer server(int maxInFlightCalls) {
		return server(maxInFlightCalls, Dispatch.POOL);
	}

	private RpcServer server(int maxInFlightCalls, Dispatch dispatch) {
		return RpcServer.builder()
			.port(0)
			.dispatch(dispatch)
			.maxInFlightCalls(maxInFlightCalls)
			.service(Calls.class, this.implementation)
			.start();
	}

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.server.close();
		this.log.close();
		assertThat(this.server.inFlightCalls()).isZero();
	}

	@Test
	void contractTable_isRequestedOnceAndPrecedesReply() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			assertAsked(peer.next(), FIRST);
			peer.table(FIRST, Peer.OLDER_TABLE);
			Received table = peer.next();
			assertThat(table.type()).isEqualTo(FrameType.CONTRACT);
			assertThat(table.code()).isEqualTo(FIRST);
			assertThat(ContractHash.of(table.text())).isEqualTo(SERVER);
			assertAccepted(peer.next(), FIRST);
			peer.call(FIRST, "greet", 1, "x");
			assertThat(Peer.result("greet", peer.next())).isEqualTo("hello x");
			peer.bindOlder(200, SERVER);
			assertAccepted(peer.next(), 200);
		}
		try (Peer second = new Peer(this.server.port())) {
			second.bindOlder(FIRST, new ContractHash(1, 2), SERVER);
			assertAccepted(second.next(), FIRST);
			second.call(FIRST, "greet", 1, "y");
			assertThat(Peer.result("greet", second.next())).isEqualTo("hello y");
			second.bindOlder(200);
			assertThat(second.next().type()).as("not known to this client").isEqualTo(FrameType.CONTRACT);
			assertAccepted(second.next(), 200);
		}
		assertThat(this.log.messages()).as("once for a contract").singleElement().satisfies((line) -> {
			assertThat(line).startsWith("Methods refused: service io.rpcboot.engine.fixture.Calls");
			assertThat(line).contains("method subtract(int, int) is missing at the server");
		});
	}

	private static void assertAsked(Received frame, int first) {
		assertThat(frame.type()).isEqualTo(FrameType.CONTRACT);
		assertThat(frame.code()).isEqualTo(first);
		assertThat(frame.body()).isEmpty();
	}

	private static void assertAccepted(Received frame, int first) {
		assertThat(frame.type()).isEqualTo(FrameType.BIND_REPLY);
		assertThat(frame.callId()).isEqualTo(first);
		assertThat(frame.code()).isZero();
		BindReply reply = BindReply.decode(frame.body());
		assertThat(reply.contract()).isEqualTo(SERVER);
		Map<Integer, String> refused = reply.refused();
		assertThat(refused).containsOnlyKeys(OlderCalls.number("reverse"), OlderCalls.number("subtract"));
		assertThat(refused.get(OlderCalls.number("reverse")))
			.contains("argument 1 of reverse(java.util.List<java.lang.Integer>): java.");
	}

	@Test
	void equalContract_needsNoTable() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bind(FIRST, 15, SERVER);
			Received reply = peer.next();
			assertThat(reply.type()).isEqualTo(FrameType.BIND_REPLY);
			assertThat(BindReply.decode(reply.body())).isEqualTo(new BindReply(SERVER, Map.of()));
		}
	}

	@Test
	void calls_waitForContractTable_withoutBlockingOthers() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			assertAsked(peer.next(), FIRST);
			peer.call(FIRST, "greet", 1, "first");
			peer.call(FIRST, "subtract", 2, 5, 3);
			peer.frame(FrameType.ONE_WAY, 0, FIRST + OlderCalls.number("notice"), 3, Peer.arguments("notice", "word"));
			peer.frame(FrameType.ONE_WAY, 0, FIRST + OlderCalls.number("subtract"), 4,
					Peer.arguments("subtract", 5, 3));
			peer.call(FIRST, "greet", 5, "second");
			peer.call(300, "greet", 6, "never bound");
			Received unknown = peer.next();
			assertThat(unknown.callId()).isEqualTo(6);
			assertThat(RpcStatus.ofCode(unknown.code())).isEqualTo(RpcStatus.UNIMPLEMENTED);
			assertThat(this.server.inFlightCalls()).isEqualTo(5);
			assertThat(this.implementation.executed).hasValue(0);
			peer.table(FIRST, Peer.OLDER_TABLE);
			assertThat(peer.next().type()).isEqualTo(FrameType.CONTRACT);
			assertAccepted(peer.next(), FIRST);
			List<Received> answers = List.of(peer.next(), peer.next(), peer.next());
			assertThat(answers).extracting(Received::callId).containsExactlyInAnyOrder(1L, 2L, 5L);
			for (Received each : answers) {
				if (each.callId() == 2) {
					assertRefused(each);
				}
				else {
					assertThat(Peer.result("greet", each))
						.isEqualTo((each.callId() == 1) ? "hello first" : "hello second");
				}
			}
			assertThat(this.implementation.noticed.poll(10, TimeUnit.SECONDS)).isEqualTo("word");
			Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
			peer.call(FIRST, "subtract", 7, 5, 3);
			assertRefused(peer.next());
		}
	}

	private static void assertRefused(Received response) {
		assertThat(response.type()).isEqualTo(FrameType.RESPONSE);
		assertThat(RpcStatus.ofCode(response.code())).isEqualTo(RpcStatus.FAILED_PRECONDITION);
		assertThat(response.flags()).isEqualTo(FrameHeader.FLAG_NOT_EXECUTED);
		assertThat(Failure.decode(response.body()).message()).contains("different versions of the interface")
			.contains("method subtract(int, int) is missing at the server");
	}

	@Test
	void cancelledCall_neverExecutes_whenItWaitsForContract() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			assertAsked(peer.next(), FIRST);
			peer.call(FIRST, "greet", 1, "cancelled");
			peer.frame(FrameType.CANCEL, 0, 0, 1, new byte[0]);
			peer.frame(FrameType.CANCEL, 0, 0, 99, new byte[0]);
			peer.call(FIRST, "greet", 2, "kept");
			Eventually.until("one call is held", () -> this.server.inFlightCalls() == 1);
			peer.table(FIRST, Peer.OLDER_TABLE);
			Received answer = peer.read(FrameType.RESPONSE);
			assertThat(answer.callId()).isEqualTo(2);
			Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
			assertThat(this.implementation.executed).hasValue(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "POOL", "EVENT_LOOP" })
	void deadlineOfWaitingCall_countsFromArrival(Dispatch dispatch) throws Exception {
		this.server.close();
		this.server = server(20_000, dispatch);
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			assertAsked(peer.next(), FIRST);
			byte[] arguments = Peer.arguments("greet", "late");
			byte[] body = java.nio.ByteBuffer.allocate(4 + arguments.length).putInt(20).put(arguments).array();
			peer.frame(FrameType.REQUEST, FrameHeader.FLAG_DEADLINE, FIRST + OlderCalls.number("greet"), 1, body);
			peer.frame(FrameType.ONE_WAY, FrameHeader.FLAG_DEADLINE, FIRST + OlderCalls.number("greet"), 2, body);
			Eventually.until("both are held", () -> this.server.inFlightCalls() == 2);
			Eventually.passed(System.nanoTime() + Duration.ofMillis(40).toNanos());
			peer.table(FIRST, Peer.OLDER_TABLE);
			Received answer = peer.read(FrameType.RESPONSE);
			assertThat(RpcStatus.ofCode(answer.code())).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
			assertThat(answer.flags()).isEqualTo(FrameHeader.FLAG_NOT_EXECUTED);
			Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
			assertThat(this.implementation.executed).hasValue(0);
		}
	}

	@Test
	void callsWaitingForContract_end_whenConnectionEnds() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			peer.call(FIRST, "greet", 1, "x");
			peer.frame(FrameType.ONE_WAY, 0, FIRST + OlderCalls.number("notice"), 2, Peer.arguments("notice", "word"));
			Eventually.until("both are held", () -> this.server.inFlightCalls() == 2);
		}
		Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
		assertThat(this.implementation.executed).hasValue(0);
		assertThat(this.log.messages()).filteredOn((line) -> line.startsWith("One-way call dropped: "))
			.singleElement()
			.asString()
			.endsWith("its connection ended before its method was known");
	}

	@Test
	void callsWaitingForContract_countOnceAgainstLimit() throws Exception {
		this.server.close();
		this.server = server(1);
		try (Peer peer = new Peer(this.server.port()); Peer other = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			assertAsked(peer.next(), FIRST);
			peer.call(FIRST, "greet", 1, "x");
			Eventually.until("it is held", () -> this.server.inFlightCalls() == 1);
			other.bindOlder(FIRST);
			assertAsked(other.next(), FIRST);
			other.call(FIRST, "greet", 2, "y");
			Received refused = other.next();
			assertThat(refused.callId()).isEqualTo(2);
			assertThat(RpcStatus.ofCode(refused.code())).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
			peer.table(FIRST, Peer.OLDER_TABLE);
			Received answer = peer.read(FrameType.RESPONSE);
			assertThat(answer.callId()).isEqualTo(1);
			assertThat(Peer.result("greet", answer)).isEqualTo("hello x");
		}
	}

	@Test
	void callsWaitingForContract_areDrained_duringShutdown() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			assertAsked(peer.next(), FIRST);
			peer.call(FIRST, "greet", 1, "x");
			peer.call(FIRST, "subtract", 2, 5, 3);
			Eventually.until("both are held", () -> this.server.inFlightCalls() == 2);
			CompletableFuture<ShutdownReport> report = CompletableFuture
				.supplyAsync(() -> this.server.shutdown(Duration.ofSeconds(20)));
			Received goAway = peer.next();
			assertThat(goAway.type()).isEqualTo(FrameType.GO_AWAY);
			assertThat(goAway.callId()).as("held calls are served").isEqualTo(2);
			peer.table(FIRST, Peer.OLDER_TABLE);
			List<Received> answers = List.of(peer.read(FrameType.RESPONSE), peer.read(FrameType.RESPONSE));
			assertThat(answers).extracting(Received::callId).containsExactlyInAnyOrder(1L, 2L);
			assertThat(peer.in.read()).as("half-closed").isEqualTo(-1);
			peer.socket.close();
			assertThat(report.get(10, TimeUnit.SECONDS).drainedCalls()).isEqualTo(2);
			assertThat(report.get().cutCalls()).isZero();
		}
	}

	@Test
	void callsWaitingForContract_areCut_afterGracePeriod() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.bindOlder(FIRST);
			peer.call(FIRST, "greet", 1, "x");
			Eventually.until("it is held", () -> this.server.inFlightCalls() == 1);
			assertThat(this.server.shutdown(Duration.ofMillis(50)).cutCalls()).isEqualTo(1);
			Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
		}
	}

}
