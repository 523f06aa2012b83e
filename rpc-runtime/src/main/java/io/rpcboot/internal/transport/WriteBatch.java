package io.rpcboot.internal.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;

/**
 * The frames that leave in one flush: small ones composed into one buffer, large bodies
 * written from where they are. Stop before: write queue; stop after: the wire. Each frame
 * that wants its outcome gets that of the write that carried it. Event loop only.
 */
final class WriteBatch {

	/** Bodies over this size are written from where they are. */
	static final int LARGE_BODY = Frame.LARGE_BODY;

	private static final int SMALLEST_BUFFER = 1024;

	private static final int LARGEST_BUFFER = 128 * 1024;

	/** Share of the newest flush in the average. */
	private static final float NEWEST_WEIGHT = 1 / 16f;

	private final Channel channel;

	private final @Nullable TransportRecorder recorder;

	private final ChannelFutureListener completion;

	/** Writes that the socket has taken. */
	long completedWrites;

	/** By reason. These totals are for people, and any thread may look at them. */
	final long[] flushes = new long[FlushReason.values().length];

	long allMessages;

	long stalls;

	/** Of the recent flushes, 0 before the first. */
	float averageMessages;

	/** Runs when frames have been told their outcome. */
	Runnable afterBatch = () -> {
	};

	private @Nullable ByteBuf buffer;

	private @Nullable ChannelFuture lastWrite;

	private @Nullable Frame outcomes;

	private int messages;

	private int bytes;

	private int sizeHint = SMALLEST_BUFFER;

	WriteBatch(Channel channel, @Nullable TransportRecorder recorder) {
		this.channel = channel;
		this.recorder = recorder;
		this.completion = (future) -> {
			this.completedWrites++;
			if (!future.isSuccess()) {
				channel.close();
			}
		};
	}

	void append(Frame frame, byte[] body) {
		boolean deadline = (frame.flags & FrameHeader.FLAG_DEADLINE) != 0;
		int length = frame.length + (deadline ? FrameHeader.DEADLINE_LENGTH : 0);
		this.messages++;
		this.bytes += FrameHeader.LENGTH + length;
		if (frame.wantsOutcome()) {
			frame.nextOutcome = this.outcomes; // even if there is no memory for the rest
			this.outcomes = frame;
		}
		ByteBuf out = this.buffer;
		if (out == null) {
			out = this.channel.alloc().directBuffer(this.sizeHint);
			this.buffer = out;
		}
		FrameHeader.write(out, length, frame.type, frame.flags, frame.code, frame.callId);
		if (deadline) {
			out.writeInt(frame.remainingMillis);
		}
		LargeBody large = frame.large;
		if (large != null) {
			write(out);
			writeLarge(large);
		}
		else if (frame.length <= LARGE_BODY) {
			out.writeBytes(body, 0, frame.length);
		}
		else {
			write(out);
			write(Unpooled.wrappedBuffer(body, 0, frame.length));
		}
	}

	/** The frame has made this batch one of the owners. */
	private void writeLarge(LargeBody large) {
		large.chunks().forEach((chunk) -> write(chunk.retainedDuplicate()));
		if (this.lastWrite != null) {
			this.lastWrite.addListener((future) -> large.release());
		}
	}

	private void write(ByteBuf out) {
		this.buffer = null;
		this.lastWrite = this.channel.write(out);
		this.lastWrite.addListener(this.completion);
	}

	void flush(FlushReason reason) {
		if (this.buffer != null) {
			this.sizeHint = Math.max(SMALLEST_BUFFER, Math.min(this.buffer.readableBytes(), LARGEST_BUFFER));
			write(this.buffer);
		}
		Frame first = this.outcomes;
		ChannelFuture written = this.lastWrite;
		if (written != null && first != null) {
			written.addListener((future) -> notifyOutcomes(first, future.isSuccess()));
		}
		int flushedMessages = this.messages;
		int flushedBytes = this.bytes;
		this.outcomes = null;
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
			this.stalls++;
			if (this.recorder != null) {
				this.recorder.stalled();
			}
		}
	}

	private void notifyOutcomes(@Nullable Frame first, boolean written) {
		for (Frame frame = first; frame != null; frame = frame.nextOutcome) {
			try {
				frame.outcome(written);
			}
			catch (RuntimeException ex) {
				Backlog.failed(frame, ex);
			}
		}
		if (first != null) {
			this.afterBatch.run();
		}
	}

	int messages() {
		return this.messages;
	}

	int bytes() {
		return this.bytes;
	}

}
