package io.rpcboot.internal.server.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.HandDrivenConnection;
import io.rpcboot.server.BuiltOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which clients are disconnected because they read no responses. */
class IdleMonitorTests {

	private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

	/** More than waits for a socket before no more is given to it. */
	private static final int ANSWER = 100_000;

	private final List<String> ends = new ArrayList<>();

	private final HandDrivenConnection client = HandDrivenConnection.open((opened) -> this.connection = opened);

	private Connection connection;

	IdleMonitorTests() {
		ServerOptions options = BuiltOptions.of(RpcServer.builder().idleTimeout(IDLE_TIMEOUT));
		new IdleMonitor(this.connection, options, () -> true, () -> -1, (isQuiet) -> {
		}, this.ends::add).watch();
	}

	@AfterEach
	void close() {
		this.client.close();
	}

	/** At each look as much waits as before, but it is not the same. */
	@Test
	void slowReader_staysConnected_whileItReads() {
		for (int i = 0; i < 10; i++) {
			answerThatFillsTheSocket();
			look();
			assertThat(this.ends).as("look %d", i).isEmpty();
			this.client.peerReadsAgain();
			this.client.runTasks();
			assertThat(this.connection.backlog()).isZero();
		}
	}

	@Test
	void clientWithoutReads_isDisconnected_atSecondCheck() {
		answerThatFillsTheSocket();
		look();
		assertThat(this.ends).isEmpty();
		look();
		assertThat(this.ends).singleElement()
			.asString()
			.contains("reads no answers for half of rpc.server.idle-timeout");
	}

	private void answerThatFillsTheSocket() {
		this.client.peerStopsReading();
		this.connection.queue().enqueue(new ControlFrame(FrameType.PONG, 0, 1, new byte[ANSWER]));
		this.client.runTasks();
		assertThat(this.connection.backlog()).isPositive();
	}

	private void look() {
		this.client.pass(IDLE_TIMEOUT.toNanos() / 2);
	}

}
