package io.rpcboot.internal.transport.write;

import java.util.concurrent.TimeUnit;

import io.netty.channel.Channel;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.metrics.TransportRecorder.FlushReason;

/**
 * Holds batches back by time, in mode ALWAYS alone. A frame of the protocol itself, such
 * as a grant, is not held: the other side may send nothing before it has come. Stands
 * beside write queue. Event loop only.
 */
final class DelayedFlush {

	private final Channel channel;

	private final long holdNanos;

	private final WriteBatch batch;

	private long batchStartedNanos;

	/** Whether the batch has a frame of the protocol itself. */
	private boolean urgent;

	private boolean timerSet;

	DelayedFlush(Channel channel, long holdNanos, WriteBatch batch) {
		this.channel = channel;
		this.holdNanos = holdNanos;
		this.batch = batch;
	}

	/** The batch is about to get a frame. */
	void beforeFrame(byte type) {
		if (this.batch.messages == 0) {
			this.batchStartedNanos = this.channel.eventLoop().ticker().nanoTime();
			this.urgent = false;
		}
		this.urgent |= !FrameType.isCall(type);
	}

	/** The queue is empty: flush the batch once it is old enough, or urgent. */
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

	/** The batch may be a younger one: then the timer is set again. */
	private void delayOver() {
		this.timerSet = false;
		flushWhenDue(FlushReason.DELAY);
	}

}
