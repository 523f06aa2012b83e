package io.rpcboot.internal.transport.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
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

	private final Collection<OutboundFrame> frames;

	/** Size from which on abandoned frames are removed. */
	private int purgeAt = MIN_PURGE;

	/** Copy of the number of frames, for other threads. */
	private int size;

	private BlockedFrameQueue(Collection<OutboundFrame> frames) {
		this.frames = frames;
	}

	/** Creates a queue from which mostly the first frame is taken. */
	public static BlockedFrameQueue create() {
		return new BlockedFrameQueue(new ArrayDeque<>());
	}

	/** Creates a queue from which any frame is taken in constant time. */
	public static BlockedFrameQueue indexed() {
		return new BlockedFrameQueue(new LinkedHashSet<>());
	}

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
		Iterator<OutboundFrame> first = this.frames.iterator();
		OutboundFrame frame = first.next();
		first.remove();
		this.size = this.frames.size();
		return frame;
	}

	/** Returns the first frame, null if there is none. */
	public @Nullable OutboundFrame peek() {
		return this.frames.isEmpty() ? null : this.frames.iterator().next();
	}

	/**
	 * Removes a frame.
	 * @return false if it is not in this queue
	 */
	public boolean remove(OutboundFrame frame) {
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

	/** Returns true if a frame has a property. */
	public boolean hasAny(Predicate<OutboundFrame> property) {
		return this.frames.stream().anyMatch(property);
	}

	public int size() {
		return this.size;
	}

	public boolean isEmpty() {
		return this.frames.isEmpty();
	}

}
