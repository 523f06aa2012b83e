package io.rpcboot.engine.overload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/** A service that hangs leaves a part of the server to others. */
@Timeout(120)
class HangingServiceIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger entered = new AtomicInteger();

	/** A service whose calls wait for the gate. */
	public interface Hanging {

		CompletableFuture<Integer> hang(int number);

	}

	/** Another one. */
	public interface Prompt {

		int answer(int number);

	}

	/** Another one, whose callers do not wait. */
	public interface Later {

		CompletableFuture<Integer> answer(int number);

	}

	private CompletableFuture<Integer> hang(int number) {
		this.entered.incrementAndGet();
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return CompletableFuture.completedFuture(number);
	}

	@AfterEach
	void open() {
		this.gate.countDown();
	}

	private RpcServerBuilder services() {
		Hanging hanging = this::hang;
		Prompt prompt = (number) -> number;
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Hanging.class, hanging)
			.service(Prompt.class, prompt);
	}

	@Test
	void hangingService_leavesQuarterOfThreadsToOthers() throws Exception {
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = services().maxThreads(8).start();
				RpcClient client = RpcClient.builder().build()) {
			Hanging hanging = client.reference(Hanging.class, ReferenceStates.at(server).withTimeout(LONG));
			Prompt prompt = client.reference(Prompt.class, ReferenceStates.at(server).withTimeout(LONG));
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				all.add(hanging.hang(i));
			}
			for (int i = 0; i < 100; i++) {
				assertThat(prompt.answer(i)).isEqualTo(i);
			}
			Eventually.until("it has what it may have", () -> this.entered.get() == 6);
			Eventually.until("the others wait", () -> server.pool().waiting() == 14);
			Eventually.until("no thread but those is busy", () -> server.pool().busy() == 6);
			assertThat(prompt.answer(1)).isOne();
			Eventually.until("it is said", () -> !log.messages().isEmpty());
			assertThat(server.pool().usedUp()).isNotNull();
			assertThat(log.messages()).singleElement()
				.asString()
				.startsWith("A service or method has used up its share of the 8 threads and 14 calls wait")
				.contains("Hanging.hang(");
			assertThat(this.entered).hasValue(6);
			this.gate.countDown();
			for (int i = 0; i < 20; i++) {
				assertThat(all.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
	}

	@Test
	void hangingService_leavesQuarterOfPendingCallsToOthers() throws Exception {
		Later later = CompletableFuture::completedFuture;
		try (RpcServer server = services().service(Later.class, later).start();
				RpcClient client = RpcClient.builder().maxPendingCalls(16).whenFull(OverflowPolicy.FAIL).build()) {
			Hanging hanging = client.reference(Hanging.class, ReferenceStates.at(server).withTimeout(LONG));
			Later other = client.reference(Later.class, ReferenceStates.at(server).withTimeout(LONG));
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				all.add(hanging.hang(i));
			}
			assertThat(all.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(8);
			for (int i = 0; i < 100; i++) {
				assertThat(other.answer(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			this.gate.countDown();
			for (int i = 0; i < 12; i++) {
				assertThat(all.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			Eventually.until("no call is under way", () -> client.pendingCalls() == 0);
		}
	}

	/** One of them has few calls under way when the first is answered. */
	@Test
	void otherServices_areNotQueued_behindHangingCalls() throws Exception {
		Later later = CompletableFuture::completedFuture;
		try (RpcServer server = services().service(Later.class, later).start();
				RpcClient client = RpcClient.builder().maxPendingCalls(16).whenFull(OverflowPolicy.QUEUE).build()) {
			Hanging hanging = client.reference(Hanging.class, ReferenceStates.at(server).withTimeout(LONG));
			Later other = client.reference(Later.class, ReferenceStates.at(server).withTimeout(LONG));
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				all.add(hanging.hang(i));
			}
			List<CompletableFuture<Integer>> others = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				others.add(other.answer(i));
			}
			for (int i = 0; i < 5; i++) {
				assertThat(others.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			this.gate.countDown();
			for (int i = 0; i < 20; i++) {
				assertThat(all.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			Eventually.until("no call is under way", () -> client.pendingCalls() == 0);
		}
	}

	@Test
	void hangingService_leavesQuarterOfInFlightCallsToOthers() throws Exception {
		CallsImpl hanging = new CallsImpl();
		try (RpcServer server = services(Dispatch.POOL, hanging).maxThreads(40).maxInFlightCalls(16).start()) {
			hangAndAnswer(server, hanging);
		}
	}

	@Test
	@Tag("jdk25")
	@EnabledForJreRange(min = JRE.JAVA_21)
	void hangingService_leavesQuarterOfInFlightCallsToOthers_onVirtualThreads() throws Exception {
		CallsImpl hanging = new CallsImpl();
		try (RpcServer server = services(Dispatch.VIRTUAL, hanging).maxInFlightCalls(16).start()) {
			hangAndAnswer(server, hanging);
		}
	}

	private static RpcServerBuilder services(Dispatch dispatch, CallsImpl hanging) {
		ServiceOptions options = ServiceOptions.defaults().withDispatch(dispatch);
		Prompt prompt = (number) -> number;
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(ServiceDescriptor.of(Calls.class), () -> hanging, options)
			.service(ServiceDescriptor.of(Prompt.class), () -> prompt, options);
	}

	/** A peer that, unlike a client of ours, sends all that it may for one service. */
	private static void hangAndAnswer(RpcServer server, CallsImpl hanging) throws Exception {
		try (Peer peer = new Peer(server.port()); RpcClient client = RpcClient.builder().build()) {
			RawCalls.bind(peer);
			for (int id = 1; id <= 16; id++) {
				RawCalls.call(peer, "waitForGate", id, 60_000, "x");
			}
			for (int id = 13; id <= 16; id++) {
				Received refused = peer.read(FrameType.RESPONSE);
				assertThat(refused.callId()).isEqualTo(id);
				assertThat(RpcStatus.ofCode(refused.code())).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
				assertThat(refused.flags()).isEqualTo(FrameHeader.FLAG_NOT_EXECUTED);
			}
			Eventually.until("the others run", () -> hanging.entered.size() == 12);
			Prompt prompt = client.reference(Prompt.class, ReferenceStates.at(server).withTimeout(LONG));
			for (int i = 0; i < 100; i++) {
				assertThat(prompt.answer(i)).isEqualTo(i);
			}
			assertThat(hanging.entered).hasSize(12);
			hanging.gate.countDown();
			for (int i = 0; i < 12; i++) {
				assertThat(peer.read(FrameType.RESPONSE).code()).isZero();
			}
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
			RawCalls.call(peer, "waitForGate", 17, 60_000, "x");
			assertThat(peer.read(FrameType.RESPONSE).code()).as("its places are free").isZero();
		}
		finally {
			hanging.gate.countDown();
		}
	}

}
