package io.rpcboot.engine.failover;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The peer takes the connection and reads nothing. */
class DeadPeerIntegrationTests {

	private static final int CALLS = 600;

	private static final int SIZE = 8000;

	private final CallsImpl implementation = new CallsImpl();

	private LeakWatch leaks;

	@BeforeEach
	void watch() {
		this.leaks = new LeakWatch();
	}

	@AfterEach
	void nothingLeaks() {
		this.implementation.gate.countDown();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private static RpcClient client(BatchingOptions.Mode mode) {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(3))
			.batching(BatchingOptions.defaults().withMode(mode).withMaxMessages(128).withMaxBytes(64 * 1024))
			.socket(SocketOptions.defaults()
				.withSendBuffer(8 * 1024)
				.withBacklog(1)
				.withWaterMarks(16 * 1024, 32 * 1024))
			.backoff(Duration.ofSeconds(5), Duration.ofSeconds(5))
			.build();
	}

	/** Accepts and grants, then does nothing. */
	private static Peer accept(ServerSocket listener) throws IOException {
		Peer peer = new Peer(listener.accept());
		peer.frame(FrameType.WINDOW, 0, 0, 1_000_000, Window.encode(1L << 40));
		return peer;
	}

	private static ServerSocket listen() throws IOException {
		ServerSocket listener = new ServerSocket();
		listener.setReceiveBufferSize(8 * 1024);
		listener.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		return listener;
	}

	/** One third is cancelled, the rest times out. */
	@ParameterizedTest
	@EnumSource
	void call_endsOnce_whenServerDoesNotRead(BatchingOptions.Mode mode) throws Exception {
		AtomicIntegerArray completions = new AtomicIntegerArray(CALLS);
		List<CompletableFuture<byte[]>> futures = new ArrayList<>();
		Set<Integer> onTheWire = new HashSet<>();
		RpcClient client = client(mode);
		try (ServerSocket listener = listen()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
			try (Peer peer = accept(listener)) {
				try (client) {
					callAndGiveUp(client, calls, futures, completions);
				}
				readAll(peer, onTheWire);
			}
		}
		Eventually.until("every call has ended",
				() -> IntStream.range(0, CALLS).allMatch((i) -> completions.get(i) > 0));
		assertThat(onTheWire).as("calls that were written in time").isNotEmpty().hasSizeLessThan(CALLS);
		for (int i = 0; i < CALLS; i++) {
			assertThat(completions.get(i)).as("completions of call %d", i).isOne();
			if (i % 3 != 0) {
				RpcException failure = failure(futures.get(i));
				assertThat(failure.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
				assertThat(failure.mayHaveExecuted() || !onTheWire.contains(i)).as("call %d was not written", i)
					.isTrue();
			}
		}
	}

	private static void callAndGiveUp(RpcClient client, Calls calls, List<CompletableFuture<byte[]>> futures,
			AtomicIntegerArray completions) {
		for (int i = 0; i < CALLS; i++) {
			int number = i;
			CompletableFuture<byte[]> future = calls.echoLater(numbered(i));
			future.whenComplete((result, failure) -> completions.incrementAndGet(number));
			futures.add(future);
		}
		for (int i = 0; i < CALLS; i += 3) {
			futures.get(i).cancel(true);
		}
		assertThat(catchThrowable(() -> calls.echo(numbered(CALLS)))).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
	}

	private static byte[] numbered(int number) {
		return ByteBuffer.allocate(SIZE).putInt(number).array();
	}

	private static RpcException failure(CompletableFuture<?> future) {
		Throwable thrown = catchThrowable(() -> future.get(20, TimeUnit.SECONDS));
		assertThat(thrown).isInstanceOf(ExecutionException.class);
		return (RpcException) thrown.getCause();
	}

	private static void readAll(Peer peer, Set<Integer> numbers) {
		try {
			while (true) {
				Received frame = Received.read(peer.in);
				if (RawCalls.isCallOf(frame, "echoLater") && frame.body().length > SIZE) {
					byte[] bytes = (byte[]) RawCalls.arguments(frame)[0];
					assertThat(numbers.add(ByteBuffer.wrap(bytes).getInt())).as("sent once").isTrue();
				}
			}
		}
		catch (EOFException ignored) {
			// the end
		}
		catch (IOException ignored) {
			// reset: the end as well
		}
	}

	@Test
	void unreadReplies_delayNoOtherClientAndEndWithConnection() throws Exception {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.maxThreads(4)
			.service(Calls.class, this.implementation)
			.socket(SocketOptions.defaults()
				.withSendBuffer(8 * 1024)
				.withBacklog(50)
				.withWaterMarks(16 * 1024, 32 * 1024))
			.start(); RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(10)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(calls.greet("x")).isEqualTo("hello x");
			try (Peer peer = new Peer(server.port())) {
				RawCalls.bind(peer);
				for (int id = 1; id <= 60; id++) {
					RawCalls.call(peer, "grow", id, 60_000, 1_000_000);
				}
				Eventually.until("answers wait for the socket", () -> server.inFlightCalls() > 20);
				for (int i = 0; i < 200; i++) {
					assertThat(calls.greet("n" + i)).isEqualTo("hello n" + i);
				}
				assertThat(server.inFlightCalls()).isGreaterThan(20);
			}
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
			Eventually.until("only the client is connected", () -> server.connections().size() == 1);
			assertThat(calls.greet("x")).isEqualTo("hello x");
		}
	}

	/** What waits for the socket is not written once it is cancelled. */
	@Test
	void cancelledReplies_areNotWritten_whenClientReadsAgain() throws Exception {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(Calls.class, this.implementation)
			.socket(SocketOptions.defaults()
				.withSendBuffer(8 * 1024)
				.withBacklog(50)
				.withWaterMarks(16 * 1024, 32 * 1024))
			.start(); Peer peer = new Peer(server.port())) {
			RawCalls.bind(peer);
			for (int id = 1; id <= 60; id++) {
				RawCalls.call(peer, "grow", id, 60_000, 1_000_000);
			}
			Eventually.until("answers wait for the socket",
					() -> server.inFlightCalls() > 20 && server.connections().get(0).held() > 0);
			for (int id = 1; id <= 60; id++) {
				peer.frame(FrameType.CANCEL, 0, 0, id, new byte[0]);
			}
			peer.frame(FrameType.PING, 0, 0, 77, new byte[0]);
			Set<Long> answered = new HashSet<>();
			Received frame = peer.next();
			while (frame.type() != FrameType.PONG) {
				if (frame.type() == FrameType.RESPONSE) {
					assertThat(answered.add(frame.callId())).as("answered once").isTrue();
				}
				frame = peer.next();
			}
			assertThat(answered).hasSizeBetween(1, 40);
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
	}

}
