package io.rpcboot.engine.memory;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Peers that ask for memory in the wrong way, do not use what they were given, or take
 * nothing of what is theirs. Their connection ends and all of it is free again; nobody
 * else notices.
 */
@Timeout(60)
class MemoryPeersIntegrationTests {

	private static final int KIB = 1024;

	private static final int MAX_FRAME = 1024 * KIB;

	private static final long FIRST_GRANT = 64 * KIB;

	private final Accounts accounts = new Accounts();

	private final CallsImpl implementation = new CallsImpl();

	private LeakWatch leaks;

	private RpcServer server;

	private LogRecorder log;

	@BeforeEach
	void start() {
		this.leaks = new LeakWatch();
		this.log = new LogRecorder("rpc.server");
		this.server = start(1024 * KIB);
	}

	private RpcServer start(long leastRate) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxFrameSize(MAX_FRAME)
			.memory(MemoryOptions.defaults().withLimit(8 * MAX_FRAME).withLeastRate(leastRate))
			.metrics(this.accounts)
			.service(Calls.class, this.implementation)
			.start();
	}

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		Eventually.until("no connection is left", () -> this.server.connections().isEmpty());
		this.accounts.awaitEmpty();
		Eventually.until("none is in flight", () -> this.server.inFlightCalls() == 0);
		this.server.close();
		this.log.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	/** It ended for this reason, and only this was logged. */
	private void assertEnded(Peer peer, String reason) throws IOException {
		Garbage.awaitClose(peer.socket);
		Eventually.until("the reason is logged", () -> !this.log.messages().isEmpty());
		assertThat(this.log.messages()).hasSize(1).first().asString().endsWith(reason);
		this.accounts.awaitEmpty();
	}

	private static void need(Peer peer, long size) throws IOException {
		peer.frame(FrameType.NEED, 0, 0, size, new byte[0]);
	}

	private static void giveBack(Peer peer, long bytes) throws IOException {
		peer.frame(FrameType.YIELD, 0, 0, bytes, new byte[0]);
	}

	private static long total(Received window) {
		return ByteBuffer.wrap(window.body()).getLong();
	}

	/** Wait until so much is granted. */
	private static long awaitGrant(Peer peer, long least) throws IOException {
		long total = total(peer.read(FrameType.WINDOW));
		while (total < least) {
			total = total(peer.read(FrameType.WINDOW));
		}
		return total;
	}

	/** Wait until what was asked for is granted. */
	private static long awaitAnswer(Peer peer) throws IOException {
		Received window = peer.read(FrameType.WINDOW);
		while (window.flags() != FrameHeader.FLAG_ANSWERS_NEED) {
			window = peer.read(FrameType.WINDOW);
		}
		return total(window);
	}

	/** The header of a body, and what is to come of it at first. */
	private static void beginBody(Peer peer, int length, int sent) throws IOException {
		peer.send((out) -> {
			FrameHeader.write(out, length, FrameType.REQUEST, 0, 0, 1);
			out.writeZero(sent);
		});
	}

	@Test
	void needBeforeBind_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			need(peer, 100);
			assertEnded(peer, "NEED before a service is bound");
		}
	}

	@Test
	void needBeforeHello_endsConnection() throws Exception {
		try (Socket socket = new Garbage(this.server.port(), 0).connect()) {
			ByteBuf out = Garbage.frames((bytes) -> FrameHeader.write(bytes, 0, FrameType.NEED, 0, 0, 100));
			socket.getOutputStream().write(out.array(), 0, out.readableBytes());
			Garbage.awaitClose(socket);
		}
		Eventually.until("the reason is logged", () -> !this.log.messages().isEmpty());
		assertThat(this.log.messages()).hasSize(1).first().asString().endsWith("frame type 15 before HELLO");
	}

	@Test
	void needBeyondMaxFrameSize_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			need(peer, MAX_FRAME + 1);
			assertEnded(peer,
					"NEED: %d (expected: 1 to max-frame-size, which is %d)".formatted(MAX_FRAME + 1, MAX_FRAME));
		}
	}

	@Test
	void negativeNeed_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			need(peer, Long.MIN_VALUE);
			Garbage.awaitClose(peer.socket);
		}
		Eventually.until("the reason is logged", () -> !this.log.messages().isEmpty());
		assertThat(this.log.messages().get(0)).contains("NEED: -9223372036854775808 (expected: 1 to ");
	}

	@Test
	void needOfMaxFrameSize_isGranted() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			need(peer, MAX_FRAME);
			long granted = awaitAnswer(peer);
			assertThat(this.accounts.of(Gauge.SERVER_MEMORY_INCOMING)).isEqualTo(granted - 4 * KIB);
			giveBack(peer, granted);
			Eventually.until("all is free: " + this.accounts,
					() -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) == 0);
		}
	}

	@Test
	void yieldBeyondGrant_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			long granted = awaitGrant(peer, FIRST_GRANT);
			giveBack(peer, granted + 1);
			assertEnded(peer,
					"YIELD: %d (expected: at most the %d granted and not sent)".formatted(granted + 1, granted));
		}
	}

	/** It does not even need to come: its header is enough. */
	@Test
	void bodyBeyondGrant_isRefusedAtItsHeader() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			awaitGrant(peer, FIRST_GRANT);
			beginBody(peer, (int) FIRST_GRANT + 1, 0);
			Received refused = peer.read(FrameType.RESPONSE);
			assertThat(RpcStatus.ofCode(refused.code())).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
			assertThat(refused.flags()).isEqualTo(FrameHeader.FLAG_NOT_EXECUTED);
			assertThat(refused.text()).contains("more was sent than the server's grant allows");
			Garbage.awaitClose(peer.socket);
		}
	}

	@Test
	void body_isRefused_afterItsGrantIsYielded() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			long granted = awaitGrant(peer, FIRST_GRANT);
			giveBack(peer, granted);
			beginBody(peer, 10_000, 0);
			assertThat(peer.read(FrameType.RESPONSE).text()).contains("more was sent than the server's grant allows");
			Garbage.awaitClose(peer.socket);
		}
	}

	/** Together they ask for more than may come in; one of them is looked at first. */
	@Test
	void missingRequestedBody_endsConnection_whileOthersWait() throws Exception {
		try (Peer first = new Peer(this.server.port());
				Peer second = new Peer(this.server.port());
				Peer third = new Peer(this.server.port());
				Peer fourth = new Peer(this.server.port())) {
			for (Peer peer : List.of(first, second, third, fourth)) {
				RawCalls.bind(peer);
				need(peer, MAX_FRAME);
			}
			Eventually.until("the reason is logged", () -> !this.log.messages().isEmpty());
			assertThat(this.log.messages()).allSatisfy(
					(message) -> assertThat(message).endsWith("memory.least-rate: a requested body does not arrive"));
		}
	}

	@Test
	void slowBody_endsConnection_whileOthersWait() throws Exception {
		this.server.close();
		this.server = start(100_000 * KIB);
		try (Peer first = new Peer(this.server.port());
				Peer second = new Peer(this.server.port());
				Peer third = new Peer(this.server.port());
				Peer fourth = new Peer(this.server.port())) {
			RawCalls.bind(first);
			need(first, MAX_FRAME);
			awaitAnswer(first);
			beginBody(first, MAX_FRAME, MAX_FRAME / 2);
			for (Peer peer : List.of(second, third, fourth)) {
				RawCalls.bind(peer);
				need(peer, MAX_FRAME);
			}
			Garbage.awaitClose(first.socket);
			Eventually.until("the reason is logged", () -> !this.log.messages().isEmpty());
			assertThat(this.log.messages().get(0)).endsWith(
					"memory.least-rate: a body arrives with less than %d bytes per second".formatted(100_000 * KIB));
		}
	}

	@Test
	void memory_isFreed_whenConnectionIsResetWithinBody() throws Exception {
		for (int i = 0; i < 5; i++) {
			try (Peer peer = new Peer(this.server.port())) {
				RawCalls.bind(peer);
				need(peer, MAX_FRAME);
				awaitAnswer(peer);
				beginBody(peer, MAX_FRAME, MAX_FRAME / 2);
				peer.socket.setSoLinger(true, 0);
			}
		}
		this.accounts.awaitEmpty();
	}

	/** Together they need more than may come in. */
	@Test
	void memory_isFreed_whenConnectionEndsWithPendingNeed() throws Exception {
		try (Peer first = new Peer(this.server.port());
				Peer second = new Peer(this.server.port());
				Peer third = new Peer(this.server.port())) {
			for (Peer peer : List.of(first, second, third)) {
				RawCalls.bind(peer);
			}
			for (Peer peer : List.of(first, second)) {
				need(peer, MAX_FRAME);
				awaitAnswer(peer);
			}
			need(third, MAX_FRAME);
		}
		this.accounts.awaitEmpty();
	}

	/** Results that wait are dropped when their time is over, and counted. */
	@Test
	void expiredResults_areDroppedAndCounted() throws Exception {
		try (Peer peer = new Peer(this.server.port(), 0)) {
			RawCalls.bind(peer);
			RawCalls.call(peer, "grow", 1, 300, 500 * KIB);
			RawCalls.call(peer, "grow", 2, 300, 10 * KIB);
			RawCalls.call(peer, "greet", 3, 300, "x");
			Eventually.until("the results wait", () -> this.server.connections().get(0).held() > 0);
			Eventually.until("three are dropped: " + this.accounts, () -> this.accounts.of(Gauge.DROPPED_RESULTS) == 3);
			this.accounts.awaitNothingOutgoing();
			Eventually.until("none is in flight", () -> this.server.inFlightCalls() == 0);
			assertThat(this.server.connections()).as("it may stay").hasSize(1);
		}
	}

	@Test
	void waitingResult_isFreed_whenItsCallIsCancelled() throws Exception {
		try (Peer peer = new Peer(this.server.port(), 0)) {
			RawCalls.bind(peer);
			RawCalls.call(peer, "grow", 1, 60_000, 500 * KIB);
			Eventually.until("the result waits", () -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) >= 500 * KIB);
			peer.frame(FrameType.CANCEL, 0, 0, 1, new byte[0]);
			this.accounts.awaitNothingOutgoing();
			assertThat(this.accounts.of(Gauge.DROPPED_RESULTS)).as("a cancel is no drop").isZero();
		}
	}

	/** The peer lets megabytes wait; the others need the memory. */
	@Test
	void nonReadingPeer_isDisconnected_whenMemoryIsShort() throws Exception {
		try (Peer peer = new Peer(this.server.port(), 0);
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			assertThat(calls.grow(900 * KIB)).hasSize(900 * KIB);
			RawCalls.bind(peer);
			for (int i = 1; i <= 8; i++) {
				RawCalls.call(peer, "grow", i, 60_000, 900 * KIB);
			}
			Eventually.until("its results wait: " + this.accounts,
					() -> this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) > MAX_FRAME);
			List<CompletableFuture<byte[]>> others = IntStream.range(0, 8)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> calls.grow(900 * KIB)))
				.toList();
			for (CompletableFuture<byte[]> other : others) {
				assertThat(other.get(20, TimeUnit.SECONDS)).hasSize(900 * KIB);
			}
			Garbage.awaitClose(peer.socket);
			assertThat(this.log.messages()).hasSize(1)
				.first()
				.asString()
				.contains("memory.limit: memory is short, and its client takes none of the ");
			assertThat(client.connections()).as("the client's connection").hasSize(1);
		}
	}

}
