package io.rpcboot.internal.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.EventLoop;
import io.netty.channel.local.LocalAddress;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.Preface;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;

/**
 * A connection on a loop that is driven by hand. What is flushed is on the wire at once,
 * unless the peer does not read.
 */
final class HandDrivenChannel extends AbstractChannel {

	/** Made once, for it costs more than all the rest. */
	private static final ChannelId ID = DefaultChannelId.newInstance();

	private static final ChannelMetadata METADATA = new ChannelMetadata(false);

	final HandDrivenLoop loop = new HandDrivenLoop();

	final WriteQueue queue;

	/** Call ids in the order in which they went out. */
	final List<Long> sent = new ArrayList<>();

	private final ScarceAllocator allocator = new ScarceAllocator();

	private final ChannelConfig config = new DefaultChannelConfig(this);

	private boolean open = true;

	private boolean peerReads = true;

	private boolean reset;

	private int failingCloses;

	/** Bytes at the beginning of the next buffer that belong to an earlier header. */
	private int bodyLeft = Preface.LENGTH;

	HandDrivenChannel(BatchingOptions batching) {
		this(batching, null);
	}

	HandDrivenChannel(BatchingOptions batching, @Nullable TransportRecorder recorder) {
		this(batching, recorder, (connection) -> new RecordingHandler());
	}

	HandDrivenChannel(BatchingOptions batching, @Nullable TransportRecorder recorder,
			Function<Connection, FrameHandler> handlers) {
		super(null, ID);
		this.config.setAllocator(this.allocator);
		this.queue = Connection.install(this, "by hand", new FlushPolicy(batching), recorder, 1024, handlers).queue();
		this.loop.register(this);
	}

	/** The socket of the peer is full from now on. */
	void peerStopsReading() {
		this.peerReads = false;
	}

	void peerReadsAgain() {
		this.peerReads = true;
		unsafe().flush();
	}

	/** The next write finds that the peer has gone. */
	void peerResets() {
		this.reset = true;
	}

	/** So many buffers can be had; the next cannot. */
	void buffersLeft(int count) {
		this.allocator.left = count;
	}

	/** Bytes of the buffers that nobody has released. */
	long usedMemory() {
		return this.allocator.used();
	}

	void failToClose(int times) {
		this.failingCloses = times;
	}

	@Override
	public ChannelFuture close() {
		if (this.failingCloses > 0) {
			this.failingCloses--;
			throw new IllegalStateException("not closed on purpose");
		}
		return super.close();
	}

	@Override
	protected void doWrite(ChannelOutboundBuffer out) throws IOException {
		if (this.reset) {
			throw new IOException("reset by peer on purpose");
		}
		while (this.peerReads && out.current() instanceof ByteBuf buffer) {
			collect(buffer.slice());
			out.remove();
		}
	}

	private void collect(ByteBuf in) {
		in.skipBytes(this.bodyLeft);
		this.bodyLeft = 0;
		while (in.isReadable()) {
			int length = in.getInt(in.readerIndex());
			this.sent.add(in.getLong(in.readerIndex() + Long.BYTES));
			in.skipBytes(FrameHeader.LENGTH);
			this.bodyLeft = Math.max(0, length - in.readableBytes());
			in.skipBytes(length - this.bodyLeft);
		}
	}

	@Override
	protected AbstractUnsafe newUnsafe() {
		return new AbstractUnsafe() {
			@Override
			public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
				promise.setSuccess();
			}
		};
	}

	@Override
	protected boolean isCompatible(EventLoop candidate) {
		return candidate instanceof HandDrivenLoop;
	}

	@Override
	protected SocketAddress localAddress0() {
		return LocalAddress.ANY;
	}

	@Override
	protected SocketAddress remoteAddress0() {
		return LocalAddress.ANY;
	}

	@Override
	protected void doBind(SocketAddress address) {
		throw new UnsupportedOperationException();
	}

	@Override
	protected void doDisconnect() {
		doClose();
	}

	@Override
	protected void doClose() {
		this.open = false;
	}

	@Override
	protected void doBeginRead() {
		// nothing comes
	}

	@Override
	public ChannelConfig config() {
		return this.config;
	}

	@Override
	public boolean isOpen() {
		return this.open;
	}

	@Override
	public boolean isActive() {
		return this.open;
	}

	@Override
	public ChannelMetadata metadata() {
		return METADATA;
	}

	private static final class ScarceAllocator extends AbstractByteBufAllocator {

		private final UnpooledByteBufAllocator all = new UnpooledByteBufAllocator(false, true);

		private int left = Integer.MAX_VALUE;

		@Override
		protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
			return this.all.heapBuffer(initialCapacity, maxCapacity);
		}

		@Override
		protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
			if (this.left-- == 0) {
				throw new OutOfMemoryError("no buffer on purpose");
			}
			return this.all.directBuffer(initialCapacity, maxCapacity);
		}

		@Override
		public boolean isDirectBufferPooled() {
			return false;
		}

		long used() {
			return this.all.metric().usedHeapMemory() + this.all.metric().usedDirectMemory();
		}

	}

}
