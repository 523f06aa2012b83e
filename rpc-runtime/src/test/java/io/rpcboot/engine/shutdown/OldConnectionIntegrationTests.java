package io.rpcboot.engine.shutdown;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the client when its server asks for a replacement of a connection. */
@Timeout(60)
class OldConnectionIntegrationTests {

	/** One that is younger is replaced after a pause. */
	private static final long OLD_ENOUGH_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

	private ServerSocket listener;

	private RpcClient client;

	private Calls calls;

	private Peer old;

	@BeforeEach
	void connect() throws Exception {
		this.listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		this.client = RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.waitForInstance(Duration.ZERO)
			.backoff(Duration.ofMillis(20), Duration.ofMillis(20))
			.build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.listener.getLocalPort()));
		this.old = new Peer(this.listener.accept());
		Eventually.until("it is ready", () -> ReferenceStates.ready(this.client) == 1);
		Eventually.passed(System.nanoTime() + OLD_ENOUGH_NANOS);
	}

	@AfterEach
	void close() throws IOException {
		this.client.close();
		this.old.close();
		this.listener.close();
	}

	private static void goAway(Peer peer, long last) throws IOException {
		peer.frame(FrameType.GO_AWAY, 0, 0, last, "old".getBytes(StandardCharsets.UTF_8));
	}

	/** Have the client know it: what it sends next was decided after that. */
	private static void awaitRead(Peer peer) throws IOException {
		peer.frame(FrameType.PING, 0, 0, 77, new byte[0]);
		peer.read(FrameType.PONG);
	}

	private void callAt(Peer peer) throws Exception {
		CompletableFuture<String> call = this.calls.later("Doug");
		Received request = peer.read(FrameType.REQUEST);
		RawCalls.answer(peer, request, "hello");
		assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("hello");
	}

	private static void assertClosed(Peer peer) {
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> peer.read(FrameType.REQUEST));
	}

	private void assertNoMoreConnections() throws IOException {
		this.listener.setSoTimeout(200);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> this.listener.accept().close());
	}

	@Test
	void oldConnection_takesCalls_untilReplacementIsReady() throws Exception {
		CompletableFuture<String> underWay = this.calls.later("Doug");
		Received request = this.old.read(FrameType.REQUEST);
		goAway(this.old, Long.MAX_VALUE);
		try (Socket socket = this.listener.accept()) {
			callAt(this.old);
			try (Peer other = new Peer(socket)) {
				Eventually.until("it is replaced",
						() -> ReferenceStates.instances(this.client).get(0).pendingCalls() == 0);
				callAt(other);
				assertThat(ReferenceStates.instances(this.client).get(0).state()).isEqualTo(State.READY);
				RawCalls.answer(this.old, request, "at last");
				assertThat(underWay.get(10, TimeUnit.SECONDS)).isEqualTo("at last");
				assertClosed(this.old);
				assertNoMoreConnections();
			}
		}
	}

	@Test
	void lostOldConnection_hasNoSecondReplacement() throws Exception {
		goAway(this.old, Long.MAX_VALUE);
		try (Socket socket = this.listener.accept()) {
			this.old.close();
			Eventually.until("it is lost", () -> ReferenceStates.ready(this.client) == 0);
			try (Peer other = new Peer(socket)) {
				Eventually.until("it is replaced", () -> ReferenceStates.ready(this.client) == 1);
				callAt(other);
				assertNoMoreConnections();
			}
		}
	}

	@Test
	void oldConnection_takesCalls_whenReplacementFails() throws Exception {
		this.listener.close();
		goAway(this.old, Long.MAX_VALUE);
		Eventually.until("it was tried",
				() -> ReferenceStates.instances(this.client).get(0).problem().contains("cannot connect"));
		assertThat(ReferenceStates.ready(this.client)).isOne();
		callAt(this.old);
		goAway(this.old, 1);
		assertClosed(this.old);
		Eventually.until("there is none", () -> ReferenceStates.ready(this.client) == 0);
	}

	/** For a server may drop those that it has not begun when their connection ends. */
	@Test
	void oldConnection_stays_untilServerReadsOneWayCalls() throws Exception {
		this.calls.notice("word");
		assertThat(this.old.read(FrameType.ONE_WAY).callId()).isOne();
		goAway(this.old, Long.MAX_VALUE);
		try (Peer other = new Peer(this.listener.accept())) {
			awaitRead(other);
			callAt(other);
			awaitRead(this.old);
			goAway(this.old, 1);
			assertClosed(this.old);
		}
	}

	/** Else a server could have its clients connect in a circle. */
	@Test
	void newConnection_isReplaced_afterPause() throws Exception {
		goAway(this.old, Long.MAX_VALUE);
		try (Peer second = new Peer(this.listener.accept())) {
			goAway(second, Long.MAX_VALUE);
			awaitRead(second);
			callAt(second);
			try (Peer third = new Peer(this.listener.accept())) {
				assertClosed(second);
				callAt(third);
			}
		}
	}

}
