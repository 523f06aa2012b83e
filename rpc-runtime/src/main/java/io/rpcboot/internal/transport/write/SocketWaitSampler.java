package io.rpcboot.internal.transport.write;

import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Ticker;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.TimedFrame;
import io.rpcboot.metrics.TransportRecorder;
import org.jspecify.annotations.Nullable;

/**
 * How the socket of a connection keeps frames waiting: counts when it takes no more, and
 * measures the time for one frame in {@link #EACH}, the oldest of the batch with which it
 * leaves. Stands beside write batch, which asks for it only when a frame is due. One
 * write at a time, so nothing is allocated. Event loop only.
 */
final class SocketWaitSampler {

	private static final int EACH = 64;

	private final WriteBatch batch;

	private final @Nullable TransportRecorder recorder;

	/** Of the small frames that the next flush writes the first, null for none. */
	@Nullable OutboundFrame oldest;

	/** Frames of the connection from which on one is due. */
	long due;

	/** The write that is being measured, null while none is. */
	@Nullable ChannelFuture write;

	private long startNanos;

	SocketWaitSampler(WriteBatch batch, @Nullable TransportRecorder recorder) {
		this.batch = batch;
		this.recorder = recorder;
		this.due = (recorder != null) ? EACH : Long.MAX_VALUE;
	}

	/**
	 * A batch is about to leave, and a frame is due. None is measured if the oldest knows
	 * no time, or another write is being measured.
	 */
	void measure(@Nullable ChannelFuture lastWrite) {
		this.due = this.batch.allMessages + EACH;
		if (this.oldest instanceof TimedFrame timed && lastWrite != null && this.write == null) {
			this.startNanos = timed.startedNanos();
			this.write = lastWrite;
		}
	}

	/** The write that is being measured has ended, well or not. */
	void ends(boolean written) {
		this.write = null;
		if (written && this.recorder != null) {
			Ticker ticker = this.batch.channel.eventLoop().ticker();
			long now = ticker.initialNanoTime() + ticker.nanoTime(); // as
																		// System.nanoTime()
			this.recorder.written(Math.max(0, now - this.startNanos));
		}
	}

	/** After a flush the socket takes no more. */
	void stalled() {
		this.batch.stalls++;
		if (this.recorder != null) {
			this.recorder.stalled();
		}
	}

}
