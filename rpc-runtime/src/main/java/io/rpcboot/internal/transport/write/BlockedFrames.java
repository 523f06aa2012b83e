package io.rpcboot.internal.transport.write;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a write queue that cannot be written yet. The protocol of the connection
 * keeps them and decides about their order: its windows may be those of the connection or
 * those of single streams. Event loop only.
 */
public abstract class BlockedFrames {

	protected final WriteQueue queue;

	/** True while a frame is blocked that no later frame may overtake. */
	public boolean hasFrames;

	/** True if the next drain tries the blocked frames again. */
	protected boolean resumed;

	protected BlockedFrames(WriteQueue queue) {
		this.queue = queue;
		queue.blocked = this;
	}

	/** Adds a frame unless its decision is WRITE or SKIP. */
	protected abstract void add(OutboundFrame frame, WriteDecision decision);

	/** Writes the frames that are not blocked any more. */
	protected abstract void write();

	/** Schedules another try of the blocked frames. */
	public void resume() {
		if (this.hasFrames) {
			this.resumed = true;
			this.queue.schedule();
		}
	}

	/**
	 * Returns the number of blocked frames. Any thread may read it, and may get an older
	 * number.
	 * @return 0 or more
	 */
	public abstract int size();

	/** Removes any blocked frame. Only after the end of the write queue. */
	protected abstract @Nullable OutboundFrame poll();

}
