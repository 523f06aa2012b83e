package io.rpcboot.internal.transport.write;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.metrics.TransportRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one flush: small frames are composed into one buffer, large bodies are
 * written from their chunks. Each frame that wants a result gets that of the last write
 * of its flush: writes complete in order, and a failed write closes the connection.
 * {@link WriteQueue} appends the frames. Event loop only.
 */
public final class WriteBatch {

	private static final int SMALLEST_BUFFER = 1024;

	private static final int LARGEST_BUFFER = 128 * 1024;

	/** Weight of the newest flush in the average. */
	private static final float NEWEST_WEIGHT = 1 / 16f;

	final Channel channel;

	private final @Nullable TransportRecorder recorder;

	private final ChannelFutureListener completion;

	/** Number of writes that the socket has completed. */
	long completedWrites;

	/**
	 * Number of flushes by {@link FlushReason}. Any thread may read this and the next
	 * three numbers, and may get older ones.
	 */
	public final long[] flushes = new long[FlushReason.values().length];

	/** Number of flushed frames. */
	public long allMessages;

	/**
	 * Number of flushes after which the channel was not writable, as its outbound buffer
	 * was above the high water mark.
	 */
	public long stalls;

	/** Moving average of frames per flush, 0 before the first flush. */
	public float averageMessages;

	/**
	 * Runs after each drain, after frames got their write results, and after the end of
	 * the write queue.
	 */
	Runnable afterBatch = () -> {
	};

	private @Nullable ByteBuf buffer;

	private @Nullable ChannelFuture lastWrite;

	/** Frames of this batch that want a result, newest first. */
	private @Nullable OutboundFrame outcomes;

	private final SocketWaitSampler waits;

	/** Number of frames that the next flush writes. */
	int messages;

	/** Number of bytes that the next flush writes, with headers. */
	int bytes;

	private int sizeHint = SMALLEST_BUFFER;

	WriteBatch(Channel channel, @Nullable TransportRecorder recorder) {
		this.channel = channel;
		this.recorder = recorder;
		this.completion = this::completed;
		this.waits = new SocketWaitSampler(this, recorder);
	}

	void append(OutboundFrame frame, byte[] body) {
		this.messages++;
		if (frame.wantsWriteResult()) {
			frame.nextOutcome = this.outcomes; // first: the rest may throw
			this.outcomes = frame;
		}
		if (frame.large != null) {
			this.bytes += frame.headerLength() + frame.length;
			writeChunks(frame, frame.large);
			return;
		}
		ByteBuf out = this.buffer;
		if (out == null) {
			out = this.channel.alloc().directBuffer(this.sizeHint);
			this.buffer = out;
			this.waits.oldest = frame;
		}
		int start = out.writerIndex();
		frame.writeTo(out, body);
		this.bytes += out.writerIndex() - start;
	}

	/**
	 * Writes a large body behind all appended frames. The batch is an owner of the body
	 * until the last chunk is written or a write fails.
	 */
	private void writeChunks(OutboundFrame frame, ChunkedBody body) {
		boolean again = body.isWritten() || body.skipped() > 0;
		int last = body.chunks().size() - 1;
		ByteBuf lastChunk;
		try {
			writeSmall();
			if (again) {
				ByteBuf header = this.channel.alloc().directBuffer(ChunkedBody.HEADER_ROOM + body.start().length);
				body.written();
				frame.writeHeader(header);
				write(header.writeBytes(body.start()), this.completion);
			}
			else {
				body.written();
				headerBefore(body.chunks().get(0), frame);
			}
			// the peer reads a chunk while the next one is written
			for (int i = 0; i < last; i++) {
				write(chunk(body, i, again), this.completion);
				this.channel.flush();
			}
			lastChunk = chunk(body, last, again);
		}
		catch (RuntimeException | Error ex) {
			body.release();
			throw ex;
		}
		write(lastChunk, (write) -> {
			body.release();
			completed(write);
		});
	}

	private static void headerBefore(ByteBuf chunk, OutboundFrame frame) {
		int end = chunk.writerIndex();
		int start = ChunkedBody.HEADER_ROOM - frame.headerLength();
		chunk.setIndex(start, start);
		frame.writeHeader(chunk);
		chunk.writerIndex(end);
	}

	/**
	 * Returns a chunk for one write, which releases it. The write of a repeated body gets
	 * a duplicate: an earlier write to a draining connection may still use the header and
	 * the index of the chunk.
	 */
	private static ByteBuf chunk(ChunkedBody body, int index, boolean again) {
		ByteBuf chunk = body.chunks().get(index);
		if (!again) {
			return chunk.retain();
		}
		return chunk.retainedDuplicate()
			.setIndex((index == 0) ? ChunkedBody.HEADER_ROOM + body.skipped() : 0, chunk.writerIndex());
	}

	private void write(ByteBuf out, ChannelFutureListener listener) {
		this.buffer = null;
		this.lastWrite = this.channel.write(out);
		this.lastWrite.addListener(listener);
	}

	private void completed(ChannelFuture write) {
		this.completedWrites++;
		if (write == this.waits.write) {
			this.waits.ends(write.isSuccess());
		}
		if (!write.isSuccess()) {
			this.channel.close();
		}
	}

	private void writeSmall() {
		if (this.buffer != null) {
			this.sizeHint = Math.max(SMALLEST_BUFFER, Math.min(this.buffer.readableBytes(), LARGEST_BUFFER));
			write(this.buffer, this.completion);
		}
	}

	void flush(FlushReason reason) {
		writeSmall();
		OutboundFrame first = this.outcomes;
		ChannelFuture written = this.lastWrite;
		if (written != null && first != null) {
			written.addListener((future) -> notifyOutcomes(first, future.isSuccess()));
		}
		if (this.allMessages >= this.waits.due) {
			this.waits.measure(written);
		}
		int flushedMessages = this.messages;
		int flushedBytes = this.bytes;
		this.outcomes = null;
		this.waits.oldest = null;
		this.lastWrite = null;
		this.messages = 0;
		this.bytes = 0;
		this.channel.flush();
		// null only if no buffer for the frames could be allocated
		if (written == null) {
			notifyOutcomes(first, false);
		}
		if (this.recorder != null) {
			this.recorder.flushed(reason, flushedMessages, flushedBytes);
		}
		count(reason, flushedMessages);
	}

	private void count(FlushReason reason, int flushedMessages) {
		float weight = (this.allMessages == 0) ? 1 : NEWEST_WEIGHT;
		this.averageMessages += weight * (flushedMessages - this.averageMessages);
		this.allMessages += flushedMessages;
		this.flushes[reason.ordinal()]++;
		if (!this.channel.isWritable() && this.channel.isActive()) {
			this.waits.stalled();
		}
	}

	private void notifyOutcomes(@Nullable OutboundFrame first, boolean written) {
		for (OutboundFrame frame = first; frame != null; frame = frame.nextOutcome) {
			try {
				frame.onWriteComplete(written);
			}
			catch (Throwable ex) {
				WriteQueue.logFailure(frame, ex);
			}
		}
		if (first != null) {
			this.afterBatch.run();
		}
	}

}
