package io.rpcboot.engine.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies of every size and every kind of call, and what the accounts have afterwards. */
@Timeout(90)
@Tag("jdk25")
class MemoryIntegrationTests {

	private static final int KIB = 1024;

	private static final int MIB = 1024 * KIB;

	/** Of a body beside its bytes: the time that remains, a field, a length. */
	private static final int OVERHEAD = 16;

	/** At the borders of arrays, windows, chunks, grants and frames. */
	private static final int[] SIZES = { 0, 1, 255, 256, 257, 1023, 1024, 1025, 4 * KIB - OVERHEAD, 4 * KIB,
			4 * KIB + 1, 8 * KIB, 16 * KIB - 2, 16 * KIB + 1, 64 * KIB - OVERHEAD, 64 * KIB, 64 * KIB + 1, 256 * KIB,
			256 * KIB + 1, 1000 * KIB, 3 * MIB + 1, 8 * MIB - OVERHEAD };

	private final Accounts accounts = new Accounts();

	private final CallsImpl implementation = new CallsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private final ExecutorService callers = Executors.newCachedThreadPool();

	@AfterEach
	void nothingIsLeft() {
		this.callers.shutdownNow();
		this.accounts.awaitEmpty();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private RpcServerBuilder server(int maxFrame, long limit) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxFrameSize(maxFrame)
			.memory(MemoryOptions.defaults().withLimit(limit))
			.metrics(this.accounts)
			.service(Calls.class, this.implementation);
	}

	private RpcClientBuilder client(int maxFrame, long limit) {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(30))
			.maxFrameSize(maxFrame)
			.memory(MemoryOptions.defaults().withLimit(limit))
			.metrics(this.accounts);
	}

	static Stream<Arguments> ways() {
		Stream<Dispatch> dispatches = Stream.of(Dispatch.values())
			.filter((dispatch) -> dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21);
		return dispatches.flatMap(
				(dispatch) -> Stream.of(CallbackThread.values()).map((callbacks) -> Arguments.of(dispatch, callbacks)));
	}

	@ParameterizedTest
	@MethodSource("ways")
	void bodiesOfAllSizes_arriveIntact(Dispatch dispatch, CallbackThread callbacks) throws Exception {
		try (RpcServer server = server(8 * MIB, 64L * MIB).dispatch(dispatch).start();
				RpcClient client = client(8 * MIB, 64L * MIB).callbacks(callbacks).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			for (int size : SIZES) {
				byte[] bytes = randomBytes(size);
				assertThat(Arrays.equals(calls.echo(bytes), bytes)).as("blocking, %d bytes", size).isTrue();
				byte[] reply = calls.echoLater(bytes).get(30, TimeUnit.SECONDS);
				assertThat(Arrays.equals(reply, bytes)).as("a future, %d bytes", size).isTrue();
				String word = "x".repeat(size);
				calls.notice(word);
				assertThat(this.implementation.noticed.poll(30, TimeUnit.SECONDS)).as("one way, %d bytes", size)
					.isEqualTo(word);
			}
			assertThat(calls.grow(8 * MIB - OVERHEAD)).hasSize(8 * MIB - OVERHEAD);
			this.accounts.awaitNothingOutgoing();
		}
	}

	/** Small calls between large ones: all wait in one connection. */
	@ParameterizedTest
	@MethodSource("ways")
	void mixedSmallAndLargeCalls_arriveIntact(Dispatch dispatch, CallbackThread callbacks) throws Exception {
		try (RpcServer server = server(MIB, 64L * MIB).dispatch(dispatch).start();
				RpcClient client = client(MIB, 64L * MIB).callbacks(callbacks).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			Random random = new Random(1);
			List<byte[]> sent = new ArrayList<>();
			List<CompletableFuture<byte[]>> replies = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				byte[] bytes = randomBytes((i % 10 == 0) ? random.nextInt(MIB / 4) : random.nextInt(2000));
				sent.add(bytes);
				replies.add(calls.echoLater(bytes));
			}
			for (int i = 0; i < sent.size(); i++) {
				assertThat(Arrays.equals(replies.get(i).get(30, TimeUnit.SECONDS), sent.get(i))).as("call %d", i)
					.isTrue();
			}
			this.accounts.awaitNothingOutgoing();
		}
	}

	/** Nobody fails because memory is short: each waits for its turn. */
	@ParameterizedTest
	@MethodSource("accountsInFrames")
	void concurrentLargeCalls_succeed_whenMemoryIsShort(int serverFrames, int clientFrames) throws Exception {
		int maxFrame = MIB + OVERHEAD;
		try (RpcServer server = server(maxFrame, (long) serverFrames * maxFrame).start();
				RpcClient client = client(maxFrame, (long) clientFrames * maxFrame).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			List<CompletableFuture<Integer>> results = new ArrayList<>();
			for (int i = 0; i < 64; i++) {
				int caller = i;
				results.add(CompletableFuture.supplyAsync(() -> echo(calls, caller, 2), this.callers));
			}
			for (CompletableFuture<Integer> result : results) {
				assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(2);
			}
			this.accounts.awaitNothingOutgoing();
		}
	}

	/** What server and client may have, the least included. */
	static Stream<Arguments> accountsInFrames() {
		return Stream.of(Arguments.of(3, 3), Arguments.of(3, 64), Arguments.of(64, 3), Arguments.of(4, 4),
				Arguments.of(6, 6), Arguments.of(64, 6), Arguments.of(16, 128), Arguments.of(128, 128));
	}

	/** Returns how many answers were right. */
	private static int echo(Calls calls, int caller, int times) {
		byte[] bytes = randomBytes(MIB);
		int right = 0;
		for (int i = 0; i < times; i++) {
			bytes[0] = (byte) caller;
			bytes[MIB - 1] = (byte) i;
			right += Arrays.equals(calls.echo(bytes), bytes) ? 1 : 0;
		}
		return right;
	}

	private static byte[] randomBytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

}
