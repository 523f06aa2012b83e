package io.rpcboot.internal.transport.write;

import java.util.List;

import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.frame.FrameSource;
import io.rpcboot.internal.transport.frame.MpscFrameQueue;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frames of a write queue that may not go yet, in their order: some wait for room in
 * the socket, others for a grant. Stands beside write queue, whose lock-free part does
 * not look at them. Long frames wait for their grant apart from the others, which pass
 * them. Event loop only, but for the rejection at the end.
 */
abstract class BlockedFrames {

	private static final Logger logger = LoggerFactory.getLogger("rpc.transport");

	final MpscFrameQueue queued = new MpscFrameQueue();

	private final BlockedFrameQueue awaitingSocket = new BlockedFrameQueue();

	private final BlockedFrameQueue awaitingGrant = new BlockedFrameQueue();

	private final BlockedFrameQueue awaitingMemory = new BlockedFrameQueue();

	/** Whether a frame waits for room or for a grant. */
	public boolean hasBacklog;

	/** Whether the next drain asks the waiting frames again. */
	boolean resumed;

	private @Nullable FrameSource source;

	/** Whether the source is to be asked. */
	volatile boolean sourceHasFrames;

	/**
	 * Ask a frame whether it may go, and write it if so.
	 * @return what it said
	 */
	abstract WriteDecision write(OutboundFrame frame);

	/** See that a drain follows. */
	abstract void schedule();

	/**
	 * Let frames come from elsewhere, too, behind those that are enqueued. To be called
	 * before the first frame.
	 * @param source asked after {@link #pull}, until it has no frame
	 */
	public final void source(FrameSource source) {
		this.source = source;
	}

	/** Ask the source for frames: there may be some, or room for some. Any thread. */
	public final void pull() {
		if (this.source != null) {
			this.sourceHasFrames = true;
			schedule();
		}
	}

	/** The next frame of the source, null if it has none. Event loop only. */
	final @Nullable OutboundFrame pulled() {
		FrameSource other = this.source;
		OutboundFrame frame = (other != null) ? other.next() : null;
		if (frame == null && other != null) {
			this.sourceHasFrames = false;
			frame = other.next(); // what was offered before this could be heard
			if (frame != null) {
				this.sourceHasFrames = true;
			}
		}
		return frame;
	}

	/** Let a frame wait if it has to. */
	final void block(OutboundFrame frame, WriteDecision admission) {
		switch (admission) {
			case HOLD -> add(frame, this.awaitingSocket);
			case WAIT -> add(frame, this.awaitingGrant);
			case WAIT_FOR_MEMORY -> add(frame, this.awaitingMemory);
			default -> {
			}
		}
		update();
	}

	private void add(OutboundFrame frame, BlockedFrameQueue frames) {
		frames.takeAbandoned().forEach(this::write); // which says that it is skipped
		frames.add(frame);
	}

	private void update() {
		this.hasBacklog = !this.awaitingSocket.isEmpty() || waitsForGrant();
	}

	/** Look at held frames again. Event loop only. */
	public final void resume() {
		if (this.hasBacklog) {
			this.resumed = true;
			schedule();
		}
	}

	/** Write what may go now. */
	final void writeBacklog() {
		this.resumed = false;
		writeGranted(this.awaitingMemory); // first, for a stream of others might fill the
											// socket for ever
		for (int i = this.awaitingSocket.size(); i > 0 && !this.awaitingSocket.isEmpty(); i--) {
			OutboundFrame frame = this.awaitingSocket.take();
			block(frame, write(frame));
		}
		writeGranted(this.awaitingGrant);
		update();
	}

	private void writeGranted(BlockedFrameQueue line) {
		for (OutboundFrame frame = line.peek(); frame != null; frame = line.peek()) {
			WriteDecision admission = write(frame);
			boolean moves = admission == WriteDecision.WAIT_FOR_MEMORY && line != this.awaitingMemory;
			if (!moves && admission != WriteDecision.WRITE && admission != WriteDecision.SKIP) {
				return; // so do those behind it
			}
			block(line.take(), admission);
		}
	}

	/**
	 * A frame is no longer wanted: if it waits for a grant it is asked now, for those
	 * before it may wait long. Event loop only.
	 * @param frame will not say WAIT again
	 */
	public final void unblock(OutboundFrame frame) {
		if (this.awaitingGrant.remove(frame) || this.awaitingMemory.remove(frame)) {
			block(frame, write(frame));
			resume();
			schedule();
		}
	}

	/**
	 * Ask those again that wait in vain, wherever they stand. Event loop only.
	 * @return whether others wait still
	 */
	public final boolean dropStale() {
		this.awaitingSocket.takeStale().forEach((frame) -> block(frame, write(frame)));
		this.awaitingGrant.takeStale().forEach((frame) -> block(frame, write(frame)));
		this.awaitingMemory.takeStale().forEach((frame) -> block(frame, write(frame)));
		update();
		resume();
		return this.hasBacklog;
	}

	/**
	 * The first of the frames that wait for a grant.
	 * @param isLong whether of those that wait for memory
	 * @return null if none does
	 */
	public final @Nullable OutboundFrame next(boolean isLong) {
		return (isLong ? this.awaitingMemory : this.awaitingGrant).peek();
	}

	/**
	 * Whether others wait for a frame. Event loop only.
	 * @param frame the frame
	 * @return whether it is the first of its kind that waits for a grant
	 */
	public final boolean isNext(OutboundFrame frame) {
		return next(true) == frame || next(false) == frame;
	}

	/**
	 * Whether a frame waits for a grant. Event loop only.
	 * @return false while none does
	 */
	public final boolean waitsForGrant() {
		return waitsForMemory() || !this.awaitingGrant.isEmpty();
	}

	/**
	 * Whether a long frame waits for memory of the other side. Event loop only.
	 * @return false while none does
	 */
	public final boolean waitsForMemory() {
		return !this.awaitingMemory.isEmpty();
	}

	/** Frames that wait. Any thread may ask, and may see an older number. */
	public final int backlog() {
		return this.awaitingSocket.size() + this.awaitingGrant.size() + this.awaitingMemory.size();
	}

	/** After the end only: producers that were late and the loop may meet here. */
	final synchronized void rejectAll() {
		for (BlockedFrameQueue line : List.of(this.awaitingSocket, this.awaitingGrant, this.awaitingMemory)) {
			while (!line.isEmpty()) {
				reject(line.take());
			}
		}
		update();
		for (OutboundFrame frame = this.queued.poll(); frame != null; frame = this.queued.poll()) {
			reject(frame);
		}
	}

	private static void reject(OutboundFrame frame) {
		try {
			frame.onRejected();
		}
		catch (RuntimeException ex) {
			failed(frame, ex);
		}
		catch (Error ex) { // the others have their end all the same
			ResilientEventLoops.logSurvived("The end of a frame", ex);
		}
	}

	static void failed(OutboundFrame frame, RuntimeException cause) {
		logger.error("A frame of type {} failed; the others go on", frame.type, cause);
	}

}
