package io.rpcboot.internal.server.call;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import io.rpcboot.metrics.GaugeBook;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Of which calls is told how long they waited for a thread. */
class StartedTests {

	private static final int MAX_FRAME = 1 << 20;

	private static final long FOREVER = Long.MAX_VALUE;

	private final GaugeBook book = new GaugeBook();

	private final HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document", this.book);

	@BeforeEach
	void smallResultsThatTheClientTakes() {
		this.server.connection.replies().raise(1 << 20, false);
		this.server.expected = 0;
	}

	@AfterEach
	void everyCallHasEnded() {
		this.server.channel.runPendingTasks();
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.runtime.inFlight.get()).isZero();
	}

	@Test
	void queueTime_isSampledForOneIn64Calls() {
		for (int i = 0; i < 130; i++) {
			this.server.start(FOREVER);
			this.server.channel.runPendingTasks();
			this.server.channel.releaseOutbound();
		}
		assertThat(this.server.fetched).hasValue(130);
		assertThat(this.book.started).as("calls 1, 65 and 129").hasSize(3).allMatch((nanos) -> nanos >= 0);
	}

	@Test
	void queueTime_startsAtDecoding() {
		ServerCall call = startedBefore(TimeUnit.SECONDS.toNanos(3), 1);
		call.run();
		assertThat(this.book.started).singleElement()
			.satisfies(
					(nanos) -> assertThat(nanos).isBetween(TimeUnit.SECONDS.toNanos(3), TimeUnit.SECONDS.toNanos(60)));
	}

	/** All slow ones would make the others look slow. */
	@Test
	void slowCall_isNotSampledOutOfTurn() {
		this.server.start(FOREVER);
		startedBefore(TimeUnit.SECONDS.toNanos(3), 2).run();
		assertThat(this.server.fetched).hasValue(2);
		assertThat(this.book.started).as("that of the first call").hasSize(1);
	}

	@Test
	void sampledCall_reportsQueueTimeOnce_whenItWaitsForMemory() {
		this.server.expected = MAX_FRAME / 2;
		long hog = this.server.account.mostOfOne();
		this.server.account.tryReserveOutgoing(hog, true);
		this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.waitingCalls()).isOne();
		assertThat(this.book.started).hasSize(1);
		this.server.account.release(Direction.OUTGOING, hog);
		assertThat(this.server.fetched).hasValue(1);
		assertThat(this.book.started).hasSize(1);
	}

	private ServerCall startedBefore(long nanos, long id) {
		this.server.method.results.accept(0);
		this.server.method.results.entered();
		this.server.runtime.inFlight.incrementAndGet();
		return this.server.connection.newStream(this.server.invocation, false, id, 0, System.nanoTime() - nanos,
				FOREVER).call;
	}

}
