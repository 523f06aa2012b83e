package io.rpcboot.internal.transport.write;

import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Ticker;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.TransportRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the socket of a connection delays frames: counts stalls, and takes a
 * sample at most once in {@value #EACH} flushed frames. A sample is the time from the
 * start of a call until the last write of its flush completes; the call is the first
 * frame in the last buffer of that flush. Only frames of client calls have a start; the
 * calls of a server sample their replies, from the result on. Measures one write at a
 * time and allocates nothing. Event loop only.
 */
final class SocketWaitSampler {

	private static final int EACH = 64;

	private final WriteBatch batch;

	private final @Nullable TransportRecorder recorder;

	/** First frame of the last buffer of the next flush, null if there is none. */
	@Nullable OutboundFrame oldest;

	/** Number of flushed frames of the connection from which on a sample is due. */
	long due;

	/** Write that is being measured, null if there is none. */
	@Nullable ChannelFuture write;

	private long startNanos;

	SocketWaitSampler(WriteBatch batch, @Nullable TransportRecorder recorder) {
		this.batch = batch;
		this.recorder = recorder;
		this.due = (recorder != null) ? EACH : Long.MAX_VALUE;
	}

	/**
	 * Starts a sample with the flush of a batch, unless the oldest frame has no start or
	 * another write is being measured.
	 */
	void measure(@Nullable ChannelFuture lastWrite) {
		this.due = this.batch.allMessages + EACH;
		long started = (this.oldest != null) ? this.oldest.startedNanos() : 0;
		if (started != 0 && lastWrite != null && this.write == null) {
			this.startNanos = started;
			this.write = lastWrite;
		}
	}

	/** Called when the measured write succeeded or failed. */
	void ends(boolean written) {
		this.write = null;
		if (written && this.recorder != null) {
			Ticker ticker = this.batch.channel.eventLoop().ticker();
			long now = ticker.initialNanoTime() + ticker.nanoTime(); // System.nanoTime()
			this.recorder.written(Math.max(0, now - this.startNanos));
		}
	}

	/** Called when the socket takes no more after a flush. */
	void stalled() {
		this.batch.stalls++;
		if (this.recorder != null) {
			this.recorder.stalled();
		}
	}

}
