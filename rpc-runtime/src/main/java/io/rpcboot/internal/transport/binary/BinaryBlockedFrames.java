package io.rpcboot.internal.transport.binary;

import java.util.List;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrames;
import io.rpcboot.internal.transport.write.WriteQueue;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a native connection that cannot be written yet, in three queues: frames
 * that wait for the socket, frames that wait for the window, and long frames that wait
 * for memory of the peer. Frames of one queue keep their order; frames of the first two
 * overtake long ones. Event loop only.
 */
public final class BinaryBlockedFrames extends BlockedFrames {

	private final BlockedFrameQueue awaitingSocket = new BlockedFrameQueue();

	private final BlockedFrameQueue awaitingWindow = new BlockedFrameQueue();

	private final BlockedFrameQueue awaitingMemory = new BlockedFrameQueue();

	private final List<BlockedFrameQueue> all = List.of(this.awaitingSocket, this.awaitingWindow, this.awaitingMemory);

	public BinaryBlockedFrames(WriteQueue queue) {
		super(queue);
	}

	@Override
	protected void add(OutboundFrame frame, WriteDecision decision) {
		switch (decision) {
			case HOLD -> add(frame, this.awaitingSocket);
			case WAIT -> add(frame, this.awaitingWindow);
			case WAIT_FOR_MEMORY -> add(frame, this.awaitingMemory);
			default -> {
			}
		}
		update();
	}

	private void add(OutboundFrame frame, BlockedFrameQueue frames) {
		frames.takeAbandoned().forEach(this.queue::write); // which skips them
		frames.add(frame);
	}

	private void update() {
		this.hasFrames = !this.awaitingSocket.isEmpty() || waitsForWindow();
	}

	@Override
	protected void write() {
		this.resumed = false;
		writeInOrder(this.awaitingMemory); // first: short frames might always fill the
											// socket
		for (int i = this.awaitingSocket.size(); i > 0 && !this.awaitingSocket.isEmpty(); i--) {
			tryAgain(this.awaitingSocket.take());
		}
		writeInOrder(this.awaitingWindow);
		update();
	}

	private void tryAgain(OutboundFrame frame) {
		add(frame, this.queue.write(frame));
	}

	private void writeInOrder(BlockedFrameQueue frames) {
		for (OutboundFrame frame = frames.peek(); frame != null; frame = frames.peek()) {
			WriteDecision decision = this.queue.write(frame);
			boolean moves = decision == WriteDecision.WAIT_FOR_MEMORY && frames != this.awaitingMemory;
			if (!moves && decision != WriteDecision.WRITE && decision != WriteDecision.SKIP) {
				return; // the frames behind it are blocked, too
			}
			add(frames.take(), decision);
		}
	}

	/**
	 * Tries a frame at once, ahead of the frames before it, if it waits for the window or
	 * for memory.
	 * @param frame not wanted any more, so it does not wait again
	 */
	public void unblock(OutboundFrame frame) {
		if (this.awaitingWindow.remove(frame) || this.awaitingMemory.remove(frame)) {
			tryAgain(frame);
			resume();
			this.queue.schedule();
		}
	}

	/**
	 * Drops expired frames of all queues: removes each and calls its
	 * {@link OutboundFrame#beforeWrite} once more, which ends the frame and returns SKIP.
	 * Then schedules another try of the others.
	 * @return true if frames are left
	 */
	public boolean dropExpired() {
		this.all.forEach((frames) -> frames.takeExpired().forEach(this::tryAgain));
		update();
		resume();
		return this.hasFrames;
	}

	/**
	 * Returns the first frame that waits for the window or for memory.
	 * @param isLong true for the frames that wait for memory
	 * @return null if there is none
	 */
	public @Nullable OutboundFrame next(boolean isLong) {
		return (isLong ? this.awaitingMemory : this.awaitingWindow).peek();
	}

	/**
	 * Returns true if a frame is the next one for the window or for memory.
	 * @param frame the frame
	 * @return true for the first frame of either queue
	 */
	public boolean isNext(OutboundFrame frame) {
		return next(true) == frame || next(false) == frame;
	}

	/**
	 * Returns true if a frame waits for the window or for memory.
	 * @return false if none does
	 */
	public boolean waitsForWindow() {
		return waitsForMemory() || !this.awaitingWindow.isEmpty();
	}

	/**
	 * Returns true if a long frame waits for memory of the peer.
	 * @return false if none does
	 */
	public boolean waitsForMemory() {
		return !this.awaitingMemory.isEmpty();
	}

	@Override
	public int size() {
		return this.awaitingSocket.size() + this.awaitingWindow.size() + this.awaitingMemory.size();
	}

	@Override
	protected @Nullable OutboundFrame poll() {
		for (BlockedFrameQueue frames : this.all) {
			if (!frames.isEmpty()) {
				return frames.take();
			}
		}
		this.hasFrames = false;
		return null;
	}

}
