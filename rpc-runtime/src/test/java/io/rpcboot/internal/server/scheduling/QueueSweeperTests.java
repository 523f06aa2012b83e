package io.rpcboot.internal.server.scheduling;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Side;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.server.fixture.CallSchedulerFixture;
import io.rpcboot.metrics.GaugeBook;
import io.rpcboot.metrics.RpcMetrics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The looks at the calls that wait for a thread. */
class QueueSweeperTests extends CallSchedulerFixture {

	/** More than one part of a sweep ends. */
	private static final int CALLS = 1100;

	/** What the next look meets, null for nothing. */
	private @Nullable Error failure;

	private long now() {
		if (this.failure != null) {
			throw this.failure;
		}
		return this.clock.get();
	}

	@Test
	void sweep_isRepeated_afterPartFails() {
		this.queue = new CallScheduler(this.pool, false, this::now);
		QueueSweeper beat = new QueueSweeper(new WorkerPoolStats(this.pool), this.queue, List.of(),
				RpcMetrics.none().transport(Side.SERVER));
		beat.start(this.server.loop());
		for (int i = 0; i < CALLS; i++) {
			arrives(100);
		}
		pass(200);
		beat.run();
		assertThat(inFlight()).as("they have only been seen").isEqualTo(CALLS);
		beat.run();
		assertThat(inFlight()).as("the rest is left to the next part").isBetween(1, CALLS - 1);
		assertThat(this.server.later).as("the beat and the next part").hasSize(2);
		this.failure = new NoClassDefFoundError("on purpose");
		assertThatThrownBy(this.server.later.get(1)::run).as("the loop logs it").isSameAs(this.failure);
		this.failure = null;
		beat.run();
		assertThat(inFlight()).isZero();
	}

	/** While all threads hang, no call that begins could tell it. */
	@Test
	void sweep_reportsQueueTimeOfOldestCall() {
		GaugeBook book = new GaugeBook();
		QueueSweeper beat = new QueueSweeper(new WorkerPoolStats(this.pool), this.queue, List.of(),
				book.transport(Side.SERVER));
		beat.run();
		assertThat(book.started).as("none waits").isEmpty();
		arrives(FOREVER);
		pass(30);
		arrives(FOREVER);
		beat.run();
		assertThat(book.started).as("they may be taken in a moment").isEmpty();
		pass(100);
		beat.run();
		pass(100);
		beat.run();
		assertThat(book.started).containsExactly(TimeUnit.MILLISECONDS.toNanos(130),
				TimeUnit.MILLISECONDS.toNanos(230));
		assertThat(take()).isNotNull();
		assertThat(take()).isNotNull();
		beat.run();
		pass(100);
		beat.run();
		assertThat(book.started).as("none waits any more").hasSize(2);
	}

}
