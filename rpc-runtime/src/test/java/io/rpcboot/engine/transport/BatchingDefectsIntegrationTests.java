package io.rpcboot.engine.transport;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.engine.fixture.Relay;
import io.rpcboot.engine.fixture.peer.FakeServer;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Defects that were seen in the batching of other engines and around it, each tried
 * between a client and a server. Those of a write queue alone are in
 * {@code io.rpcboot.internal.transport.BatchingDefectsTests}.
 */
@Timeout(60)
class BatchingDefectsIntegrationTests {

	private static final EventLoopOptions ONE_LOOP = EventLoopOptions.defaults().withThreads(1);

	private final CallsImpl implementation = new CallsImpl();

	private final FlushCounts flushes = new FlushCounts();

	@AfterEach
	void release() {
		this.implementation.gate.countDown();
	}

	private RpcServerBuilder server() {
		return RpcServer.builder().port(0).eventLoop(ONE_LOOP).service(Calls.class, this.implementation);
	}

	private static RpcClientBuilder client() {
		return RpcClient.builder().timeout(Duration.ofSeconds(20)).eventLoop(ONE_LOOP);
	}

	private static ServerSocket listen() throws Exception {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	private static byte[] numbered(int number) {
		return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
	}

	private static List<CompletableFuture<byte[]>> echo(Calls calls, int count) {
		return IntStream.range(0, count).mapToObj((i) -> calls.echoLater(numbered(i))).toList();
	}

	private static void assertAnswered(List<CompletableFuture<byte[]>> futures) throws Exception {
		for (int i = 0; i < futures.size(); i++) {
			assertThat(futures.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(numbered(i));
		}
	}

	private static RpcException failure(CompletableFuture<?> future) {
		Throwable thrown = catchThrowable(() -> future.get(20, TimeUnit.SECONDS));
		assertThat(thrown).hasCauseInstanceOf(RpcException.class);
		return (RpcException) thrown.getCause();
	}

	@Test
	@DisplayName("SOFARPC, Dubbo: the server's responses bypass the queue")
	void responses_areFlushedInBatches() throws Exception {
		try (RpcServer server = server().maxThreads(1).metrics(this.flushes).start();
				RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			assertAnswered(echo(calls, 2000));
		}
		assertThat(this.flushes.messages).hasValueGreaterThan(2000);
		assertThat(this.flushes.flushes.get()).isLessThan(this.flushes.messages.get() / 2);
	}

	@Test
	@DisplayName("Dubbo: each stream has a write queue of its own")
	void services_shareFlush_onOneConnection() throws Exception {
		try (ServerSocket listener = listen(); RpcClient client = client().metrics(this.flushes).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
			Relay relay = client.reference(Relay.class, ReferenceStates.at(listener.getLocalPort()));
			for (int i = 0; i < 40; i++) {
				calls.echoLater(numbered(i));
				relay.handLater(i);
			}
			try (Peer peer = new Peer(listener.accept())) {
				for (int i = 0; i < 80; i++) {
					peer.read(FrameType.REQUEST);
				}
			}
			Eventually.until("all go in one flush", () -> this.flushes.largest.get() >= 80);
		}
	}

	@Test
	@DisplayName("Dubbo: handlers are added when the first bytes may have come already")
	void earlyServerFrames_areRead_afterConnect() throws Exception {
		byte[] greeting = io.netty.buffer.ByteBufUtil.getBytes(Garbage.greeting((out) -> {
			byte[] window = Window.encode(1 << 20);
			Garbage.header(out, window.length, FrameType.WINDOW, 1000);
			out.writeBytes(window);
		}));
		try (FakeServer fake = new FakeServer(greeting)) {
			for (int i = 0; i < 15; i++) {
				try (RpcClient client = client().build()) {
					client.reference(Calls.class, ReferenceStates.at(fake.port()));
					Eventually.until("the client is ready", () -> ReferenceStates.ready(client) == 1);
				}
			}
			assertThat(fake.accepted()).as("none had to connect twice").isEqualTo(15);
		}
	}

	@Test
	@DisplayName("SOFARPC, Dubbo, simple-rpc: a call that cannot be encoded takes its batch along")
	void failedCall_doesNotAffectItsBatch() throws Exception {
		try (RpcServer server = server().maxFrameSize(4096).start(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			List<CompletableFuture<?>> futures = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				futures.add(switch (i % 3) {
					case 0 -> calls.echoLater(new byte[5000]);
					case 1 -> calls.refuseLater("n" + i);
					default -> calls.echoLater(numbered(i));
				});
			}
			for (int i = 0; i < 300; i++) {
				CompletableFuture<?> future = futures.get(i);
				switch (i % 3) {
					case 0 -> assertThat(failure(future).status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
					case 1 -> assertThat(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)))
						.hasCauseInstanceOf(RefusedException.class)
						.hasMessageContaining("n" + i);
					default -> assertThat(future.get(20, TimeUnit.SECONDS)).isEqualTo(numbered(i));
				}
			}
			assertThat(this.implementation.executed).hasValue(100);
			assertThat(client.pendingCalls()).isZero();
		}
	}

	@Test
	@DisplayName("simple-rpc, Dubbo: a lone caller waits for a batch that never fills")
	void loneCall_isFlushedWithoutDelay() throws Exception {
		try (RpcServer server = server().metrics(this.flushes).start();
				RpcClient client = client().metrics(this.flushes).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			for (int i = 0; i < 300; i++) {
				assertThat(calls.add(i, 1)).isEqualTo(i + 1);
			}
		}
		assertThat(this.flushes.because(FlushReason.DELAY)).as("flushes that waited for a timer").isZero();
	}

	@Test
	@DisplayName("simple-rpc: a shift by 20 turns milliseconds into nanoseconds and makes timeouts 4.9 % longer")
	void sentTimeout_doesNotExceedOption() throws Exception {
		try (ServerSocket listener = listen(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class,
					ReferenceStates.at(listener.getLocalPort()).withTimeout(Duration.ofSeconds(30)));
			try (Peer peer = new Peer(listener.accept())) {
				calls.echoLater(numbered(1));
				assertThat(RawCalls.remainingMillis(peer.read(FrameType.REQUEST))).isBetween(25_000, 30_000);
			}
		}
	}

	@Test
	@DisplayName("simple-rpc: the turn of the servers is off by one")
	void roundRobin_alternatesEvenly() throws Exception {
		CallsImpl other = new CallsImpl();
		try (RpcServer first = server().start();
				RpcServer second = RpcServer.builder().port(0).service(Calls.class, other).start();
				RpcClient client = client().loadBalancer(RoundRobinLoadBalancer::new).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(first.port(), second.port()));
			Eventually.until("both take calls", () -> ReferenceStates.ready(client) == 2);
			assertAnswered(echo(calls, 101));
			assertThat(this.implementation.executed.get() + other.executed.get()).isEqualTo(101);
			assertThat(this.implementation.executed).hasValueBetween(50, 51);
		}
	}

	@Test
	@DisplayName("Toy-RPC: the request is recycled when it is encoded, and fail-over sends what is left of it")
	void resentCall_keepsItsArguments() throws Exception {
		try (RpcServer healthy = server().start();
				ServerSocket listener = listen();
				RpcClient client = client().loadBalancer(RoundRobinLoadBalancer::new).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(healthy.port(), listener.getLocalPort()));
			try (Peer leaving = new Peer(listener.accept())) {
				Eventually.until("both take calls", () -> ReferenceStates.ready(client) == 2);
				List<CompletableFuture<byte[]>> futures = echo(calls, 100);
				for (int i = 0; i < 50; i++) {
					leaving.read(FrameType.REQUEST);
				}
				leaving.frame(FrameType.GO_AWAY, 0, RpcStatus.UNAVAILABLE.code(), 0,
						"bye".getBytes(StandardCharsets.UTF_8));
				assertAnswered(futures);
				assertThat(this.implementation.executed).hasValue(100);
			}
		}
	}

	@Test
	@DisplayName("Toy-RPC: calls that timed out stay in the table, and their late answers find them")
	void timedOutCalls_leaveCallTable() throws Exception {
		try (ServerSocket listener = listen(); RpcClient client = client().build()) {
			Calls hasty = client.reference(Calls.class,
					ReferenceStates.at(listener.getLocalPort()).withTimeout(Duration.ofSeconds(3)));
			Calls patient = client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
			try (Peer peer = new Peer(listener.accept())) {
				Eventually.until("connected", () -> ReferenceStates.ready(client) == 2);
				List<CompletableFuture<byte[]>> late = echo(hasty, 200);
				List<Received> requests = new ArrayList<>();
				for (int i = 0; i < 200; i++) {
					requests.add(peer.read(FrameType.REQUEST));
				}
				late.forEach((future) -> assertThat(failure(future).status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
				Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
				Eventually.until("no call is in the table",
						() -> ReferenceStates.instances(client)
							.stream()
							.allMatch((instance) -> instance.pendingCalls() == 0));
				for (Received request : requests) {
					RawCalls.answer(peer, request, numbered(0));
				}
				CompletableFuture<String> marker = patient.later("x");
				RawCalls.answer(peer, peer.read(FrameType.REQUEST), "found");
				assertThat(marker.get(20, TimeUnit.SECONDS)).isEqualTo("found");
				assertThat(client.pendingCalls()).isZero();
			}
		}
	}

	@Test
	@DisplayName("Toy-RPC: a full pool runs calls on the I/O thread, or queues them without bound")
	void calls_areRefused_whenWorkerPoolIsFull() throws Exception {
		try (RpcServer server = server().maxThreads(1).maxInFlightCalls(50).start();
				Peer first = new Peer(server.port());
				Peer peer = new Peer(server.port())) {
			RawCalls.bind(first);
			for (int id = 1; id <= 50; id++) {
				RawCalls.call(first, "waitForGate", id, 60_000, "x");
			}
			Eventually.until("there is no room", () -> server.inFlightCalls() == 50);
			RawCalls.bind(peer);
			for (int id = 1; id <= 10; id++) {
				RawCalls.call(peer, "waitForGate", id, 60_000, "x");
			}
			peer.frame(FrameType.PING, 0, 0, 7, new byte[0]);
			int refused = 0;
			for (Received frame = peer.next(); frame.type() != FrameType.PONG; frame = peer.next()) {
				if (frame.type() == FrameType.RESPONSE) {
					assertThat(RpcStatus.ofCode(frame.code())).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
					refused++;
				}
			}
			assertThat(refused).isEqualTo(10);
			Eventually.until("one runs", () -> this.implementation.entered.size() == 1);
		}
	}

	@Test
	@DisplayName("Toy-RPC: the count of calls under way falls as soon as an asynchronous call was sent")
	void callCounts_includeRunningCalls_untilTheyEnd() throws Exception {
		try (RpcServer server = server().start(); RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			List<CompletableFuture<String>> futures = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				futures.add(calls.laterAtGate("x"));
			}
			Eventually.until("all run", () -> this.implementation.futures.size() == 10);
			assertThat(client.pendingCalls()).isEqualTo(10);
			assertThat(ReferenceStates.instances(client).get(0).pendingCalls()).isEqualTo(10);
			assertThat(server.inFlightCalls()).isEqualTo(10);
			this.implementation.futures.forEach((future) -> future.complete("done"));
			for (CompletableFuture<String> future : futures) {
				assertThat(future.get(20, TimeUnit.SECONDS)).isEqualTo("done");
			}
			Eventually.until("none is under way", () -> client.pendingCalls() == 0 && server.inFlightCalls() == 0);
		}
	}

	@Test
	@DisplayName("Toy-RPC: an exception of the application is taken for a failed attempt and tried again")
	void applicationException_isNotRetried() throws Exception {
		AtomicInteger attempts = new AtomicInteger();
		CallsImpl refusing = new CallsImpl() {
			@Override
			public String refuse(String reason) throws RefusedException {
				attempts.incrementAndGet();
				return super.refuse(reason);
			}
		};
		try (RpcServer first = RpcServer.builder().port(0).service(Calls.class, refusing).start();
				RpcServer second = RpcServer.builder().port(0).service(Calls.class, refusing).start();
				RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(first.port(), second.port()));
			for (int i = 0; i < 20; i++) {
				assertThat(catchThrowable(() -> calls.refuse("no"))).isInstanceOf(RefusedException.class);
			}
			assertThat(attempts).hasValue(20);
		}
	}

}
