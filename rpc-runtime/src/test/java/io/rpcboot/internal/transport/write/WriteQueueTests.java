package io.rpcboot.internal.transport.write;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.fixture.Wire;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the write queue from one thread. */
class WriteQueueTests {

	private static final Duration DELAY = Duration.ofMillis(1);

	private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

	private final RecordedFlushes recorder = new RecordedFlushes();

	private EmbeddedChannel channel = new EmbeddedChannel();

	private WriteQueue queue = open(
			BatchingOptions.defaults().withMaxMessages(128).withMaxBytes(64 * 1024).withMaxDelay(DELAY));

	private WriteQueue open(BatchingOptions batching) {
		WriteQueue[] result = new WriteQueue[1];
		this.channel = new EmbeddedChannel(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				channel.config().setAllocator(WriteQueueTests.this.allocator);
				result[0] = Connection
					.install(channel, "test", new FlushPolicy(batching), WriteQueueTests.this.recorder,
							(opened) -> EmbeddedConnections.handler(1024, opened, (any) -> new RecordingListener()))
					.queue();
			}
		});
		this.channel.flush();
		Wire.flushed(this.channel);
		this.channel.freezeTime();
		return result[0];
	}

	@AfterEach
	void nothingLeaks() {
		this.channel.finishAndReleaseAll();
		assertThat(this.allocator.metric().usedDirectMemory()).isZero();
		assertThat(this.allocator.metric().usedHeapMemory()).isZero();
	}

	private TestFrame enqueue(TestFrame frame) {
		assertThat(this.queue.enqueue(frame)).isTrue();
		return frame;
	}

	private List<TestFrame> enqueue(int count, int size) {
		return IntStream.rangeClosed(1, count).mapToObj((id) -> enqueue(new TestFrame(id, size))).toList();
	}

	private void writable(boolean writable) {
		this.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
	}

	private List<Long> flushedIds() {
		return Wire.parse(Wire.flushed(this.channel)).stream().map(Wire.Frame::callId).toList();
	}

	@Test
	void batch_isComposedInOneBuffer() {
		List<TestFrame> frames = enqueue(10, 100);
		this.channel.runPendingTasks();
		assertThat(Wire.flushedSizes(this.channel)).containsExactly(10 * (FrameHeader.LENGTH + 100));
		assertThat(this.recorder.flushes)
			.containsExactly(new RecordedFlushes.Flush(FlushReason.DRAINED, 10, 10 * (FrameHeader.LENGTH + 100)));
		assertThat(frames).allMatch((frame) -> frame.ends() == 1 && frame.succeeded.get() == 1);
	}

	@Test
	void frame_isWritten_withHeaderDeadlineAndBody() {
		TestFrame frame = enqueue(new TestFrame(7, 3).withDeadline(3000));
		frame.body[2] = 9;
		this.channel.runPendingTasks();
		assertThat(Wire.parse(Wire.flushed(this.channel))).containsExactly(
				Wire.Frame.of(5, 1, 0, 7, (byte) 0, (byte) 0, (byte) 0x0b, (byte) 0xb8, (byte) 0, (byte) 0, (byte) 9));
	}

	@Test
	void flush_isTriggered_atMaximumOfMessages() {
		enqueue(300, 1);
		this.channel.runPendingTasks();
		assertThat(this.recorder.flushes).extracting(RecordedFlushes.Flush::messages).containsExactly(128, 128, 44);
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.MESSAGES, FlushReason.MESSAGES,
				FlushReason.DRAINED);
		assertThat(flushedIds()).hasSize(300).isSorted();
	}

	@Test
	void flush_isTriggered_atMaximumOfBytes() {
		enqueue(12, 10_000);
		this.channel.runPendingTasks();
		assertThat(this.recorder.flushes).extracting(RecordedFlushes.Flush::messages).containsExactly(7, 5);
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.BYTES, FlushReason.DRAINED);
		assertThat(flushedIds()).hasSize(12).isSorted();
	}

	@Test
	void largeBody_isWritten_withoutCopy() {
		enqueue(new TestFrame(1, 100));
		enqueue(new TestFrame(2, OutboundFrame.LARGE_BODY + 1));
		enqueue(new TestFrame(3, OutboundFrame.LARGE_BODY));
		this.channel.runPendingTasks();
		assertThat(Wire.flushedSizes(this.channel)).containsExactly(FrameHeader.LENGTH + 100,
				FrameHeader.LENGTH + OutboundFrame.LARGE_BODY + 1, FrameHeader.LENGTH + OutboundFrame.LARGE_BODY);
	}

	@Test
	void drain_isBoundedAndYieldsToOtherTasks() {
		this.queue = open(
				BatchingOptions.defaults().withMaxMessages(1_000_000).withMaxBytes(1 << 30).withMaxDelay(DELAY));
		List<Long> begun = new ArrayList<>();
		List<TestFrame> frames = enqueue(3000, 0);
		this.channel.eventLoop().execute(() -> begun.add(frames.stream().filter((frame) -> frame.ends() == 1).count()));
		this.channel.runPendingTasks();
		assertThat(begun).containsExactly(1024L);
		assertThat(this.recorder.flushes).extracting(RecordedFlushes.Flush::messages).containsExactly(1024, 1024, 952);
		assertThat(flushedIds()).hasSize(3000).isSorted();
	}

	@Test
	void neverMode_flushesEachFrame() {
		this.queue = open(BatchingOptions.defaults()
			.withMode(Mode.NEVER)
			.withMaxMessages(128)
			.withMaxBytes(64 * 1024)
			.withMaxDelay(DELAY));
		enqueue(3, 10);
		this.channel.runPendingTasks();
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.MESSAGES, FlushReason.MESSAGES,
				FlushReason.MESSAGES);
		assertThat(Wire.flushedSizes(this.channel)).containsExactly(26, 26, 26);
	}

	@Test
	void alwaysMode_flushes_afterDelay() {
		this.queue = open(BatchingOptions.defaults()
			.withMode(Mode.ALWAYS)
			.withMaxMessages(128)
			.withMaxBytes(64 * 1024)
			.withMaxDelay(DELAY));
		enqueue(1, 10);
		this.channel.runPendingTasks();
		this.channel.advanceTimeBy(900, TimeUnit.MICROSECONDS);
		enqueue(1, 10);
		this.channel.runPendingTasks();
		assertThat(this.recorder.flushes).isEmpty();
		assertThat(Wire.flushedSizes(this.channel)).isEmpty();
		this.channel.advanceTimeBy(100, TimeUnit.MICROSECONDS);
		this.channel.runPendingTasks();
		assertThat(this.recorder.flushes).containsExactly(new RecordedFlushes.Flush(FlushReason.DELAY, 2, 52));
		assertThat(Wire.flushedSizes(this.channel)).containsExactly(52);
	}

	/** The other side may send nothing before it has come. */
	@Test
	void alwaysMode_flushesProtocolFramesAtOnce() {
		this.queue = open(BatchingOptions.defaults().withMode(Mode.ALWAYS).withMaxMessages(128).withMaxDelay(DELAY));
		enqueue(1, 10);
		this.channel.runPendingTasks();
		assertThat(flushedIds()).isEmpty();
		this.queue.enqueue(new ControlFrame(FrameType.WINDOW, 0, 2, OutboundFrame.NOTHING));
		this.channel.runPendingTasks();
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.DRAINED);
		assertThat(flushedIds()).containsExactly(1L, 2L);
		enqueue(new TestFrame(3, 10));
		this.channel.runPendingTasks();
		assertThat(flushedIds()).as("the next batch waits again").isEmpty();
		this.channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
		this.channel.runPendingTasks();
		assertThat(flushedIds()).containsExactly(3L);
	}

	@Test
	void alwaysMode_flushesFullBatchAndNextBatchHasOwnDelay() {
		this.queue = open(BatchingOptions.defaults()
			.withMode(Mode.ALWAYS)
			.withMaxMessages(2)
			.withMaxBytes(64 * 1024)
			.withMaxDelay(DELAY));
		enqueue(1, 10);
		this.channel.runPendingTasks();
		this.channel.advanceTimeBy(500, TimeUnit.MICROSECONDS);
		enqueue(2, 10);
		this.channel.runPendingTasks();
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.MESSAGES);
		this.channel.advanceTimeBy(500, TimeUnit.MICROSECONDS);
		this.channel.runPendingTasks();
		assertThat(this.recorder.flushes).as("the first batch's timer").hasSize(1);
		this.channel.advanceTimeBy(500, TimeUnit.MICROSECONDS);
		this.channel.runPendingTasks();
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.MESSAGES, FlushReason.DELAY);
		assertThat(flushedIds()).containsExactly(1L, 1L, 2L);
	}

	@Test
	void frames_areHeldWhileUnwritableAndResumeInOrder() {
		writable(false);
		List<TestFrame> frames = enqueue(200, 10);
		this.channel.runPendingTasks();
		assertThat(flushedIds()).isEmpty();
		assertThat(frames).allMatch((frame) -> frame.ends() == 0);
		writable(true);
		enqueue(new TestFrame(201, 10));
		this.channel.runPendingTasks();
		assertThat(flushedIds()).hasSize(201).isSorted();
		assertThat(frames).allMatch((frame) -> frame.ends() == 1 && frame.succeeded.get() == 1);
	}

	@Test
	void alwaysMode_flushes_whenSocketBecomesUnwritable() {
		this.queue = open(BatchingOptions.defaults()
			.withMode(Mode.ALWAYS)
			.withMaxMessages(128)
			.withMaxBytes(64 * 1024)
			.withMaxDelay(DELAY));
		enqueue(1, 10);
		this.channel.runPendingTasks();
		writable(false);
		enqueue(new TestFrame(2, 10));
		this.channel.runPendingTasks();
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.UNWRITABLE);
		assertThat(flushedIds()).containsExactly(1L);
		writable(true);
		this.channel.runPendingTasks();
		this.channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
		this.channel.runPendingTasks();
		assertThat(flushedIds()).containsExactly(2L);
	}

	/** The last flush of a drain empties the socket: nobody else will say so again. */
	@Test
	void heldFrame_isWritten_whenSameDrainMakesSocketWritable() {
		this.queue = open(BatchingOptions.defaults().withMaxMessages(128).withMaxBytes(1 << 20).withMaxDelay(DELAY));
		this.channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1024, 2048));
		enqueue(new TestFrame(1, OutboundFrame.LARGE_BODY + 1));
		TestFrame held = enqueue(new TestFrame(2, 10));
		this.channel.runPendingTasks();
		assertThat(this.recorder.reasons()).startsWith(FlushReason.UNWRITABLE);
		assertThat(held.written).hasValue(1);
		assertThat(flushedIds()).containsExactly(1L, 2L);
	}

	@Test
	void frameWithoutGrant_letsOthersPass_untilResumed() {
		boolean[] granted = new boolean[1];
		TestFrame call = enqueue(new TestFrame(1, 1)
			.admitted((writable) -> granted[0] ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET));
		enqueue(new TestFrame(2, 1));
		this.channel.runPendingTasks();
		assertThat(flushedIds()).containsExactly(2L);
		granted[0] = true;
		this.channel.runPendingTasks();
		assertThat(call.ends()).isZero();
		this.queue.blocked.resume();
		this.channel.runPendingTasks();
		assertThat(flushedIds()).containsExactly(1L);
	}

	@Test
	void skippedFrame_writesNothing() {
		TestFrame skipped = enqueue(new TestFrame(1, 1).admitted((writable) -> WriteDecision.SKIP));
		this.channel.runPendingTasks();
		assertThat(skipped.skipped).hasValue(1);
		assertThat(this.recorder.flushes).isEmpty();
		assertThat(Wire.flushedSizes(this.channel)).isEmpty();
	}

	@Test
	void abandonedFrames_doNotAccumulate() {
		writable(false);
		int[] asked = new int[1];
		for (int i = 0; i < 10_000; i++) {
			enqueue(new TestFrame(i, 0).admitted((writable) -> {
				asked[0] += writable ? 1 : 0;
				return writable ? WriteDecision.SKIP : WriteDecision.BLOCKED_BY_SOCKET;
			})).abandoned = true;
		}
		this.channel.runPendingTasks();
		writable(true);
		this.channel.runPendingTasks();
		assertThat(asked[0]).as("frames still held").isLessThanOrEqualTo(64);
	}

}
