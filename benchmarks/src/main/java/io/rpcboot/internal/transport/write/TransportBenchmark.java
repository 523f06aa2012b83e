package io.rpcboot.internal.transport.write;

import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.transport.binary.BinaryBlockedFrames;
import io.rpcboot.internal.transport.binary.BinaryFrame;
import io.rpcboot.internal.transport.binary.FrameDecoder;
import io.rpcboot.internal.transport.binary.FrameListener;
import io.rpcboot.internal.transport.binary.InboundBody;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The write queue and the frame decoder without a socket, both on one thread; in this
 * package because they belong to nobody else. What it says of a frame is without the cost
 * of waking an event loop and of the system call, which a batch shares.
 */
@NullUnmarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TransportBenchmark {

	private static final int MAX_BODY = 8 * 1024 * 1024;

	/** Frames that are enqueued before the drain, or read in one go. */
	@Param({ "1", "32", "128" })
	public int frames;

	/** Bytes of a body. */
	@Param({ "128", "4096" })
	public int body;

	private EmbeddedChannel channel;

	private WriteQueue queue;

	private EndlessFrame[] outgoing;

	private ByteBuf incoming;

	private long seen;

	/**
	 * Open the channel and prepare what goes and comes.
	 */
	@Setup
	public void prepare() {
		this.channel = new EmbeddedChannel(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel opened) {
				opened.config().setAllocator(PooledByteBufAllocator.DEFAULT);
				TransportBenchmark.this.queue = Connection
					.install(opened, "benchmark", new FlushPolicy(BatchingOptions.defaults()), null,
							(connection) -> new FrameDecoder(MAX_BODY, connection, new Counter()))
					.queue();
				new BinaryBlockedFrames(TransportBenchmark.this.queue);
			}
		});
		this.channel.flush();
		discard();
		this.outgoing = new EndlessFrame[this.frames];
		this.incoming = PooledByteBufAllocator.DEFAULT.directBuffer(this.frames * (FrameHeader.LENGTH + this.body));
		for (int i = 0; i < this.frames; i++) {
			this.outgoing[i] = new EndlessFrame(i, this.body);
			FrameHeader.write(this.incoming, this.body, FrameType.RESPONSE, 0, 0, i);
			this.incoming.writeZero(this.body);
		}
		ByteBuf preface = PooledByteBufAllocator.DEFAULT.directBuffer(Preface.LENGTH);
		Preface.write(preface);
		this.channel.pipeline().fireChannelRead(preface);
	}

	/**
	 * Enqueue the frames and drain them.
	 */
	@Benchmark
	public void writeQueue() {
		for (EndlessFrame frame : this.outgoing) {
			this.queue.enqueue(frame);
		}
		this.channel.runPendingTasks();
		discard();
	}

	/**
	 * Find the frames in one read.
	 * @return how many bytes of bodies were seen since the start
	 */
	@Benchmark
	public long frameDecoder() {
		this.channel.pipeline().fireChannelRead(this.incoming.retainedDuplicate());
		this.channel.pipeline().fireChannelReadComplete();
		return this.seen;
	}

	/**
	 * Close the channel.
	 */
	@TearDown
	public void close() {
		if (!this.channel.isOpen()) {
			throw new IllegalStateException("the channel was closed: its figures are of nothing");
		}
		this.channel.finishAndReleaseAll();
		this.incoming.release();
	}

	private void discard() {
		for (Object written = this.channel.readOutbound(); written != null; written = this.channel.readOutbound()) {
			ReferenceCountUtil.release(written);
		}
	}

	/** A frame that may be written again and again. */
	private static final class EndlessFrame extends BinaryFrame {

		EndlessFrame(long id, int size) {
			super(FrameType.RESPONSE, new byte[size]);
			this.callId = id;
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			return WriteDecision.WRITE;
		}

		@Override
		public void onRejected() {
			throw new IllegalStateException("the queue has ended");
		}

	}

	/** What a side costs that does nothing. */
	private final class Counter implements FrameListener {

		@Override
		public void onOpen() {
			// nothing to prepare
		}

		@Override
		public void onRead(long nanos, long gapNanos) {
		}

		@Override
		public void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length) {
			TransportBenchmark.this.seen += length;
		}

		@Override
		public boolean admits(int type, long callId, int length) {
			return true;
		}

		@Override
		public void onBody(int type, int flags, int code, long callId, InboundBody body) {
			TransportBenchmark.this.seen += body.size();
		}

		@Override
		public void onReadComplete() {
			// nothing to answer
		}

		@Override
		public void onClosed(@Nullable Throwable cause) {
			// the end of the benchmark finds it closed
		}

	}

}
