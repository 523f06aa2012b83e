package io.rpcboot.internal.server.runtime;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.binary.ServerFlowControl;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which calls begin, and in which order, while memory for responses is short.
 */
class ResponseMemoryTests {

	private static final long FOREVER = Long.MAX_VALUE;

	private static final int OF_A_THREAD = 64 * 1024;

	private static final int RESULT = 60_000;

	private HandDrivenServer server = server("x".repeat(RESULT));

	private long hog;

	private static HandDrivenServer server(String result) {
		HandDrivenServer server = new HandDrivenServer(1 << 18, result);
		server.expected = 0;
		return server;
	}

	@AfterEach
	void nothingIsInUse() {
		release(this.hog);
		this.server.channel.runPendingTasks();
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.runtime.inFlight.get()).as("calls in flight").isZero();
		assertThat(this.server.runtime.memory.waitingCalls()).isZero();
		assertThat(account().used(Direction.OUTGOING)).isZero();
		assertThat(account().used(Direction.INCOMING)).isZero();
	}

	@Test
	void waitingCalls_runInOrder_whenMemoryIsReleased() {
		leave(0);
		ServerCall first = this.server.start(FOREVER);
		ServerCall second = this.server.start(FOREVER);
		ServerCall third = this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.waitingCalls()).isEqualTo(3);
		release(OF_A_THREAD);
		assertThat(first.responseStarted).isTrue();
		assertThat(second.responseStarted).as("there is room for one").isFalse();
		release(OF_A_THREAD);
		assertThat(second.responseStarted).isTrue();
		assertThat(third.responseStarted).isFalse();
		assertThat(this.server.fetched).hasValue(2);
		assertThat(account().used(Direction.OUTGOING)).as("nobody goes over").isLessThan(account().mostOfOne());
	}

	/** It has room for a short response, and the method turned out to have long ones. */
	@Test
	void waitingCall_waitsOn_whenEstimateGrewMeanwhile() {
		leave(0);
		ServerCall call = this.server.start(FOREVER);
		int grown = 3 * OF_A_THREAD;
		this.server.method.results.accept(grown);
		release(OF_A_THREAD);
		assertThat(this.server.fetched).as("its reservation is a third of that").hasValue(0);
		assertThat(this.server.runtime.memory.waitingCalls()).isOne();
		assertThat(account().used(Direction.OUTGOING)).as("and is given back").isEqualTo(this.hog);
		release(grown - OF_A_THREAD);
		assertThat(call.responseStarted).isTrue();
	}

	@Test
	void waitingCall_runs_whenEstimateGrewByLessThanDouble() {
		leave(0);
		ServerCall call = this.server.start(FOREVER);
		this.server.method.results.accept(2 * OF_A_THREAD);
		release(OF_A_THREAD);
		assertThat(call.responseStarted).isTrue();
	}

	@Test
	void laterCall_waitsBehindWaitingCalls() {
		leave(0);
		this.server.start(FOREVER);
		release(OF_A_THREAD - 1);
		ServerCall later = this.server.start(FOREVER);
		release(1);
		assertThat(this.server.fetched).hasValue(1);
		assertThat(later.responseStarted).isFalse();
	}

	@Test
	void result_releasesUnusedReservation_beforeItIsWritten() {
		leave(OF_A_THREAD);
		this.server.start(FOREVER);
		assertThat(this.server.fetched).hasValue(1);
		assertThat(account().used(Direction.OUTGOING) - this.hog).as("nobody takes it")
			.isBetween((long) RESULT, RESULT + 100L);
	}

	@Test
	void shortResult_releasesWholeReservation() {
		for (int length : new int[] { 10, 500, 2000 }) {
			nothingIsInUse();
			this.server = server("x".repeat(length));
			leave(OF_A_THREAD);
			this.server.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
			this.server.start(FOREVER);
			assertThat(this.server.fetched).as("length %d", length).hasValue(1);
			assertThat(account().used(Direction.OUTGOING) - this.hog).as("length %d", length).isLessThan(length + 100L);
		}
	}

	@Test
	void clientThatTakesResults_isServed_whileMemoryIsShort() {
		leave(0);
		ServerCall newcomer = this.server.start(FOREVER);
		assertThat(newcomer.responseStarted).as("it has shown nothing").isFalse();
		release(OF_A_THREAD);
		ServerFlowControl flow = this.server.connection.flow();
		flow.onWindow(1 << 20, 0);
		this.server.channel.runPendingTasks();
		flow.onWindow(2 << 20, 0);
		leave(0);
		assertThat(this.server.start(FOREVER).responseStarted).isTrue();
		this.server.channel.runPendingTasks();
		long most = account().usable() * 5 / 8;
		account().overdraw(Direction.OUTGOING, most);
		this.hog += most;
		assertThat(account().isFarOverdrawn()).isTrue();
		assertThat(this.server.start(FOREVER).responseStarted).as("beyond what is set apart").isFalse();
	}

	@Test
	void shortage_ends_whenMemoryIsReleased() {
		leave(0);
		assertThat(this.server.runtime.memory.isShort).isTrue();
		release(account().mostOfOne() / 8);
		this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.isShort).isFalse();
		assertThat(this.server.fetched).hasValue(1);
	}

	private MemoryBudget account() {
		return this.server.account;
	}

	/**
	 * Reserves all but some bytes and the eighth of clients that read, and overdraws
	 * once.
	 */
	private void leave(long bytes) {
		long all = account().mostOfOne() - account().mostOfOne() / 8 - bytes - account().used(Direction.OUTGOING);
		assertThat(account().tryReserve(Direction.OUTGOING, all)).isTrue();
		this.hog += all;
		account().overdraw(Direction.OUTGOING, bytes + 1);
		account().release(Direction.OUTGOING, bytes + 1);
	}

	private void release(long bytes) {
		this.hog -= bytes;
		account().release(Direction.OUTGOING, bytes);
	}

}
