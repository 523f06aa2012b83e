package io.rpcboot.internal.transport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frames of a write queue that may not go yet, in their order: some wait for room in
 * the socket, others for a grant. Stands beside write queue, whose lock-free part does
 * not look at them. Event loop only, but for the rejection at the end.
 */
abstract class Backlog {

	private static final Logger logger = LoggerFactory.getLogger(Backlog.class);

	private final HeldFrames awaitingRoom = new HeldFrames();

	private final HeldFrames awaitingGrant = new HeldFrames();

	/** Whether a frame waits for room or for a grant. */
	boolean hasBacklog;

	/** Whether the next drain asks the waiting frames again. */
	boolean resumed;

	/**
	 * Ask a frame whether it may go, and write it if so.
	 * @return what it said
	 */
	abstract Admission write(Frame frame);

	/** See that a drain follows. */
	abstract void schedule();

	/** Let a frame wait if it has to. */
	final void keep(Frame frame, Admission admission) {
		if (admission == Admission.HOLD) {
			add(frame, this.awaitingRoom);
		}
		else if (admission == Admission.WAIT) {
			add(frame, this.awaitingGrant);
		}
		update();
	}

	private void add(Frame frame, HeldFrames frames) {
		frames.takeAbandoned().forEach(this::write); // which says that it is skipped
		frames.add(frame);
	}

	private void update() {
		this.hasBacklog = !this.awaitingRoom.isEmpty() || !this.awaitingGrant.isEmpty();
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
		for (int i = this.awaitingRoom.size(); i > 0 && !this.awaitingRoom.isEmpty(); i--) {
			Frame frame = this.awaitingRoom.take();
			keep(frame, write(frame));
		}
		writeGranted();
		update();
	}

	private void writeGranted() {
		for (Frame frame = this.awaitingGrant.peek(); frame != null; frame = this.awaitingGrant.peek()) {
			Admission admission = write(frame);
			if (admission == Admission.WAIT || admission == Admission.HOLD) {
				return; // so do those behind it
			}
			this.awaitingGrant.take();
		}
	}

	/**
	 * A frame is no longer wanted: if it waits for a grant it is asked now, for those
	 * before it may wait long. Event loop only.
	 * @param frame will not say WAIT again
	 */
	public final void giveUp(Frame frame) {
		if (this.awaitingGrant.remove(frame)) {
			keep(frame, write(frame));
			resume();
			schedule();
		}
	}

	/**
	 * Ask those again that wait in vain, wherever they stand. Event loop only.
	 * @return whether others wait still
	 */
	public final boolean dropStale() {
		this.awaitingRoom.takeStale().forEach((frame) -> keep(frame, write(frame)));
		this.awaitingGrant.takeStale().forEach((frame) -> keep(frame, write(frame)));
		update();
		resume();
		return this.hasBacklog;
	}

	/** Whether a frame is the first of those that wait for a grant. */
	final boolean isNextForGrant(Frame frame) {
		return this.awaitingGrant.peek() == frame;
	}

	/**
	 * Whether a frame waits for a grant. Event loop only.
	 * @return false while none does
	 */
	public final boolean waitsForGrant() {
		return !this.awaitingGrant.isEmpty();
	}

	/** Frames that wait. Any thread may ask, and may see an older number. */
	final int backlog() {
		return this.awaitingRoom.size() + this.awaitingGrant.size();
	}

	/** The queue has ended. One thread at a time. */
	final void rejectBacklog() {
		while (!this.awaitingRoom.isEmpty()) {
			reject(this.awaitingRoom.take());
		}
		while (!this.awaitingGrant.isEmpty()) {
			reject(this.awaitingGrant.take());
		}
		update();
	}

	static void reject(Frame frame) {
		try {
			frame.rejected();
		}
		catch (RuntimeException ex) {
			failed(frame, ex);
		}
	}

	static void failed(Frame frame, RuntimeException cause) {
		logger.error("A frame of type {} failed; the others go on", frame.type, cause);
	}

}
