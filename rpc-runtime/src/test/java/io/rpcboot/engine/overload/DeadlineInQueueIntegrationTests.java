package io.rpcboot.engine.overload;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A call whose time is over while it waits somewhere is not executed. */
class DeadlineInQueueIntegrationTests {

	private static final int CALLS = 30;

	private final CallsImpl implementation = new CallsImpl();

	@AfterEach
	void release() {
		this.implementation.gate.countDown();
	}

	private RpcServer serveWithOneThread(int port) {
		return RpcServer.builder().port(port).maxThreads(1).service(Calls.class, this.implementation).start();
	}

	/**
	 * A peer that sends no CANCEL: the server itself looks at the clock, though the only
	 * thread never comes back.
	 */
	@Test
	void expiredCall_isNotExecuted_whenQueuedAtServer() throws Exception {
		try (RpcServer server = serveWithOneThread(0); Peer peer = new Peer(server.port())) {
			RawCalls.bind(peer);
			RawCalls.call(peer, "waitForGate", 1, 60_000, "x");
			assertThat(this.implementation.entered.poll(10, TimeUnit.SECONDS)).isEqualTo("x");
			for (int id = 2; id <= CALLS + 1; id++) {
				RawCalls.call(peer, "echo", id, 20, new byte[] { 1 });
			}
			RawCalls.call(peer, "notice", CALLS + 2, 20, "late");
			RawCalls.call(peer, "greet", CALLS + 3, 60_000, "in time");
			for (int id = 2; id <= CALLS + 1; id++) {
				Received refused = peer.read(FrameType.RESPONSE);
				assertThat(refused.callId()).isEqualTo(id);
				assertThat(RpcStatus.ofCode(refused.code())).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
				assertThat(refused.flags()).isEqualTo(FrameHeader.FLAG_NOT_EXECUTED);
			}
			Eventually.until("the others have their places back", () -> server.inFlightCalls() == 2);
			assertThat(server.connections().get(0).pending()).isEqualTo(2);
			this.implementation.gate.countDown();
			assertThat(peer.read(FrameType.RESPONSE).callId()).isOne();
			Received last = peer.read(FrameType.RESPONSE);
			assertThat(last.callId()).isEqualTo(CALLS + 3);
			assertThat(last.code()).isZero();
			assertThat(this.implementation.executed).hasValue(1);
			assertThat(this.implementation.noticed).isEmpty();
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
	}

	@Test
	void expiredCallOfClient_isNotExecuted_whenQueuedAtServer() throws Exception {
		try (RpcServer server = serveWithOneThread(0);
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Calls patient = client.reference(Calls.class, ReferenceStates.at(server));
			Calls hasty = client.reference(Calls.class, ReferenceStates.at(server).withTimeout(Duration.ofMillis(50)));
			CompletableFuture<Void> blocker = CompletableFuture.runAsync(() -> patient.waitForGate("x"),
					(task) -> new Thread(task, "blocker").start());
			assertThat(this.implementation.entered.poll(10, TimeUnit.SECONDS)).isEqualTo("x");
			List<CompletableFuture<byte[]>> late = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				late.add(hasty.echoLater(new byte[] { 1 }));
			}
			late.forEach((future) -> assertDeadlineExceeded(future));
			Eventually.until("those have their places back", () -> server.inFlightCalls() == 1);
			this.implementation.gate.countDown();
			blocker.get(10, TimeUnit.SECONDS);
			assertThat(patient.greet("in time")).isEqualTo("hello in time");
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
			assertThat(this.implementation.executed).hasValue(1);
		}
	}

	static RpcException assertDeadlineExceeded(CompletableFuture<?> future) {
		Throwable thrown = catchThrowable(() -> future.get(10, TimeUnit.SECONDS));
		assertThat(thrown).isInstanceOf(ExecutionException.class);
		RpcException cause = (RpcException) thrown.getCause();
		assertThat(cause.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		return cause;
	}

	/** The server grants one call, and more only when the others have given up. */
	@Test
	void expiredCall_isNotSent_whenQueuedAtClientConnection() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Calls patient = client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
			Calls hasty = client.reference(Calls.class,
					ReferenceStates.at(listener.getLocalPort()).withTimeout(Duration.ofMillis(60)));
			Calls other = client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
			try (Peer peer = new Peer(listener.accept())) {
				List<CompletableFuture<byte[]>> granted = new ArrayList<>();
				for (int i = 0; i < 1000; i++) { // none has more than three quarters
					granted.add(((i % 2 == 0) ? patient : other).echoLater(new byte[] { 2 }));
				}
				for (int i = 0; i < 1000; i++) {
					peer.read(FrameType.REQUEST);
				}
				List<CompletableFuture<byte[]>> late = new ArrayList<>();
				for (int i = 0; i < CALLS; i++) {
					late.add(hasty.echoLater(new byte[] { 1 }));
				}
				hasty.notice("late");
				assertThat(catchThrowable(() -> hasty.greet("late"))).isInstanceOfSatisfying(RpcException.class,
						(ex) -> assertThat(ex.mayHaveExecuted()).isFalse());
				late.forEach((future) -> assertThat(assertDeadlineExceeded(future).mayHaveExecuted()).isFalse());
				Eventually.until("only those that were sent are pending", () -> client.pendingCalls() == 1000);
				peer.frame(FrameType.WINDOW, 0, 0, 5000, Window.encode(1 << 20));
				CompletableFuture<String> marker = patient.later("marker");
				Received next = peer.next();
				assertThat(RawCalls.isCallOf(next, "later")).as("nothing before the marker").isTrue();
				RawCalls.answer(peer, next, "found");
				assertThat(marker.get(10, TimeUnit.SECONDS)).isEqualTo("found");
				assertThat(granted).noneMatch(CompletableFuture::isDone);
			}
		}
	}

	/** No server yet; it comes when the calls have given up. */
	@Test
	void expiredCall_isNotExecuted_whenItWaitedForInstance() throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = free.getLocalPort();
		}
		try (RpcClient client = RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.backoff(Duration.ofMillis(20), Duration.ofMillis(100))
			.build()) {
			Calls patient = client.reference(Calls.class, ReferenceStates.at(port));
			Calls hasty = client.reference(Calls.class, ReferenceStates.at(port).withTimeout(Duration.ofMillis(50)));
			List<CompletableFuture<byte[]>> late = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				late.add(hasty.echoLater(new byte[] { 1 }));
			}
			late.forEach((future) -> assertThat(catchThrowable(() -> future.get(10, TimeUnit.SECONDS)))
				.hasCauseInstanceOf(RpcException.class));
			try (RpcServer server = serveWithOneThread(port)) {
				// the first call finds that it has refused, and has it tried again
				Eventually.until("it is found", () -> catchThrowable(
						() -> assertThat(patient.greet("in time")).isEqualTo("hello in time")) == null);
				Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
				assertThat(this.implementation.executed).hasValue(1);
			}
		}
	}

}
