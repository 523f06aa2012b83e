package io.rpcboot.internal.server.connection.binary;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that take their results slowly, and the end of a connection. */
class ServerFlowControlTests {

	private static final int RESULT = 100_000;

	private final HandDrivenServer server = new HandDrivenServer(1 << 20, "x".repeat(RESULT));

	private int tick;

	@AfterEach
	void nothingIsInUse() {
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.server.account.used(Direction.INCOMING)).isZero();
		assertThat(this.server.runtime.inFlight.get()).isZero();
	}

	@Test
	void clientWithoutReads_isDisconnected_whileMemoryIsShort() {
		this.server.start(Long.MAX_VALUE);
		ticks(6);
		assertThat(this.server.channel.isOpen()).isTrue();
		ticks(1);
		assertThat(this.server.channel.isOpen()).isFalse();
	}

	/** The loop has neither read requests nor written results in the meantime. */
	@Test
	void busyEventLoop_countsOneTick_forThoseItMissed() {
		this.server.start(Long.MAX_VALUE);
		ticks(1);
		for (int i = 0; i < 20; i++) {
			this.server.connection.life.progress.relieve(++this.tick);
		}
		this.server.channel.runPendingTasks();
		assertThat(this.server.channel.isOpen()).isTrue();
		ticks(4);
		assertThat(this.server.channel.isOpen()).isTrue();
		ticks(1);
		assertThat(this.server.channel.isOpen()).isFalse();
	}

	/** Its callers take what arrived before; the result needs all of it. */
	@ParameterizedTest
	@CsvSource({ "4096, true", "4095, false" })
	void client_staysConnected_whenItRaisesItsWindowInLargeSteps(int step, boolean stays) {
		this.server.start(Long.MAX_VALUE);
		for (int i = 1; i <= 20; i++) {
			ticks(1);
			this.server.connection.flow().onWindow((long) i * step, 0);
		}
		assertThat(this.server.channel.isOpen()).isEqualTo(stays);
	}

	@Test
	void unneededGrant_isNotCountedAsProgress() {
		this.server.connection.replies().raise(1 << 20, false);
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		this.server.start(Long.MAX_VALUE);
		for (int i = 1; i <= 9; i++) {
			ticks(1);
			this.server.connection.flow().onWindow((1 << 20) + i * 8192L, 0);
		}
		assertThat(this.server.channel.isOpen()).isFalse();
	}

	@Test
	void readingStatus_isGained_whenClientRaisesItsWindowAfterResults() {
		ServerFlowControl flow = this.server.connection.flow();
		flow.onWindow(1 << 20, 0);
		assertThat(this.server.connection.life.progress.takesResults()).as("it has got none").isFalse();
		this.server.start(Long.MAX_VALUE);
		this.server.channel.runPendingTasks();
		flow.onWindow((1 << 20) + 4095, 0);
		assertThat(this.server.connection.life.progress.takesResults()).as("this is no step").isFalse();
		flow.onWindow((1 << 20) + 8191, 0);
		assertThat(this.server.connection.life.progress.takesResults()).isTrue();
	}

	@Test
	void readingStatus_isLost_afterLongStall() {
		ServerFlowControl flow = takesResults();
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		this.server.start(Long.MAX_VALUE);
		assertThat(this.server.connection.life.progress.takesResults()).as("much waits").isFalse();
		ticks(3);
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
		this.server.channel.runPendingTasks();
		assertThat(this.server.connection.life.progress.takesResults()).as("it stood for a moment").isTrue();
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		this.server.start(Long.MAX_VALUE);
		ticks(6);
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
		this.server.channel.runPendingTasks();
		assertThat(this.server.connection.life.progress.takesResults()).isFalse();
	}

	/** It would take no answer, so it is no matter that it reads none. */
	@Test
	void oneWayCall_releasesMemory_whenClientReadsNothing() {
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		this.server.begin(this.server.newCall(Long.MAX_VALUE, true));
		this.server.channel.runPendingTasks();
		assertThat(this.server.fetched).hasValue(1);
		assertNothingIsKept();
	}

	@Test
	void cancelledCall_releasesMemory_whenClientReadsNothing() {
		this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		ServerCall call = this.server.start(Long.MAX_VALUE);
		this.server.channel.runPendingTasks();
		assertThat(this.server.account.used(Direction.OUTGOING)).as("its answer waits").isPositive();
		call.cancel();
		assertThat(this.server.connection.replies().blocked.dropExpired()).as("others wait").isFalse();
		this.server.channel.runPendingTasks();
		assertNothingIsKept();
	}

	private void assertNothingIsKept() {
		assertThat(this.server.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.server.runtime.inFlight).hasValue(0);
		assertThat(this.server.connection.inFlight.size()).isZero();
	}

	private ServerFlowControl takesResults() {
		ServerFlowControl flow = this.server.connection.flow();
		flow.onWindow(1 << 20, 0);
		this.server.start(Long.MAX_VALUE);
		this.server.channel.runPendingTasks();
		flow.onWindow(2 << 20, 0);
		return flow;
	}

	private void ticks(int count) {
		this.server.channel.runPendingTasks();
		for (int i = 0; i < count; i++) {
			this.server.connection.life.progress.relieve(++this.tick);
			this.server.channel.runPendingTasks();
		}
	}

}
