package io.rpcboot.internal.transport.binary;

import java.util.List;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrameQueue;
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

	private final BlockedFrameQueue awaitingSocket;

	private final BlockedFrameQueue awaitingWindow;

	/** Long frames, which wait for memory of the peer. */
	private final BlockedFrameQueue awaitingMemory;

	public BinaryBlockedFrames(WriteQueue queue) {
		this(queue, BlockedFrameQueue.create(), BlockedFrameQueue.create(), BlockedFrameQueue.create());
	}

	private BinaryBlockedFrames(WriteQueue queue, BlockedFrameQueue socket, BlockedFrameQueue window,
			BlockedFrameQueue memory) {
		super(queue, List.of(socket), List.of(window, memory));
		this.awaitingSocket = socket;
		this.awaitingWindow = window;
		this.awaitingMemory = memory;
	}

	@Override
	protected void add(OutboundFrame frame, WriteDecision decision) {
		switch (decision) {
			case BLOCKED_BY_SOCKET -> add(frame, this.awaitingSocket);
			case BLOCKED_BY_WINDOW -> add(frame, this.awaitingWindow);
			case BLOCKED_BY_STREAM -> add(frame, this.awaitingMemory);
			default -> {
			}
		}
		update();
	}

	private void add(OutboundFrame frame, BlockedFrameQueue frames) {
		frames.takeAbandoned().forEach(this.queue::write); // which skips them
		frames.add(frame);
	}

	@Override
	protected void update() {
		this.hasFrames = size() > 0;
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

	private void writeInOrder(BlockedFrameQueue frames) {
		for (OutboundFrame frame = frames.peek(); frame != null; frame = frames.peek()) {
			WriteDecision decision = this.queue.write(frame);
			boolean moves = decision == WriteDecision.BLOCKED_BY_STREAM && frames != this.awaitingMemory;
			if (!moves && decision != WriteDecision.WRITE && decision != WriteDecision.SKIP) {
				return; // the frames behind it are blocked, too
			}
			add(frames.take(), decision);
		}
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
	 * Returns true if a long frame waits for memory of the peer.
	 * @return false if none does
	 */
	public boolean waitsForMemory() {
		return !this.awaitingMemory.isEmpty();
	}

}
