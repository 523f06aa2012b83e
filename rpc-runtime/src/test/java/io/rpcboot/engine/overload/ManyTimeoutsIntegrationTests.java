package io.rpcboot.engine.overload;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The timeouts of a connection on which thousands of calls wait for their answers. */
class ManyTimeoutsIntegrationTests {

	private static final int PATIENT = 2000;

	private static final int HASTY = 100;

	/** A peer that answers nothing: a server looks at the clock itself. */
	@Test
	void calls_endAtTheirTimeouts_whileOthersStayPending() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				RpcClient client = RpcClient.builder().whenFull(OverflowPolicy.FAIL).build()) {
			Calls patient = at(client, listener, Duration.ofHours(1));
			try (Peer peer = new Peer(listener.accept())) {
				peer.frame(FrameType.WINDOW, 0, 0, 100_000, Window.encode(1 << 20));
				List<CompletableFuture<byte[]>> goOn = start(patient, PATIENT);
				for (int i = 0; i < PATIENT; i++) {
					peer.read(FrameType.REQUEST);
				}
				for (int millis : new int[] { 250, 20, 100, 1 }) {
					Calls hasty = at(client, listener, Duration.ofMillis(millis));
					long start = System.nanoTime();
					start(hasty, HASTY).forEach(DeadlineInQueueIntegrationTests::assertDeadlineExceeded);
					assertThat(System.nanoTime() - start).as("none ends before its time")
						.isGreaterThan(TimeUnit.MILLISECONDS.toNanos(millis));
				}
				assertThat(goOn).noneMatch(CompletableFuture::isDone);
				assertThat(client.pendingCalls()).isEqualTo(PATIENT);
			}
		}
	}

	private static Calls at(RpcClient client, ServerSocket listener, Duration timeout) {
		return client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()).withTimeout(timeout));
	}

	private static List<CompletableFuture<byte[]>> start(Calls calls, int count) {
		List<CompletableFuture<byte[]>> started = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			started.add(calls.echoLater(new byte[] { 1 }));
		}
		return started;
	}

}
