package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.transport.fixture.HandDrivenChannel;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Defects that were seen in the batching of other engines, each tried on our write queue.
 * Those that show only between a client and a server are in
 * {@code io.rpcboot.engine.BatchingDefectsIntegrationTests}.
 */
class BatchingDefectsTests {

	private final RecordedFlushes recorder = new RecordedFlushes();

	private final List<TestFrame> frames = new ArrayList<>();

	private HandDrivenChannel channel = open(Mode.AUTO);

	private HandDrivenChannel open(Mode mode) {
		return new HandDrivenChannel(
				BatchingOptions.defaults().withMode(mode).withMaxMessages(128).withMaxBytes(64 * 1024), this.recorder);
	}

	@AfterEach
	void close() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.channel.usedMemory()).isZero();
	}

	private List<TestFrame> enqueue(int count) {
		List<TestFrame> batch = IntStream.range(0, count)
			.mapToObj((i) -> new TestFrame(this.frames.size() + i + 1, 10))
			.toList();
		batch.forEach((frame) -> assertThat(this.channel.queue.enqueue(frame)).isTrue());
		this.frames.addAll(batch);
		return batch;
	}

	@Test
	@DisplayName("SOFARPC, Dubbo: an exception on one item loses the rest of the snapshot")
	void failingCallback_losesNoOtherFrame() {
		for (TestFrame frame : enqueue(20)) {
			if (frame.id() % 5 == 0) {
				frame.onEnd = () -> {
					throw new IllegalStateException("thrown on purpose");
				};
			}
		}
		this.channel.loop.runToTheEnd();
		enqueue(5);
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).allMatch((frame) -> frame.succeeded.get() == 1);
		assertThat(this.channel.sent).hasSize(25).isSorted();
	}

	@Test
	@DisplayName("SOFARPC, Dubbo: 128 are prepared and the 129th flushes")
	void batch_isLimitedToItsThreshold() {
		enqueue(129);
		this.channel.loop.runToTheEnd();
		assertThat(this.recorder.flushes).extracting(RecordedFlushes.Flush::messages).containsExactly(128, 1);
	}

	@Test
	@DisplayName("SOFARPC: what is enqueued while the drain ends waits for the next enqueue")
	void frameEnqueuedDuringDrain_isWritten() {
		TestFrame late = new TestFrame(2, 10);
		enqueue(1).get(0).onEnd = () -> assertThat(this.channel.queue.enqueue(late)).isTrue();
		this.channel.loop.runToTheEnd();
		assertThat(late.succeeded).hasValue(1);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("Dubbo: the listener of one flush also completes the promises of the next")
	void promises_completeSeparatelyForConsecutiveFlushes(Mode mode) {
		this.channel.close();
		this.channel = open(mode);
		this.channel.peerStopsReading();
		List<TestFrame> first = enqueue(3);
		this.channel.loop.runToTheEnd();
		List<ChannelPromise> kept = new ArrayList<>();
		this.channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
			@Override
			public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
				kept.add(promise);
				context.write(message, context.newPromise());
			}
		});
		List<TestFrame> second = enqueue(3);
		this.channel.loop.runToTheEnd();
		this.channel.peerReadsAgain();
		this.channel.loop.runToTheEnd();
		assertThat(first).allMatch((frame) -> frame.succeeded.get() == 1);
		assertThat(second).as("their write is not done").allMatch((frame) -> frame.succeeded.get() == 0);
		kept.forEach(ChannelPromise::setSuccess);
		this.channel.loop.runToTheEnd();
		assertThat(second).allMatch((frame) -> frame.succeeded.get() == 1);
	}

	@Test
	@DisplayName("Dubbo: a flush after each write defeats the queue")
	void writes_shareOneFlush() {
		enqueue(100);
		this.channel.loop.runToTheEnd();
		assertThat(this.recorder.flushes).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("simple-rpc: the promises of a batched write are dropped")
	void framePromises_completeOnce_whenBatched(Mode mode) {
		this.channel.close();
		this.channel = open(mode);
		enqueue(300);
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).allMatch((frame) -> frame.succeeded.get() == 1 && frame.failed.get() == 0);
	}

	@Test
	@DisplayName("simple-rpc: buffers that wait for the window are not released when the channel closes")
	void close_releasesBuffersOfOpenBatch() {
		this.channel.close();
		this.channel = open(Mode.ALWAYS);
		enqueue(10);
		this.channel.loop.runTasks();
		assertThat(this.recorder.flushes).as("the window is open").isEmpty();
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.frames).allMatch((frame) -> frame.failed.get() == 1);
		assertThat(this.channel.usedMemory()).isZero();
	}

	@Test
	@DisplayName("simple-rpc: full batches raise the factor without limit, and a lone caller pays for it")
	void singleFrames_areFlushedAtOnce_afterFullBatches() {
		for (int i = 0; i < 200; i++) {
			enqueue(256);
			this.channel.loop.runToTheEnd();
		}
		int within = 0;
		for (int i = 0; i < 200; i++) {
			int before = this.channel.sent.size();
			enqueue(1);
			this.channel.loop.runTasks();
			within += this.channel.sent.size() - before;
			this.channel.loop.runToTheEnd();
		}
		assertThat(within).as("of 200 lone frames, those that did not wait for a timer").isGreaterThan(190);
	}

	@Test
	@DisplayName("simple-rpc: a shift by 20 turns milliseconds into nanoseconds and makes them 4.9 % longer")
	void delay_matchesItsOption() {
		this.channel.close();
		this.channel = open(Mode.ALWAYS);
		enqueue(1);
		this.channel.loop.runTasks();
		this.channel.loop.pass(TimeUnit.MILLISECONDS.toNanos(1) - 1);
		assertThat(this.recorder.flushes).isEmpty();
		this.channel.loop.pass(1);
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.DELAY);
	}

	@Test
	@DisplayName("simple-rpc: a connection that closes without a flush divides by zero")
	void emptyFlush_isNotRecorded() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
		assertThat(this.recorder.flushes).allMatch((flush) -> flush.messages() > 0 && flush.bytes() > 0);
	}

	@Test
	@DisplayName("simple-rpc: header and body go out in two writes")
	void headersAndBodies_areWrittenInOneBuffer() {
		List<Integer> sizes = new ArrayList<>();
		this.channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
			@Override
			public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
				sizes.add(((io.netty.buffer.ByteBuf) message).readableBytes());
				context.write(message, promise);
			}
		});
		enqueue(3);
		this.channel.loop.runToTheEnd();
		assertThat(sizes).containsExactly(3 * (FrameHeader.LENGTH + 10));
	}

}
