package io.rpcboot.internal.transport.binary;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Blocked frames in their order. One thread at a time; any thread may read the size, and
 * may get an older number.
 */
public final class BlockedFrameQueue {

	private static final int MIN_PURGE = 64;

	private final ArrayDeque<OutboundFrame> frames = new ArrayDeque<>();

	/** Size from which on abandoned frames are removed. */
	private int purgeAt = MIN_PURGE;

	/** Copy of the size of the deque, for other threads. */
	private int size;

	/** Adds a frame at the end. */
	public void add(OutboundFrame frame) {
		this.frames.add(frame);
		this.size = this.frames.size();
	}

	/**
	 * Removes and returns the abandoned frames if the size has doubled since the last
	 * removal. The caller offers them to the write queue once more, which skips them.
	 * @return the removed frames; an empty list if the size is smaller
	 */
	public List<OutboundFrame> takeAbandoned() {
		if (this.frames.size() < this.purgeAt) {
			return List.of();
		}
		List<OutboundFrame> abandoned = takeIf(OutboundFrame::isAbandoned);
		this.purgeAt = Math.max(MIN_PURGE, 2 * this.frames.size());
		return abandoned;
	}

	/** Removes the first frame, which must exist. */
	public OutboundFrame take() {
		OutboundFrame frame = this.frames.remove();
		this.size = this.frames.size();
		return frame;
	}

	@Nullable OutboundFrame peek() {
		return this.frames.peek();
	}

	boolean remove(OutboundFrame frame) {
		boolean removed = this.frames.remove(frame);
		this.size = this.frames.size();
		return removed;
	}

	/** Removes and returns the expired frames. */
	List<OutboundFrame> takeExpired() {
		return takeIf(OutboundFrame::isExpired);
	}

	private List<OutboundFrame> takeIf(Predicate<OutboundFrame> unwanted) {
		List<OutboundFrame> taken = new ArrayList<>();
		this.frames.removeIf((frame) -> unwanted.test(frame) && taken.add(frame));
		this.size = this.frames.size();
		return taken;
	}

	public int size() {
		return this.size;
	}

	public boolean isEmpty() {
		return this.frames.isEmpty();
	}

}
