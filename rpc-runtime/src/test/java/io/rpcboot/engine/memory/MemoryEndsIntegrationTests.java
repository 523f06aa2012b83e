package io.rpcboot.engine.memory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawReplies;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Large calls that end in another way than with their result: nothing of them stays. */
@Timeout(90)
class MemoryEndsIntegrationTests {

	private static final int KIB = 1024;

	private static final int MIB = 1024 * KIB;

	private static final int MAX_FRAME = 8 * MIB;

	private static final MemoryOptions MEMORY = MemoryOptions.defaults().withLimit(16L * MAX_FRAME);

	/** Two of them are more than a {@link Peer} grants. */
	private static final int MOST_OF_GRANT = 900 * KIB;

	private final Accounts accounts = new Accounts();

	private final CallsImpl implementation = new CallsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private final ExecutorService callers = Executors.newCachedThreadPool();

	@AfterEach
	void nothingIsLeft() {
		this.implementation.gate.countDown();
		this.callers.shutdownNow();
		this.accounts.awaitEmpty();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private RpcServer server() {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.memory(MEMORY)
			.metrics(this.accounts)
			.service(Calls.class, this.implementation)
			.start();
	}

	private RpcClientBuilder client() {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(30))
			.backoff(Duration.ofMillis(10), Duration.ofMillis(50))
			.memory(MEMORY)
			.metrics(this.accounts);
	}

	/** A server that grants a megabyte once, and says what it is told to. */
	private static final class Miser implements AutoCloseable {

		final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		Miser() throws IOException {
		}

		Peer accept() throws IOException {
			Peer peer = new Peer(this.listener.accept());
			Received bind = peer.read(FrameType.BIND);
			peer.frame(FrameType.BIND_REPLY, 0, 0, bind.code(), RawReplies.bound());
			return peer;
		}

		@Override
		public void close() throws IOException {
			this.listener.close();
		}

	}

	/** The first fits into what is granted, the others wait. */
	@Test
	void outgoingMemory_isFreed_whenWaitingCallsTimeOut() throws Exception {
		try (Miser miser = new Miser(); RpcClient client = client().timeout(Duration.ofSeconds(4)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(miser.listener.getLocalPort()));
			List<CompletableFuture<byte[]>> all = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				all.add(calls.echoLater(new byte[MOST_OF_GRANT]));
			}
			try (Peer peer = miser.accept()) {
				assertThat(peer.read(FrameType.NEED).callId()).isBetween(MOST_OF_GRANT + 1L, MOST_OF_GRANT + 100L);
				assertThat(this.accounts.of(Gauge.CLIENT_MEMORY_OUTGOING)).isGreaterThanOrEqualTo(5 * MOST_OF_GRANT);
				for (int i = 0; i < 5; i++) {
					assertThat(all.get(i)).failsWithin(Duration.ofSeconds(20))
						.withThrowableOfType(ExecutionException.class)
						.withMessageContaining("DEADLINE_EXCEEDED")
						.withMessageContaining((i == 0) ? "may have executed" : "did not execute");
				}
				this.accounts.awaitNothingOutgoing();
				assertThat(client.pendingCalls()).isZero();
			}
		}
	}

	@Test
	void lateGrant_isYieldedBack() throws Exception {
		try (Miser miser = new Miser(); RpcClient client = client().timeout(Duration.ofSeconds(4)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(miser.listener.getLocalPort()));
			calls.echoLater(new byte[MOST_OF_GRANT]);
			CompletableFuture<byte[]> call = calls.echoLater(new byte[MOST_OF_GRANT]);
			try (Peer peer = miser.accept()) {
				long needed = peer.read(FrameType.NEED).callId();
				assertThat(call).failsWithin(Duration.ofSeconds(20));
				byte[] total = Window.encode(MIB + needed);
				peer.frame(FrameType.WINDOW, FrameHeader.FLAG_ANSWERS_NEED, 0, 1000, total);
				assertThat(peer.read(FrameType.YIELD).callId()).isEqualTo(needed);
				calls.echoLater(new byte[MOST_OF_GRANT]);
				assertThat(peer.read(FrameType.NEED).callId()).isEqualTo(needed);
			}
		}
	}

	@Test
	void outgoingMemory_isFreed_whenCallIsCancelledDuringWrite() throws Exception {
		try (RpcServer server = server(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			Random random = new Random(1);
			for (int round = 0; round < 20; round++) {
				byte[] neighbour = randomBytes(MIB + round);
				CompletableFuture<byte[]> cancelled = calls.echoLater(randomBytes(6 * MIB));
				CompletableFuture<byte[]> kept = calls.echoLater(neighbour);
				CompletableFuture<byte[]> alsoCancelled = calls.echoLater(randomBytes(3 * MIB));
				for (int spins = random.nextInt(20_000); spins > 0; spins--) {
					Thread.onSpinWait();
				}
				cancelled.cancel(true);
				alsoCancelled.cancel(true);
				assertThat(Arrays.equals(kept.get(30, TimeUnit.SECONDS), neighbour)).as("round %d", round).isTrue();
			}
			assertThat(client.connections()).hasSize(1);
			this.accounts.awaitNothingOutgoing();
		}
	}

	/** Whoever gives up frees chunks that the socket may still be taking. */
	@Test
	void otherCalls_stayIntact_whenCallTimesOutDuringWrite() throws Exception {
		try (RpcServer server = server(); RpcClient client = client().build()) {
			Calls patient = client.reference(Calls.class, ReferenceStates.at(server));
			Calls hasty = client.reference(Calls.class, ReferenceStates.at(server).withTimeout(Duration.ofMillis(15)));
			Calls hastier = client.reference(Calls.class, ReferenceStates.at(server).withTimeout(Duration.ofMillis(2)));
			patient.greet("x");
			List<CompletableFuture<Integer>> checked = new ArrayList<>();
			for (int thread = 0; thread < 4; thread++) {
				int seed = thread;
				checked.add(CompletableFuture.supplyAsync(() -> echo(patient, seed), this.callers));
			}
			int late = 0;
			for (int i = 0; i < 60; i++) {
				late += isLate((i % 2 == 0) ? hasty : hastier, 1 + i % 7) ? 1 : 0;
			}
			for (CompletableFuture<Integer> each : checked) {
				assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(25);
			}
			assertThat(late).as("calls that were late").isPositive();
			assertThat(client.connections()).as("the connection was never lost").hasSize(1);
			this.accounts.awaitNothingOutgoing();
		}
	}

	private static int echo(Calls calls, int seed) {
		int right = 0;
		for (int i = 0; i < 25; i++) {
			byte[] bytes = randomBytes(200_000 + 1000 * seed + i);
			right += Arrays.equals(calls.echo(bytes), bytes) ? 1 : 0;
		}
		return right;
	}

	private static boolean isLate(Calls calls, int megabytes) {
		byte[] bytes = new byte[megabytes * MIB];
		Arrays.fill(bytes, (byte) 0xee);
		try {
			calls.echo(bytes);
			return false;
		}
		catch (RpcException ex) {
			assertThat(ex).hasMessageContaining("DEADLINE_EXCEEDED");
			return true;
		}
	}

	@Test
	void outgoingMemory_isFreed_whenServerClosesDuringLargeCalls() throws Exception {
		List<CompletableFuture<byte[]>> underWay = new ArrayList<>();
		try (RpcClient client = client().timeout(Duration.ofSeconds(2)).build()) {
			try (RpcServer server = server()) {
				startLargeCalls(client.reference(Calls.class, ReferenceStates.at(server)), underWay);
			}
			awaitEnds(underWay);
			this.accounts.awaitNothingOutgoing();
		}
	}

	private void startLargeCalls(Calls calls, List<CompletableFuture<byte[]>> underWay) {
		assertThat(calls.greet("x")).isEqualTo("hello x");
		for (int i = 0; i < 8; i++) {
			underWay.add(calls.echoLater(new byte[6 * MIB]));
		}
		Eventually.until("one has arrived", () -> this.implementation.executed.get() > 1);
	}

	@Test
	void memory_isFreed_whenClientClosesDuringLargeCalls() throws Exception {
		List<CompletableFuture<byte[]>> underWay = new ArrayList<>();
		try (RpcServer server = server()) {
			try (RpcClient client = client().build()) {
				startLargeCalls(client.reference(Calls.class, ReferenceStates.at(server)), underWay);
			}
			awaitEnds(underWay);
			this.accounts.awaitEmpty();
			Eventually.until("none is in flight", () -> server.inFlightCalls() == 0);
		}
	}

	/** Workers are in the middle of it when the connection is gone. */
	@Test
	void incomingMemory_isFreed_whenConnectionEndsDuringExecution() throws Exception {
		try (RpcServer server = server()) {
			List<CompletableFuture<String>> underWay = new ArrayList<>();
			try (RpcClient client = client().build()) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
				for (int i = 0; i < 4; i++) {
					String name = String.valueOf(i).repeat(2 * MIB);
					underWay.add(CompletableFuture.supplyAsync(() -> calls.waitForGate(name), this.callers));
				}
				Eventually.until("all run", () -> this.implementation.entered.size() == 4);
			}
			Eventually.until("what came in is free though they run: " + this.accounts,
					() -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) == 0);
			this.implementation.gate.countDown();
			awaitEnds(underWay);
			Eventually.until("none is in flight", () -> server.inFlightCalls() == 0);
		}
	}

	private static void awaitEnds(List<? extends CompletableFuture<?>> calls) throws Exception {
		for (CompletableFuture<?> call : calls) {
			call.handle((result, failure) -> {
				if (failure != null) {
					Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
					assertThat(cause).isInstanceOf(RpcException.class);
				}
				return null;
			}).get(30, TimeUnit.SECONDS);
		}
	}

	@Test
	void outgoingMemory_isFreed_whenCallerIsInterrupted() throws Exception {
		try (RpcServer server = server(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			CompletableFuture<RpcStatus> end = new CompletableFuture<>();
			Thread caller = new Thread(() -> {
				try {
					calls.waitForGate("x".repeat(5 * MIB));
					end.complete(RpcStatus.OK);
				}
				catch (RpcException ex) {
					end.complete(ex.status());
				}
			});
			caller.start();
			Eventually.until("it runs", () -> this.implementation.entered.size() == 1);
			caller.interrupt();
			assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(RpcStatus.CANCELLED);
			Eventually.until("its arguments are free", () -> this.accounts.of(Gauge.CLIENT_MEMORY_OUTGOING) == 0);
			this.implementation.gate.countDown();
		}
	}

	@Test
	void outgoingMemory_isFreed_whenMessagesAreTooLarge() throws Exception {
		try (RpcServer server = server(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.echo(new byte[MAX_FRAME + 1]))
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.grow(MAX_FRAME + 1))
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
			List<String> words = List.of("x".repeat(5 * MIB), "y".repeat(5 * MIB));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.reverse(words))
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT));
			this.accounts.awaitNothingOutgoing();
			assertThat(calls.grow(3 * MIB)).hasSize(3 * MIB);
		}
	}

	/** RESPONSE of more than the client has granted. */
	@Test
	void replyBeyondGrant_endsConnection() throws Exception {
		try (Miser miser = new Miser(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(miser.listener.getLocalPort()));
			CompletableFuture<byte[]> call = calls.echoLater(new byte[10]);
			try (Peer peer = miser.accept()) {
				Received request = peer.read(FrameType.REQUEST);
				peer.send((out) -> {
					FrameHeader.write(out, 100 * KIB, FrameType.RESPONSE, 0, 0, request.callId());
					out.writeZero(100 * KIB);
				});
				assertThat(call).failsWithin(Duration.ofSeconds(20))
					.withThrowableOfType(ExecutionException.class)
					.withMessageContaining("UNAVAILABLE")
					.withMessageContaining("a body of 102400 bytes that was not granted")
					.withMessageContaining("may have executed");
			}
		}
	}

	@Test
	void invalidNeedOrYield_endsConnection() throws Exception {
		for (int type : new int[] { FrameType.NEED, FrameType.YIELD }) {
			try (Miser miser = new Miser(); RpcClient client = client().build()) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(miser.listener.getLocalPort()));
				CompletableFuture<byte[]> call = calls.echoLater(new byte[10]);
				try (Peer peer = miser.accept()) {
					peer.read(FrameType.REQUEST);
					peer.frame(type, 0, 0, 100L * MAX_FRAME, new byte[0]);
					assertThat(call).failsWithin(Duration.ofSeconds(20))
						.withThrowableOfType(ExecutionException.class)
						.withMessageContaining((type == FrameType.NEED) ? "NEED: " : "YIELD: ")
						.withMessageContaining(
								(type == FrameType.NEED) ? "(expected: 1 to " : "(expected: at most the ");
				}
			}
		}
	}

	/** A reply that its server asked for and does not send. */
	@Test
	void missingRequestedReply_endsConnection_whileAnotherReplyWaits() throws Exception {
		int most = 8 * MIB;
		MemoryOptions small = MemoryOptions.defaults().withLimit(3L * most);
		try (Miser first = new Miser(); Miser second = new Miser(); RpcClient client = client().memory(small).build()) {
			CompletableFuture<byte[]> asked = client
				.reference(Calls.class, ReferenceStates.at(first.listener.getLocalPort()))
				.echoLater(new byte[10]);
			CompletableFuture<byte[]> waits = client
				.reference(Calls.class, ReferenceStates.at(second.listener.getLocalPort()))
				.echoLater(new byte[10]);
			try (Peer idle = first.accept(); Peer other = second.accept()) {
				idle.read(FrameType.REQUEST);
				other.read(FrameType.REQUEST);
				idle.frame(FrameType.NEED, 0, 0, most, new byte[0]);
				idle.read(FrameType.WINDOW); // it has the memory
				other.frame(FrameType.NEED, 0, 0, most, new byte[0]);
				assertThat(asked).failsWithin(Duration.ofSeconds(20))
					.withThrowableOfType(ExecutionException.class)
					.withMessageContaining("memory.least-rate: a requested body does not arrive");
				assertThat(waits).isNotDone();
			}
			assertThat(waits).failsWithin(Duration.ofSeconds(20));
			this.accounts.awaitNothingOutgoing();
		}
	}

	private static byte[] randomBytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

}
