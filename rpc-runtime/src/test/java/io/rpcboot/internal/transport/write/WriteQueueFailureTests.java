package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests failures in the middle of a batch and their reports. */
class WriteQueueFailureTests {

	private HandDrivenChannel channel = open(Mode.AUTO);

	private final List<TestFrame> frames = new ArrayList<>();

	private static HandDrivenChannel open(Mode mode) {
		return new HandDrivenChannel(options(mode));
	}

	private static BatchingOptions options(Mode mode) {
		return BatchingOptions.defaults().withMode(mode).withMaxMessages(128).withMaxBytes(64 * 1024);
	}

	@AfterEach
	void everyFrameEndedOnceAndNothingLeaks() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).allSatisfy((frame) -> {
			assertThat(frame.ends()).as("ends of frame %d", frame.id()).isOne();
			assertThat(frame.succeeded.get() + frame.failed.get()).as("outcomes of frame %d", frame.id())
				.isEqualTo(frame.written.get());
		});
		assertThat(this.channel.usedMemory()).as("bytes leaked").isZero();
	}

	private TestFrame enqueue(int size) {
		TestFrame frame = new TestFrame(this.frames.size() + 1, size);
		this.frames.add(frame);
		assertThat(this.channel.queue.enqueue(frame)).isTrue();
		return frame;
	}

	private void enqueue(int count, int size) {
		for (int i = 0; i < count; i++) {
			enqueue(size);
		}
	}

	/** A frame that fails its own call says SKIP. */
	@Test
	void skippedFrame_losesNoOtherFrame() {
		enqueue(5, 10);
		enqueue(10).admitted((writable) -> WriteDecision.SKIP);
		enqueue(5, 10);
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).containsExactly(1L, 2L, 3L, 4L, 5L, 7L, 8L, 9L, 10L, 11L);
		assertThat(this.frames).filteredOn((frame) -> frame.succeeded.get() == 1).hasSize(10);
		assertThat(this.channel.isOpen()).isTrue();
	}

	/** The frame that failed may be incomplete, and others would complete it. */
	@Test
	void queue_writesNothingMore_beforeItIsClosed() {
		this.channel.failToClose(2);
		enqueue(10).admitted((writable) -> {
			throw new IllegalStateException("fails on purpose");
		});
		this.frames.clear(); // whoever breaks the queue is nobody's call
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.isOpen()).isTrue();
		enqueue(10);
		assertThat(this.channel.queue.writeNow(new TestFrame(2, 10), new byte[10])).isFalse();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).isEmpty();
		assertThat(this.channel.isOpen()).isTrue();
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).allMatch((frame) -> frame.rejected.get() == 1);
	}

	/** Otherwise their calls would wait for a later frame. */
	@Test
	void queue_closesConnection_whenLoopRefusesItsTask() {
		this.channel.loop.failToExecute(1);
		enqueue(10);
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.frames).allMatch((frame) -> frame.rejected.get() == 1);
	}

	/** Later bytes would be taken for the rest of a frame. */
	@Test
	void heldBatch_isNotFlushed_afterFailure() {
		this.channel.close();
		this.channel = open(Mode.ALWAYS);
		enqueue(10);
		this.channel.loop.runTasks();
		this.channel.failToClose(2);
		enqueue(10).admitted((writable) -> {
			throw new IllegalStateException("fails on purpose");
		});
		this.frames.remove(1); // whoever breaks the queue is nobody's call
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.isOpen()).isTrue();
		assertThat(this.channel.sent).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3 })
	void failedAllocation_closesConnectionAndEndsEveryFrame(int buffers) {
		this.channel.buffersLeft(buffers);
		for (int i = 0; i < 6; i++) {
			enqueue(100);
			enqueue(OutboundFrame.LARGE_BODY + 1);
		}
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.frames).filteredOn((frame) -> frame.rejected.get() == 1).isNotEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void unwrittenFrames_failOrAreRejected_whenStalledConnectionCloses(Mode mode) {
		this.channel.close();
		this.channel = open(mode);
		this.channel.peerStopsReading();
		enqueue(300, 1000);
		this.channel.loop.runToTheEnd();
		long begun = this.frames.stream().filter((frame) -> frame.ends() == 1).count();
		assertThat(begun).as("frames in a socket that takes no more").isBetween(1L, 299L);
		assertThat(this.frames).allMatch((frame) -> frame.succeeded.get() + frame.failed.get() == 0);
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).filteredOn((frame) -> frame.failed.get() == 1).hasSize((int) begun);
		assertThat(this.frames).filteredOn((frame) -> frame.rejected.get() == 1).hasSize(300 - (int) begun);
		assertThat(this.channel.sent).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void frames_areWrittenInOrder_whenPeerReadsAgain(Mode mode) {
		this.channel.close();
		this.channel = open(mode);
		this.channel.peerStopsReading();
		enqueue(300, 1000);
		this.channel.loop.runToTheEnd();
		this.frames.get(299).abandoned = true;
		this.channel.peerReadsAgain();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).hasSize(300).isSorted();
		assertThat(this.frames).allMatch((frame) -> frame.succeeded.get() == 1);
	}

	/** While the socket takes no more, held frames that were given up go unwritten. */
	@Test
	void abandonedFrames_areNotWritten_whenPeerReadsAgain() {
		this.channel.peerStopsReading();
		enqueue(100, 1000);
		this.channel.loop.runToTheEnd();
		List<TestFrame> cancelled = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			TestFrame frame = enqueue(1000);
			frame.admitted((writable) -> frame.abandoned ? WriteDecision.SKIP
					: writable ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET);
			cancelled.add(frame);
		}
		this.channel.loop.runToTheEnd();
		cancelled.forEach((frame) -> frame.abandoned = true);
		this.channel.peerReadsAgain();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.sent).hasSize(100).isSorted();
		assertThat(cancelled).allMatch((frame) -> frame.skipped.get() == 1);
	}

	@Test
	void queuedFrames_endOnce_whenEventLoopEnds() {
		enqueue(10, 10);
		this.channel.close();
		enqueue(10, 10);
		this.channel.loop.end();
		assertThat(this.frames).allMatch((frame) -> frame.ends() == 1 && frame.succeeded.get() == 0);
		TestFrame late = new TestFrame(99, 10);
		assertThat(this.channel.queue.enqueue(late)).isFalse();
		assertThat(late.ends()).isZero();
	}

	@Test
	void failingRecorder_losesNoFrame() {
		this.channel.close();
		this.channel = new HandDrivenChannel(options(Mode.AUTO), new RecordedFlushes() {
			@Override
			public void flushed(FlushReason reason, int messages, int bytes) {
				throw new IllegalStateException("thrown on purpose");
			}
		});
		enqueue(300, 10);
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).filteredOn((frame) -> frame.succeeded.get() == 1).isNotEmpty();
	}

}
