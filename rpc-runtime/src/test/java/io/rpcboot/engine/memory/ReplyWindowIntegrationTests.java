package io.rpcboot.engine.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A client that does not take its replies holds its server back, and nothing is lost. */
@Timeout(60)
class ReplyWindowIntegrationTests {

	private static final int SIZE = 30_000;

	private static final int CALLS = 50;

	private static final int MEMORY = 2_150_000;

	@Test
	void replies_waitAtServer_whileCallbacksAreBlocked() throws Exception {
		try (RpcServer server = server().start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(50))
					.callbackThreads(1)
					.memory(MemoryOptions.defaults().withLimit(MEMORY))
					.maxFrameSize(MEMORY / 3)
					.maxPendingCalls(2 * CALLS)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			CountDownLatch blocked = new CountDownLatch(1);
			CountDownLatch gate = new CountDownLatch(1);
			CompletableFuture<Void> first = calls.echoLater(new byte[SIZE]).thenAccept((reply) -> {
				blocked.countDown();
				awaitQuietly(gate);
			});
			assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
			List<CompletableFuture<byte[]>> others = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				others.add(calls.echoLater(new byte[SIZE]));
			}
			Eventually.until("replies wait at the server", () -> server.inFlightCalls() >= CALLS / 3);
			assertThat(client.pendingCalls()).isGreaterThanOrEqualTo(CALLS);
			gate.countDown();
			first.get(20, TimeUnit.SECONDS);
			for (CompletableFuture<byte[]> other : others) {
				assertThat(other.get(20, TimeUnit.SECONDS)).hasSize(SIZE);
			}
			Eventually.until("nothing is under way", () -> client.pendingCalls() == 0 && server.inFlightCalls() == 0);
		}
	}

	@ParameterizedTest
	@EnumSource
	void replyWindow_isReplenished_afterEachKindOfReply(CallbackThread callbacks) throws Exception {
		try (RpcServer server = server().start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(20))
					.callbacks(callbacks)
					.memory(MemoryOptions.defaults().withLimit(MEMORY))
					.maxFrameSize(MEMORY / 3)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			for (int i = 0; i < 20; i++) {
				assertThat(calls.echo(new byte[700])).hasSize(700);
				assertThat(calls.echoLater(new byte[3000]).get(20, TimeUnit.SECONDS)).hasSize(3000);
				assertThat(calls.refuseLater("no")).failsWithin(Duration.ofSeconds(20));
				calls.echoLater(new byte[700]).cancel(true);
			}
			assertThat(calls.echo(new byte[5000])).hasSize(5000);
		}
	}

	/** A server whose replies are not taken does not keep their calls for ever. */
	@Test
	void connectionWithoutReplyGrant_isClosed_afterIdleTimeout() throws Exception {
		try (RpcServer server = server().idleTimeout(Duration.ofSeconds(3)).start();
				Peer peer = new Peer(server.port(), 0)) {
			RawCalls.bind(peer);
			RawCalls.call(peer, "greet", 1, 60_000, "x");
			Eventually.until("its reply waits", () -> server.inFlightCalls() == 1);
			Eventually.until("it is sent away", () -> server.connections().isEmpty());
			Eventually.until("nothing is kept", () -> server.inFlightCalls() == 0);
		}
	}

	@Test
	void cancelledCall_ends_whileItsReplyWaits() throws Exception {
		try (RpcServer server = server().start(); Peer peer = new Peer(server.port(), 0)) {
			RawCalls.bind(peer);
			RawCalls.call(peer, "greet", 1, 60_000, "x");
			RawCalls.call(peer, "greet", 2, 60_000, "y");
			Eventually.until("both replies wait behind that to BIND", () -> server.connections().get(0).held() == 3);
			peer.frame(FrameType.CANCEL, 0, 0, 2, new byte[0]);
			Eventually.until("the second has left", () -> server.inFlightCalls() == 1);
			peer.frame(FrameType.WINDOW, 0, 0, 0, new byte[] { 0, 0, 0, 0, 0, 0, 1, 0 });
			assertThat(peer.read(FrameType.RESPONSE).callId()).isEqualTo(1);
			Eventually.until("nothing is kept", () -> server.inFlightCalls() == 0);
		}
	}

	@Test
	void chainedCalls_succeed_whenOnePendingCallIsAllowed() throws Exception {
		try (RpcServer server = server().start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(20))
					.callbacks(CallbackThread.EVENT_LOOP)
					.whenFull(OverflowPolicy.FAIL)
					.maxPendingCalls(1)
					.build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			CompletableFuture<byte[]> chain = calls.echoLater(new byte[1])
				.thenCompose((reply) -> calls.echoLater(new byte[2]))
				.thenCompose((reply) -> calls.echoLater(new byte[3]));
			assertThat(chain.get(20, TimeUnit.SECONDS)).hasSize(3);
		}
	}

	private static RpcServerBuilder server() {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, new CallsImpl());
	}

	private static void awaitQuietly(CountDownLatch gate) {
		try {
			gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
