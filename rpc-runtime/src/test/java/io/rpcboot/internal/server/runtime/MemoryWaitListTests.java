package io.rpcboot.internal.server.runtime;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.binary.BinaryServerStream;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that wait for memory without a thread, and what becomes of them. */
@Timeout(60)
class MemoryWaitListTests {

	private static final int MAX_FRAME = 1 << 20;

	private static final long FOREVER = Long.MAX_VALUE;

	private final HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document");

	private final MemoryBudget account = this.server.account;

	private long hog;

	@BeforeEach
	void clientTakesResults() {
		this.server.connection.replies().raise(1 << 20, false);
	}

	@AfterEach
	void everyCallEndedOnceAndNothingIsInUse() {
		release();
		this.server.channel.runPendingTasks();
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.runtime.inFlight.get()).as("calls in flight").isZero();
		assertThat(this.server.runtime.memory.waitingCalls()).isZero();
		assertThat(this.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.account.used(Direction.INCOMING)).isZero();
	}

	private String sent() {
		StringBuilder sent = new StringBuilder();
		for (ByteBuf out = this.server.channel.readOutbound(); out != null; out = this.server.channel.readOutbound()) {
			sent.append(out.toString(StandardCharsets.UTF_8));
			out.release();
		}
		return sent.toString();
	}

	@Test
	void cancelledCall_leavesWaitList() {
		fill();
		ServerCall cancelled = this.server.start(FOREVER);
		assertThat(this.account.isShort()).as("it waits").isTrue();
		this.server.connection.find(((BinaryServerStream) cancelled.sink).id()).call.cancel();
		assertThat(this.account.isShort()).as("nobody waits").isFalse();
		this.server.channel.runPendingTasks();
		assertThat(this.server.runtime.inFlight.get()).isZero();
		assertThat(this.server.fetched.get()).isZero();
	}

	@Test
	void closedConnection_removesItsCallsFromWaitList() {
		fill();
		this.server.start(FOREVER);
		this.server.start(FOREVER);
		this.server.channel.close();
		assertThat(this.account.isShort()).isFalse();
		assertThat(this.server.runtime.inFlight.get()).isZero();
		assertThat(this.server.fetched.get()).isZero();
	}

	@Test
	void expiredCall_leavesWaitList() {
		fill();
		ServerCall late = this.server.start(Duration.ofMillis(20).toNanos());
		ServerCall patient = this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.waitingCalls()).isEqualTo(2);
		Eventually.until("its time is over", late::isTimeOver);
		this.server.later.remove(0).run();
		assertThat(this.server.runtime.memory.waitingCalls()).isOne();
		assertThat(this.server.later).as("it looks again for the other").hasSize(1);
		this.server.channel.runPendingTasks();
		assertThat(sent())
			.contains("its time was over before the server had memory for its response (rpc.server.memory.limit)");
		assertThat(this.server.runtime.inFlight.get()).isOne();
		release();
		this.server.channel.runPendingTasks();
		assertThat(this.server.fetched.get()).isOne();
		assertThat(patient.responseStarted).isTrue();
	}

	@Test
	void waitingCall_runs_whenMemoryIsReleased() {
		fill();
		this.server.start(FOREVER);
		assertThat(this.server.fetched.get()).isZero();
		release();
		assertThat(this.server.fetched.get()).isOne();
	}

	@Test
	void waitingCall_isCancellable_whileMemoryIsOverdrawn() {
		fill();
		this.account.overdraw(Direction.OUTGOING, this.account.usable());
		this.hog += this.account.usable();
		ServerCall cancelled = this.server.start(FOREVER);
		this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.waitingCalls()).isEqualTo(2);
		cancelled.cancel();
		assertThat(this.server.runtime.memory.waitingCalls()).isOne();
		release();
		assertThat(this.server.fetched.get()).isOne();
	}

	@Test
	void expiryCheck_isScheduledByNextCall_afterLoopEnded() {
		fill();
		this.server.loopHasEnded = true;
		this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.waitingCalls()).as("it waits all the same").isOne();
		this.server.loopHasEnded = false;
		this.server.start(FOREVER);
		assertThat(this.server.later).hasSize(1);
	}

	/** Its turn comes while it is cancelled: it ends once, and nothing is left. */
	@Test
	void call_endsOnce_whenAdmissionRacesWithCancel() throws Exception {
		race(() -> {
			fill();
			return this.server.start(FOREVER);
		}, (call) -> release());
	}

	/** It begins to wait while it is cancelled. */
	@Test
	void call_endsOnce_whenWaitingRacesWithCancel() throws Exception {
		race(() -> {
			fill();
			return this.server.newCall(FOREVER);
		}, ServerCall::run);
	}

	private interface Preparation {

		ServerCall call();

	}

	private interface Contender {

		void meet(ServerCall call);

	}

	private void race(Preparation preparation, Contender contender) throws Exception {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try {
			CyclicBarrier barrier = new CyclicBarrier(2);
			for (int round = 0; round < 3000; round++) {
				ServerCall call = preparation.call();
				Future<?> other = pool.submit(() -> {
					barrier.await();
					contender.meet(call);
					return null;
				});
				barrier.await();
				call.cancel();
				other.get(20, TimeUnit.SECONDS);
				assertThat(this.server.runtime.memory.waitingCalls()).as("waiting in round %d", round).isZero();
				assertThat(this.account.isShort()).isFalse();
				release();
				this.server.channel.runPendingTasks();
				assertThat(this.server.runtime.inFlight.get()).as("in flight in round %d", round).isZero();
				assertThat(this.account.used(Direction.OUTGOING)).as("bytes in round %d", round).isZero();
				this.server.channel.releaseOutbound();
			}
		}
		finally {
			pool.shutdown();
		}
	}

	/** Leave no memory for results. */
	private void fill() {
		this.hog = this.account.mostOfOne();
		assertThat(this.account.tryReserveOutgoing(this.hog, true)).isTrue();
	}

	private void release() {
		this.account.release(Direction.OUTGOING, this.hog);
		this.hog = 0;
	}

}
