package io.rpcboot.internal.transport.write;

import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One frame in 64 is measured until the socket has taken it, by the clock of its loop.
 */
class SocketWaitSamplerTests {

	private static final int EACH = 64;

	private final RecordedFlushes recorder = new RecordedFlushes();

	private final HandDrivenChannel channel = open(this.recorder);

	private static HandDrivenChannel open(@Nullable RecordedFlushes recorder) {
		HandDrivenChannel channel = new HandDrivenChannel(
				BatchingOptions.defaults().withMode(Mode.AUTO).withMaxMessages(128), recorder);
		channel.loop.runToTheEnd();
		channel.loop.pass(1000);
		return channel;
	}

	private long now() {
		return this.channel.loop.ticker().initialNanoTime() + this.channel.loop.ticker().nanoTime();
	}

	private void send(int count) {
		for (int i = 0; i < count; i++) {
			this.channel.queue.enqueue(new TestFrame(i + 1, 10).startedAt(now() - i));
		}
		this.channel.loop.runTasks();
	}

	private void sendEach(int count) {
		for (int i = 0; i < count; i++) {
			send(1);
		}
	}

	@Test
	void singleFrames_areSampledOneIn64() {
		sendEach(EACH);
		assertThat(this.recorder.written).isEmpty();
		sendEach(1);
		assertThat(this.recorder.written).containsExactly(0L);
		sendEach(EACH - 1);
		assertThat(this.recorder.written).hasSize(1);
		sendEach(1);
		assertThat(this.recorder.written).hasSize(2);
	}

	@Test
	void oldestFrameOfBatch_isSampled() {
		sendEach(EACH);
		this.channel.queue.enqueue(new TestFrame(1, 10).startedAt(now() - 5000));
		send(20);
		assertThat(this.recorder.written).containsExactly(5000L);
		assertThat(this.recorder.flushes.get(this.recorder.flushes.size() - 1).messages()).isEqualTo(21);
	}

	@Test
	void sample_includesTimeInFullSocket() {
		sendEach(EACH);
		this.channel.peerStopsReading();
		send(1);
		assertThat(this.recorder.written).isEmpty();
		this.channel.loop.pass(3000);
		sendEach(2 * EACH);
		assertThat(this.recorder.written).as("one at a time").isEmpty();
		this.channel.peerReadsAgain();
		assertThat(this.recorder.written).containsExactly(3000L);
	}

	@Test
	void unwrittenFrame_isNotSampled() {
		sendEach(EACH);
		this.channel.peerStopsReading();
		send(1);
		this.channel.loop.pass(3000);
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.recorder.written).isEmpty();
	}

	@Test
	void batchWithoutStartTime_isNotSampled() {
		sendEach(EACH);
		this.channel.queue.enqueue(new ControlFrame(FrameType.PING, 0, 1, OutboundFrame.NOTHING));
		this.channel.loop.runTasks();
		sendEach(EACH - 1);
		assertThat(this.recorder.written).isEmpty();
		sendEach(1);
		assertThat(this.recorder.written).containsExactly(0L);
	}

	@Test
	void sampling_isOff_withoutRecorder() {
		HandDrivenChannel silent = open(null);
		for (int i = 0; i < 2 * EACH; i++) {
			silent.queue.enqueue(new TestFrame(i + 1, 10));
			silent.loop.runTasks();
		}
		assertThat(silent.queue.batch.completedWrites).isGreaterThanOrEqualTo(2 * EACH);
	}

}
