package io.rpcboot.internal.transport;

import java.util.ArrayDeque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Frames that may not go yet, in their order. Those that nobody wants any more are
 * dropped each time the number has doubled. For one thread at a time; any thread may ask
 * for the number, which is for people then.
 */
final class HeldFrames {

	private static final int MIN_PURGE = 64;

	private final ArrayDeque<Frame> frames = new ArrayDeque<>();

	private int purgeAt = MIN_PURGE;

	/** Apart from the deque, for threads that only look. */
	private int size;

	void add(Frame frame) {
		if (this.frames.size() >= this.purgeAt) {
			this.frames.removeIf(Frame::isAbandoned);
			this.purgeAt = Math.max(MIN_PURGE, 2 * this.frames.size());
		}
		this.frames.add(frame);
		this.size = this.frames.size();
	}

	/** Take the first; there must be one. */
	Frame take() {
		Frame frame = this.frames.remove();
		this.size = this.frames.size();
		return frame;
	}

	@Nullable Frame peek() {
		return this.frames.peek();
	}

	boolean remove(Frame frame) {
		boolean removed = this.frames.remove(frame);
		this.size = this.frames.size();
		return removed;
	}

	/** Take out those of which nobody wants to hear. */
	List<Frame> takeStale() {
		List<Frame> stale = this.frames.stream().filter(Frame::isStale).toList();
		this.frames.removeAll(stale);
		this.size = this.frames.size();
		return stale;
	}

	int size() {
		return this.size;
	}

	boolean isEmpty() {
		return this.frames.isEmpty();
	}

}
