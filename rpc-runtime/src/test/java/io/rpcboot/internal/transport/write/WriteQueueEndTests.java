package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
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

/** Tests the ends of frames when their connection ends. */
class WriteQueueEndTests {

	private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

	private final RecordedFlushes recorder = new RecordedFlushes();

	private final RecordingListener handler = new RecordingListener();

	private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInitializer<>() {
		@Override
		protected void initChannel(Channel channel) {
			channel.config().setAllocator(WriteQueueEndTests.this.allocator);
			BatchingOptions always = BatchingOptions.defaults()
				.withMode(Mode.ALWAYS)
				.withMaxMessages(128)
				.withMaxBytes(64 * 1024);
			WriteQueueEndTests.this.queue = Connection
				.install(channel, "test", new FlushPolicy(always), WriteQueueEndTests.this.recorder,
						(opened) -> EmbeddedConnections.handler(1024, opened, (any) -> WriteQueueEndTests.this.handler))
				.queue();
		}
	});

	private WriteQueue queue;

	WriteQueueEndTests() {
		this.channel.freezeTime();
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

	private void close() {
		this.channel.close();
		this.channel.runPendingTasks();
	}

	@Test
	void queuedAndHeldFrames_areRejectedOnceInOrder() {
		List<Long> order = new ArrayList<>();
		List<TestFrame> frames = new ArrayList<>();
		for (long id = 1; id <= 4; id++) {
			TestFrame frame = new TestFrame(id, 1).admitted((writable) -> WriteDecision.BLOCKED_BY_SOCKET);
			frame.onEnd = () -> order.add(frame.id());
			frames.add(frame);
		}
		enqueue(frames.get(0));
		enqueue(frames.get(1));
		this.channel.runPendingTasks();
		enqueue(frames.get(2));
		enqueue(frames.get(3));
		this.queue.end();
		this.queue.end();
		this.channel.runPendingTasks();
		assertThat(frames).allMatch((frame) -> frame.rejected.get() == 1 && frame.ends() == 1);
		assertThat(order).containsExactly(1L, 2L, 3L, 4L);
	}

	@Test
	void lateFrame_isRefused_afterEnd() {
		this.queue.end();
		TestFrame late = new TestFrame(1, 1);
		assertThat(this.queue.enqueue(late)).isFalse();
		this.channel.runPendingTasks();
		assertThat(late.ends()).isZero();
	}

	@Test
	void end_flushesComposedFrames() {
		TestFrame composed = enqueue(new TestFrame(1, 10));
		this.channel.runPendingTasks();
		assertThat(this.recorder.flushes).isEmpty();
		this.queue.end();
		assertThat(this.recorder.reasons()).containsExactly(FlushReason.CLOSE);
		assertThat(composed.succeeded).hasValue(1);
		assertThat(composed.ends()).isOne();
	}

	@Test
	void composedFrames_failOnce_whenChannelCloses() {
		TestFrame composed = enqueue(new TestFrame(1, 10));
		TestFrame large = enqueue(new TestFrame(2, OutboundFrame.LARGE_BODY + 1));
		this.channel.runPendingTasks();
		close();
		assertThat(List.of(composed, large))
			.allMatch((frame) -> frame.ends() == 1 && frame.failed.get() == 1 && frame.succeeded.get() == 0);
		assertThat(this.handler.closed).hasSize(1);
	}

	@Test
	void failedWrite_failsEachFrameOnceAndClosesConnection() {
		this.channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
			@Override
			public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
				ReferenceCountUtil.release(message);
				promise.setFailure(new IllegalStateException("broken on purpose"));
			}
		});
		TestFrame first = enqueue(new TestFrame(1, 10));
		TestFrame large = enqueue(new TestFrame(2, 70_000));
		this.channel.runPendingTasks();
		assertThat(List.of(first, large))
			.allMatch((frame) -> frame.written.get() == 1 && frame.failed.get() == 1 && frame.succeeded.get() == 0);
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.handler.closed).hasSize(1);
	}

	@Test
	void failingCallbacks_loseNoOtherFrame() {
		List<TestFrame> frames = new ArrayList<>();
		for (long id = 1; id <= 6; id++) {
			TestFrame frame = new TestFrame(id, 1);
			frame.onEnd = () -> {
				throw new IllegalStateException("thrown on purpose");
			};
			frames.add(frame);
		}
		enqueue(frames.get(0));
		enqueue(frames.get(1));
		this.channel.runPendingTasks();
		enqueue(frames.get(2).admitted((writable) -> WriteDecision.BLOCKED_BY_SOCKET));
		enqueue(frames.get(3).admitted((writable) -> WriteDecision.BLOCKED_BY_SOCKET));
		this.channel.runPendingTasks();
		enqueue(frames.get(4));
		enqueue(frames.get(5));
		this.queue.end();
		assertThat(frames.subList(0, 2)).allMatch((frame) -> frame.succeeded.get() == 1);
		assertThat(frames.subList(2, 6)).allMatch((frame) -> frame.rejected.get() == 1);
		assertThat(frames).allMatch((frame) -> frame.ends() == 1);
		assertThat(this.channel.isOpen()).isTrue();
	}

	@Test
	void failingAdmission_endsConnection() {
		enqueue(new TestFrame(1, 1).admitted((writable) -> {
			throw new IllegalStateException("thrown on purpose");
		}));
		TestFrame behind = enqueue(new TestFrame(2, 1));
		this.channel.runPendingTasks();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(behind.rejected).hasValue(1);
		assertThat(behind.ends()).isOne();
		assertThat(this.handler.closed).hasSize(1);
		assertThat(this.handler.closed.get(0)).hasMessage("thrown on purpose");
	}

	@Test
	void controlFrame_notifiesCaller_whenItWillNeverBeWritten() {
		int[] told = new int[1];
		this.queue.enqueue(new ControlFrame(11, 14, 0, new byte[0], () -> told[0]++));
		this.queue.end();
		this.channel.runPendingTasks();
		assertThat(told[0]).isOne();
	}

	@Test
	void controlFrame_notifiesCaller_whenWritten() {
		int[] told = new int[1];
		this.queue.enqueue(new ControlFrame(11, 14, 3, new byte[] { 7 }, () -> told[0]++));
		assertThat(told[0]).as("still in the queue").isZero();
		this.channel.runPendingTasks();
		assertThat(told[0]).isOne();
		assertThat(Wire.parse(Wire.flushed(this.channel).skipBytes(Wire.preface().length)))
			.containsExactly(Wire.Frame.of(11, 0, 14, 3, (byte) 7));
	}

}
