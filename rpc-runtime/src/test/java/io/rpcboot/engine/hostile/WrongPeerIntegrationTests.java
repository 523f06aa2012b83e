package io.rpcboot.engine.hostile;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.FakeServer;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests the client with peers that are silent, fall silent, or speak another protocol.
 */
class WrongPeerIntegrationTests {

	private static RpcClientBuilder client() {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.connectTimeout(Duration.ofMillis(200))
			.keepAlive(Duration.ofSeconds(2), Duration.ofSeconds(1))
			.backoff(Duration.ofMillis(20), Duration.ofMillis(100));
	}

	/** The preface, HELLO and a grant: a handshake that went well. */
	private static byte[] handshake() {
		ByteBuf bytes = Garbage.greeting((out) -> {
			byte[] window = Window.encode(1 << 20);
			Garbage.header(out, window.length, FrameType.WINDOW, 1000);
			out.writeBytes(window);
		});
		return ByteBufUtil.getBytes(bytes);
	}

	@Test
	void silentServer_failsCallsAndIsRetried() throws Exception {
		try (FakeServer fake = new FakeServer(new byte[0]); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(thrown.mayHaveExecuted()).isFalse();
			assertThat(thrown).hasMessageContaining("no answer to the handshake within 200 ms")
				.hasMessageContaining("127.0.0.1:" + fake.port());
			Eventually.until("more attempts, each ended", () -> fake.accepted() >= 3 && fake.ended() >= 2);
			assertThat(client.pendingCalls()).isZero();
		}
	}

	@Test
	void connection_isReplaced_whenServerFallsSilent() throws Exception {
		try (FakeServer fake = new FakeServer(handshake()); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			Calls patient = client.reference(Calls.class,
					ReferenceStates.at(fake.port()).withTimeout(Duration.ofSeconds(30)));
			Eventually.until("it is connected", () -> !client.connections().isEmpty());
			RpcException timedOut = catchThrowableOfType(RpcException.class, () -> calls.waitForGateBriefly("x"));
			assertThat(timedOut.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
			assertThat(timedOut.mayHaveExecuted()).isTrue();
			ExecutionException lost = catchThrowableOfType(ExecutionException.class,
					() -> patient.later("x").get(20, TimeUnit.SECONDS));
			assertThat(lost.getCause()).isInstanceOfSatisfying(RpcException.class, (ex) -> {
				assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
				assertThat(ex.mayHaveExecuted()).isTrue();
				assertThat(ex).hasMessageContaining("no sign of life for 1 s after a probe");
			});
			Eventually.until("it is replaced", () -> fake.accepted() >= 2 && fake.ended() >= 1);
			Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
		}
	}

	@Test
	void calls_goToOtherServer_whileOneIsSilent() throws Exception {
		try (FakeServer fake = new FakeServer(new byte[0]);
				RpcServer server = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).build().start();
				RpcClient client = client().timeout(Duration.ofSeconds(10)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port(), server.port()));
			for (int i = 0; i < 100; i++) {
				assertThat(calls.greet("x")).isEqualTo("hello x");
			}
		}
	}

	@Test
	void serverOfOtherProtocol_isNamedInFailure() throws Exception {
		byte[] answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
		try (FakeServer fake = new FakeServer(answer);
				LogRecorder log = new LogRecorder("rpc.client");
				RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			assertThat(thrown.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(thrown).hasMessageContaining("the other side speaks another protocol")
				.hasMessageContaining("127.0.0.1:" + fake.port());
			Eventually.until("more attempts, each ended", () -> fake.accepted() >= 3 && fake.ended() >= 2);
			assertThat(log.messages()).as("one line, not one for each attempt").hasSize(1);
		}
	}

	/** The begin of SETTINGS of servers in Python, Go, Java and Node, and empty ones. */
	@ParameterizedTest
	@ValueSource(strings = { "000018040000000000", "000006040000000000", "00000c040000000000", "000012040000000000",
			"000000040000000000" })
	void serverOfGrpc_isNamed_atNativeReference(String hex) throws Exception {
		try (FakeServer fake = new FakeServer(HexFormat.of().parseHex(hex)); RpcClient client = client().build()) {
			assertThat(problem(client, fake.port()))
				.contains("the other side speaks HTTP/2, as gRPC does (expected: the RPC protocol)")
				.contains("rpc.client.references.<name>.protocol=grpc");
		}
	}

	@Test
	void serverOfHttp1_isNamed_atReferenceOfGrpc() throws Exception {
		byte[] answer = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
		try (FakeServer fake = new FakeServer(answer); RpcClient client = client().protocol(Protocol.GRPC).build()) {
			assertThat(problem(client, fake.port())).contains("HTTP/1 (expected: HTTP/2)");
		}
	}

	/** A server that speaks only the other protocol closes the connection. */
	@ParameterizedTest
	@CsvSource({ "GRPC, NATIVE, only the native protocol", "NATIVE, GRPC, only gRPC" })
	void serverOfOtherProtocol_isGuessed_whenItCloses(Protocol ofClient, Protocol ofServer, String guess) {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.protocols(ofServer)
			.service(Calls.class, new CallsImpl())
			.start(); RpcClient client = client().protocol(ofClient).build()) {
			assertThat(problem(client, server.port())).contains(guess + "? See rpc.client.protocol")
				.contains("without rpc.client.ssl.bundle");
		}
	}

	/** Returns the first problem of an instance. */
	private static String problem(RpcClient client, int port) {
		client.reference(Calls.class, ReferenceStates.at(port));
		Supplier<String> problem = () -> client.references().get(0).instances().get(0).problem();
		Eventually.until("an attempt fails", () -> !problem.get().isEmpty());
		return problem.get();
	}

	@Test
	void backoff_growsBetweenAttempts() throws Exception {
		try (FakeServer fake = new FakeServer("HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
				RpcClient client = client().backoff(Duration.ofMillis(100), Duration.ofSeconds(10)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			int before = fake.accepted();
			long since = System.nanoTime();
			Eventually.until("more attempts", () -> fake.accepted() >= before + 4);
			// pauses of 100, 200, 400 and 800 ms, each within a fifth; a call asks for
			// none
			assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(Duration.ofSeconds(1));
		}
	}

	/** Each text of a server is one clean line of its client's log. */
	@ParameterizedTest
	@ValueSource(strings = { "x\n12:00:00.000 ERROR [main] forged\u001b[31m", "\u202Etxet", "a\u2028b\u0085c\u009bd",
			"\r\n\r\n" })
	void reasonOfGoAway_isCleanedInLogAndFailure(String reason) throws Exception {
		byte[] said = (reason + "z".repeat(2000)).getBytes(StandardCharsets.UTF_8);
		ByteBuf greeting = Garbage.greeting((out) -> {
			FrameHeader.write(out, said.length, FrameType.GO_AWAY, 0, RpcStatus.FAILED_PRECONDITION.code(), 0);
			out.writeBytes(said);
		});
		try (FakeServer fake = new FakeServer(ByteBufUtil.getBytes(greeting));
				LogRecorder log = new LogRecorder("rpc.client");
				RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			Eventually.until("a failure has the reason", () -> failure(calls).contains("zzz"));
			assertThat(log.messages()).allMatch(WrongPeerIntegrationTests::isClean);
		}
	}

	@Test
	void serializersOfHello_areCleanedInLogAndFailure() throws Exception {
		byte[] hello = new Hello(1 << 20, List.of("x\nforged\u001b[31m\u202E"), "a\nb", 0).encode();
		ByteBuf greeting = Garbage.frames((out) -> {
			FrameHeader.write(out, hello.length, FrameType.HELLO, 0, 0, 0);
			out.writeBytes(hello);
		});
		try (FakeServer fake = new FakeServer(ByteBufUtil.getBytes(greeting));
				LogRecorder log = new LogRecorder("rpc.client");
				RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(fake.port()));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
			Eventually.until("it is logged", () -> log.messages().stream().anyMatch((each) -> each.contains("forged")));
			assertThat(log.messages()).allMatch(WrongPeerIntegrationTests::isClean);
			assertThat(thrown.getMessage()).matches(WrongPeerIntegrationTests::isClean);
		}
	}

	private static String failure(Calls calls) {
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls.greet("x"));
		assertThat(thrown.getMessage()).matches(WrongPeerIntegrationTests::isClean);
		return thrown.getMessage();
	}

	private static boolean isClean(String text) {
		return text.length() < 1500 && text.chars().allMatch((each) -> each >= ' ' && each < 0x7f);
	}

}
