package io.rpcboot.internal.transport.write;

import java.util.concurrent.TimeUnit;

import io.netty.channel.Channel;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.TransportRecorder.FlushReason;

/**
 * Delays the flush of a batch in mode ALWAYS. A batch with a control frame, such as a
 * window update, is not delayed, because the peer may be waiting for it. Event loop only.
 */
final class DelayedFlush {

	private final Channel channel;

	private final long holdNanos;

	private final WriteBatch batch;

	private long batchStartedNanos;

	/** True if the batch has a control frame. */
	private boolean urgent;

	private boolean timerSet;

	private volatile boolean stopped;

	DelayedFlush(Channel channel, long holdNanos, WriteBatch batch) {
		this.channel = channel;
		this.holdNanos = holdNanos;
		this.batch = batch;
	}

	/** Called before a frame is added to the batch. */
	void beforeFrame(OutboundFrame frame) {
		if (this.batch.messages == 0) {
			this.batchStartedNanos = this.channel.eventLoop().ticker().nanoTime();
			this.urgent = false;
		}
		this.urgent |= frame.isUrgent();
	}

	/** Flushes the batch of an empty queue when it is old enough or urgent. */
	void drained() {
		flushWhenDue(FlushReason.DRAINED);
	}

	private void flushWhenDue(FlushReason reason) {
		if (this.batch.messages == 0) {
			return;
		}
		boolean writable = this.channel.isWritable();
		long age = this.channel.eventLoop().ticker().nanoTime() - this.batchStartedNanos;
		long wait = (writable && !this.urgent) ? Math.max(0, this.holdNanos - age) : 0;
		if (wait == 0) {
			this.batch.flush(writable ? reason : FlushReason.UNWRITABLE);
		}
		else if (!this.timerSet) {
			this.timerSet = true;
			this.channel.eventLoop().schedule(this::delayOver, wait, TimeUnit.NANOSECONDS);
		}
	}

	/** Flushes the batch, or sets the timer again if it is a younger one. */
	private void delayOver() {
		this.timerSet = false;
		try {
			if (!this.stopped) {
				flushWhenDue(FlushReason.DELAY);
			}
		}
		catch (Throwable ex) { // the batch may be incomplete
			this.channel.pipeline().fireExceptionCaught(ex);
		}
	}

	/** Flushes nothing more: a frame of the batch may be incomplete. Any thread. */
	void stop() {
		this.stopped = true;
	}

}
