package io.rpcboot.internal.transport.write;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;

/**
 * The frames that leave in one flush: small ones composed into one buffer, large bodies
 * written from where they are. Stop before: write queue; stop after: the wire. Each frame
 * that wants its outcome gets that of the write that carried it. Event loop only.
 */
public final class WriteBatch {

	private static final int SMALLEST_BUFFER = 1024;

	private static final int LARGEST_BUFFER = 128 * 1024;

	/** Share of the newest flush in the average. */
	private static final float NEWEST_WEIGHT = 1 / 16f;

	final Channel channel;

	private final @Nullable TransportRecorder recorder;

	final ChannelFutureListener completion;

	/** Writes that the socket has taken. */
	long completedWrites;

	/** By reason. These totals are for people, and any thread may look at them. */
	public final long[] flushes = new long[FlushReason.values().length];

	public long allMessages;

	public long stalls;

	/** Of the recent flushes, 0 before the first. */
	public float averageMessages;

	/** Runs when frames have been told their outcome. */
	Runnable afterBatch = () -> {
	};

	/** Whether the other side is told where long values lie. */
	public boolean writesPlaces;

	private @Nullable ByteBuf buffer;

	private @Nullable ChannelFuture lastWrite;

	private @Nullable OutboundFrame outcomes;

	private final SocketWaitSampler waits;

	/** Frames that the next flush writes. */
	int messages;

	/** Their bytes, headers included. */
	int bytes;

	private int sizeHint = SMALLEST_BUFFER;

	WriteBatch(Channel channel, @Nullable TransportRecorder recorder) {
		this.channel = channel;
		this.recorder = recorder;
		this.completion = this::completed;
		this.waits = new SocketWaitSampler(this, recorder);
	}

	void append(OutboundFrame frame, byte[] body) {
		boolean deadline = (frame.flags & FrameHeader.FLAG_DEADLINE) != 0;
		int length = frame.length + (deadline ? FrameHeader.DEADLINE_LENGTH : 0);
		this.messages++;
		this.bytes += FrameHeader.LENGTH + length;
		if (frame.wantsWriteResult()) {
			frame.nextOutcome = this.outcomes; // even if there is no memory for the rest
			this.outcomes = frame;
		}
		if (frame.large != null) {
			ChunkedWrites.write(this, frame, frame.large, length);
			return;
		}
		ByteBuf out = this.buffer;
		if (out == null) {
			out = this.channel.alloc().directBuffer(this.sizeHint);
			this.buffer = out;
			this.waits.oldest = frame;
		}
		header(out, frame, length);
		out.writeBytes(body, 0, frame.length);
	}

	/** Write what comes before {@link OutboundFrame#body}. */
	static void header(ByteBuf out, OutboundFrame frame, int length) {
		FrameHeader.write(out, length, frame.type, frame.flags, frame.code, frame.callId);
		if (length > frame.length) {
			out.writeInt(frame.remainingMillis);
		}
	}

	/** Write behind all that was appended; the listener completes the write. */
	void write(ByteBuf out, ChannelFutureListener listener) {
		this.buffer = null;
		this.lastWrite = this.channel.write(out);
		this.lastWrite.addListener(listener);
	}

	void completed(ChannelFuture write) {
		this.completedWrites++;
		if (write == this.waits.write) {
			this.waits.ends(write.isSuccess());
		}
		if (!write.isSuccess()) {
			this.channel.close();
		}
	}

	void writeSmall() {
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
			catch (RuntimeException ex) {
				BlockedFrames.failed(frame, ex);
			}
		}
		if (first != null) {
			this.afterBatch.run();
		}
	}

}
