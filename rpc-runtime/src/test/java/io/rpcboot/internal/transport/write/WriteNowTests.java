package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.List;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.transport.binary.BinaryBlockedFrames;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.fixture.Wire;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Frames that the event loop writes without enqueueing them. */
class WriteNowTests {

	private static final int MAX_MESSAGES = 8;

	private final HandDrivenChannel channel = new HandDrivenChannel(
			BatchingOptions.defaults().withMaxMessages(MAX_MESSAGES).withMaxBytes(64 * 1024));

	private final List<TestFrame> frames = new ArrayList<>();

	private final List<TestFrame> refused = new ArrayList<>();

	@AfterEach
	void everyFrameEndedOnceAndNothingLeaks() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).allSatisfy((frame) -> {
			boolean taken = !this.refused.contains(frame);
			assertThat(frame.ends()).as("ends of frame %d", frame.id()).isEqualTo(taken ? 1 : 0);
			assertThat(frame.succeeded.get() + frame.failed.get()).as("outcomes of frame %d", frame.id())
				.isEqualTo(frame.written.get());
		});
		assertThat(this.channel.usedMemory()).as("bytes leaked").isZero();
	}

	private TestFrame frame(int size) {
		TestFrame frame = new TestFrame(this.frames.size() + 1, size);
		this.frames.add(frame);
		return frame;
	}

	private TestFrame enqueue(int size) {
		TestFrame frame = frame(size);
		assertThat(this.channel.queue.enqueue(frame)).isTrue();
		return frame;
	}

	private boolean writeNow(TestFrame frame) {
		boolean taken = this.channel.queue.writeNow(frame, new byte[frame.length]);
		if (!taken) {
			this.refused.add(frame);
		}
		return taken;
	}

	@Test
	void frame_followsQueuedFramesAndLeavesWithNextDrain() {
		enqueue(10);
		enqueue(10);
		assertThat(writeNow(frame(10))).isTrue();
		enqueue(10);
		assertThat(writeNow(frame(10))).isTrue();
		assertThat(this.channel.sent).isEmpty();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).containsExactly(1L, 2L, 3L, 4L, 5L);
		assertThat(this.frames).allMatch((frame) -> frame.succeeded.get() == 1);
	}

	@Test
	void batch_isFlushedAtOnce_whenFull() {
		for (int i = 0; i < MAX_MESSAGES + 1; i++) {
			assertThat(writeNow(frame(10))).isTrue();
		}
		assertThat(this.channel.sent).hasSize(MAX_MESSAGES);
		assertThat(this.frames).filteredOn((frame) -> frame.succeeded.get() == 1).hasSize(MAX_MESSAGES);
	}

	@Test
	void body_isCopiedFromGivenArray() {
		EmbeddedChannel embedded = new EmbeddedChannel();
		WriteQueue queue = Connection
			.install(embedded, "test",
					new FlushPolicy(BatchingOptions.defaults().withMaxMessages(8).withMaxBytes(1024)), null,
					(opened) -> EmbeddedConnections.handler(1024, opened, (any) -> new RecordingListener()))
			.queue();
		TestFrame frame = new TestFrame(1, 0);
		frame.length = 2;
		byte[] longer = { 7, 8, 9 };
		assertThat(queue.writeNow(frame, longer)).isTrue();
		longer[0] = 1;
		embedded.runPendingTasks();
		assertThat(Wire.parse(Wire.flushed(embedded))).singleElement()
			.satisfies((sent) -> assertThat(sent.bodyBytes()).containsExactly(7, 8));
		embedded.finishAndReleaseAll();
	}

	@Test
	void frame_isRefused_onOtherThread() throws InterruptedException {
		TestFrame frame = frame(10);
		Thread other = new Thread(() -> writeNow(frame));
		other.start();
		other.join();
		assertThat(this.refused).containsExactly(frame);
	}

	@Test
	void frame_isRefused_withLargeBody() {
		assertThat(writeNow(frame(OutboundFrame.LARGE_BODY))).isTrue();
		assertThat(writeNow(frame(OutboundFrame.LARGE_BODY + 1))).isFalse();
	}

	@Test
	void frame_isRefused_whileOthersWait() {
		TestFrame waiting = enqueue(10).admitted((writable) -> WriteDecision.BLOCKED_BY_WINDOW);
		assertThat(writeNow(frame(10))).isFalse();
		waiting.admitted((writable) -> WriteDecision.WRITE);
		this.channel.queue.blocked.resume();
		this.channel.loop.runToTheEnd();
		assertThat(writeNow(frame(10))).isTrue();
	}

	@Test
	void frame_isRefused_withoutGrant() {
		assertThat(writeNow(frame(10).admitted((writable) -> WriteDecision.BLOCKED_BY_WINDOW))).isFalse();
	}

	@Test
	void frame_isRefused_whileSocketIsFull() {
		this.channel.peerStopsReading();
		while (this.channel.isWritable()) {
			assertThat(writeNow(frame(8000))).isTrue();
		}
		assertThat(writeNow(frame(10))).isFalse();
		this.channel.peerReadsAgain();
		assertThat(writeNow(frame(10))).isTrue();
	}

	@Test
	void frame_isRefused_afterClose() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(writeNow(frame(10))).isFalse();
	}

	@Test
	void skippedFrame_isAccepted_withoutBeingSent() {
		assertThat(writeNow(frame(10).admitted((writable) -> WriteDecision.SKIP))).isTrue();
		assertThat(writeNow(frame(10))).isTrue();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).containsExactly(2L);
	}

	@Test
	void failedAllocation_closesConnectionAndFailsFrame() {
		this.channel.buffersLeft(0);
		assertThat(writeNow(frame(10))).isTrue();
		assertThat(this.channel.isOpen()).isFalse();
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).singleElement().satisfies((frame) -> assertThat(frame.failed).hasValue(1));
	}

	@Test
	void frame_isRefused_whenEarlierFrameBreaksConnection() {
		this.channel.buffersLeft(0);
		enqueue(10);
		assertThat(writeNow(frame(10))).isFalse();
		assertThat(this.channel.isOpen()).isFalse();
	}

	/** What waits goes first, even if it may go now and nobody has looked since. */
	@Test
	void frame_isRefused_whileOlderHeldFrameIsWritable() {
		TestFrame held = enqueue(10).admitted((writable) -> WriteDecision.BLOCKED_BY_SOCKET);
		this.channel.loop.runToTheEnd();
		held.admitted((writable) -> WriteDecision.WRITE);
		enqueue(10);
		assertThat(writeNow(frame(10))).isFalse();
		this.channel.queue.blocked.resume();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).containsExactly(1L, 2L);
	}

	@Test
	void skippedWaitingFrame_completesBatch() {
		TestFrame waiting = enqueue(10).admitted((writable) -> WriteDecision.BLOCKED_BY_WINDOW);
		this.channel.loop.runToTheEnd();
		int[] batches = new int[1];
		this.channel.queue.afterBatch(() -> batches[0]++);
		waiting.admitted((writable) -> WriteDecision.SKIP);
		((BinaryBlockedFrames) this.channel.queue.blocked).unblock(waiting);
		this.channel.loop.runToTheEnd();
		assertThat(batches[0]).isOne();
	}

	@Test
	void frames_areNotified_beforeBatchEnds() {
		List<Integer> told = new ArrayList<>();
		this.channel.queue
			.afterBatch(() -> told.add(this.frames.stream().mapToInt((frame) -> frame.succeeded.get()).sum()));
		for (int i = 0; i < MAX_MESSAGES; i++) {
			writeNow(frame(10));
		}
		assertThat(told).containsExactly(MAX_MESSAGES);
	}

}
