package io.rpcboot.internal.transport.write;

import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a write queue that cannot be written yet. The protocol of the connection
 * decides about their order: its windows may be those of the connection or those of
 * single streams. Event loop only.
 */
public abstract class BlockedFrames {

	protected final WriteQueue queue;

	private final BlockedFrameQueue[] windows;

	/** All queues, in the order in which they end. */
	private final List<BlockedFrameQueue> all;

	/** True while a frame is blocked that no later frame may overtake. */
	public boolean hasFrames;

	/** True if the next drain tries the blocked frames again. */
	protected boolean resumed;

	/**
	 * Creates the blocked frames of a connection.
	 * @param socket frames that wait for the socket
	 * @param windows frames that wait for a window of the peer
	 */
	protected BlockedFrames(WriteQueue queue, List<BlockedFrameQueue> socket, List<BlockedFrameQueue> windows) {
		this.queue = queue;
		this.windows = windows.toArray(BlockedFrameQueue[]::new);
		this.all = Stream.concat(socket.stream(), windows.stream()).toList();
		queue.blocked = this;
	}

	/** Adds a frame unless its decision is WRITE or SKIP. */
	protected abstract void add(OutboundFrame frame, WriteDecision decision);

	/** Writes the frames that are not blocked any more. */
	protected abstract void write();

	/** Sets {@link #hasFrames} after a change of the queues. */
	protected abstract void update();

	/** Writes a frame that was taken from a queue, or blocks it again. */
	protected final void tryAgain(OutboundFrame frame) {
		add(frame, this.queue.write(frame));
	}

	/** Schedules another try of the blocked frames. */
	public void resume() {
		if (this.hasFrames) {
			this.resumed = true;
			this.queue.schedule();
		}
	}

	/**
	 * Tries a frame at once, ahead of the frames before it, if it waits for a window.
	 * @param frame not wanted any more, so it does not wait again
	 */
	public final void unblock(OutboundFrame frame) {
		for (BlockedFrameQueue frames : this.windows) { // without garbage: each call ends
														// here
			if (!frames.isEmpty() && frames.remove(frame)) {
				tryAgain(frame);
				resume();
				this.queue.schedule();
				return;
			}
		}
	}

	/**
	 * Drops expired frames of all queues: removes each and calls its
	 * {@link OutboundFrame#beforeWrite} once more, which ends the frame and returns SKIP.
	 * Then schedules another try of the others.
	 * @return true if frames are left
	 */
	public final boolean dropExpired() {
		this.all.forEach((frames) -> frames.takeExpired().forEach(this::tryAgain));
		update();
		resume();
		return size() > 0;
	}

	/** Returns true if a frame waits for a window of the peer. */
	public final boolean waitsForWindow() {
		for (BlockedFrameQueue frames : this.windows) {
			if (!frames.isEmpty()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the number of blocked frames. Any thread may read it, and may get an older
	 * number.
	 * @return 0 or more
	 */
	public final int size() {
		int size = 0;
		for (BlockedFrameQueue frames : this.all) {
			size += frames.size();
		}
		return size;
	}

	/** Removes any blocked frame. Only after the end of the write queue. */
	final @Nullable OutboundFrame poll() {
		for (BlockedFrameQueue frames : this.all) {
			if (!frames.isEmpty()) {
				return frames.take();
			}
		}
		this.hasFrames = false;
		return null;
	}

}
