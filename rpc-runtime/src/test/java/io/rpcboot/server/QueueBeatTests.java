package io.rpcboot.server;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.rpcboot.engine.LogRecorder;
import io.rpcboot.internal.concurrent.PoolView;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** The looks at the calls that wait for a thread. */
class QueueBeatTests extends CallQueueFixture {

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
	void aPartOfASweepThatFailsIsNotTheLast() {
		this.queue = new CallQueue(this.pool, false, this::now);
		QueueBeat beat = new QueueBeat(new PoolView(this.pool), this.queue, List.of());
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
		try (LogRecorder log = new LogRecorder(QueueBeat.class.getName())) {
			this.failure = new NoClassDefFoundError("on purpose");
			this.server.later.get(1).run();
			assertThat(log.messages()).containsExactly("Looking at the calls that wait failed");
		}
		this.failure = null;
		beat.run();
		assertThat(inFlight()).isZero();
	}

}
