package io.rpcboot.internal.transport.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Frames that may not go yet, in their order. For one thread at a time; any thread may
 * ask for the number, which is for people then.
 */
public final class BlockedFrameQueue {

	private static final int MIN_PURGE = 64;

	private final ArrayDeque<OutboundFrame> frames = new ArrayDeque<>();

	private int purgeAt = MIN_PURGE;

	/** Apart from the deque, for threads that only look. */
	private int size;

	public void add(OutboundFrame frame) {
		this.frames.add(frame);
		this.size = this.frames.size();
	}

	/** Take out those that nobody wants any more, if the number has doubled. */
	public List<OutboundFrame> takeAbandoned() {
		if (this.frames.size() < this.purgeAt) {
			return List.of();
		}
		List<OutboundFrame> abandoned = takeIf(OutboundFrame::isAbandoned);
		this.purgeAt = Math.max(MIN_PURGE, 2 * this.frames.size());
		return abandoned;
	}

	/** Take the first; there must be one. */
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

	/** Take out those that wait in vain. */
	List<OutboundFrame> takeStale() {
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
