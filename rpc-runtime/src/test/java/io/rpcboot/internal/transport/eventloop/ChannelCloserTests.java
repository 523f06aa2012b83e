package io.rpcboot.internal.transport.eventloop;

import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ChannelCloserTests {

	private final LoopHeartbeat pulse = new LoopHeartbeat();

	private final HandDrivenChannel channel = new HandDrivenChannel(BatchingOptions.defaults());

	private final ChannelCloser closer = new ChannelCloser(this.channel, this.pulse);

	private void beat() {
		this.pulse.run();
		this.channel.loop.runToTheEnd();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 5 })
	void failedClose_isRepeatedByHeartbeat(int failures) {
		this.channel.failToClose(1);
		this.channel.failToPrepareClose(failures);
		this.closer.close();
		for (int i = 0; i < failures; i++) {
			beat();
			assertThat(this.channel.isOpen()).isTrue();
		}
		beat();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.channel.queue.enqueue(new TestFrame(1, 10))).as("the queue is open").isFalse();
	}

	@Test
	void handlers_learnOfClose_whoseMessageWasLost() {
		this.channel.closeFuture().addListener(this.closer);
		this.channel.loop.failToExecute(1);
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.channel.isRegistered()).as("netty has lost the message").isTrue();
		beat();
		assertThat(this.channel.isRegistered()).isFalse();
		assertThat(this.channel.queue.enqueue(new TestFrame(1, 10))).as("the queue is open").isFalse();
	}

	@Test
	void heartbeat_repeatsEachClose_whenOthersFail() {
		HandDrivenChannel other = new HandDrivenChannel(BatchingOptions.defaults());
		other.failToClose(1);
		new ChannelCloser(other, this.pulse).close();
		this.channel.failToClose(1);
		this.channel.failToPrepareClose(1);
		this.closer.close();
		beat();
		assertThat(other.isOpen()).isFalse();
		assertThat(this.channel.isOpen()).isTrue();
		beat();
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void connection_closes_whenLoopHasNoMemoryForTask() {
		this.channel.loop.failToExecute(1);
		boolean taken = this.channel.connection.execute(() -> {
			throw new AssertionError("it was not taken");
		});
		this.channel.loop.runToTheEnd();
		assertThat(taken).isFalse();
		assertThat(this.channel.isOpen()).isFalse();
	}

}
