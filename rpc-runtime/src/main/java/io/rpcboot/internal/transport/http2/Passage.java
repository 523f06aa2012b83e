package io.rpcboot.internal.transport.http2;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.transport.frame.ByteArrayPool;
import org.jspecify.annotations.Nullable;

/**
 * One direction of an exchange that a relay passes on: parts on their way from the stream
 * on which they arrive to a stream of another connection. Any thread.
 * <p>
 * Flow control is end to end: the peer that sends gets its window back when the next hop
 * has taken the bytes, so that at most the window of a stream waits here. The memory of
 * bytes is held from {@link #add} to {@link #taken}. A short request is held longer,
 * until it is certain that no other instance needs it: {@link #mayBeginAgain()}.
 */
public final class Passage {

	/** Longest request in bytes that is kept for another attempt. */
	static final int MOST_KEPT = 16 * 1024;

	/** Bytes that are given back together while others wait. */
	private static final int STEP = 8 * 1024;

	private final Origin origin;

	private final ArrayDeque<PassedPart> waiting = new ArrayDeque<>(4);

	/** Parts that were handed on and are kept for another attempt. */
	private final ArrayDeque<PassedPart> kept = new ArrayDeque<>(0);

	/** True while all parts that were handed on are kept. */
	private boolean keeps;

	/** Bytes of kept parts. */
	private int keptBytes;

	/** Bytes of all passages to the same receiver; null before there is one. */
	private @Nullable AtomicLong load;

	/** Wakes the stream that sends the parts; null before there is one. */
	private @Nullable Runnable receiver;

	/** True if the receiver has found no part, and waits to be woken. */
	private boolean isIdle;

	/** True once no part follows. */
	private boolean isComplete;

	private boolean closed;

	/** Bytes whose memory is held. */
	private int held;

	/** Bytes that the next hop has taken, and that are not given back to the origin. */
	private int taken;

	/** Bytes whose memory is free, and that are not given back to the origin. */
	private int freed;

	/** Stream on which the parts arrive. */
	public interface Origin {

		/**
		 * Takes back bytes. Any thread.
		 * @param window bytes that the next hop has taken: the peer may send others
		 * @param memory bytes whose memory is free
		 */
		void giveBack(int window, int memory);

	}

	/**
	 * Creates an empty passage.
	 * @param keeps true if parts are kept for another attempt
	 */
	public Passage(Origin origin, boolean keeps) {
		this.origin = origin;
		this.keeps = keeps;
	}

	/**
	 * Adds a part whose memory the origin has reserved.
	 * @return false if the passage is closed: the memory is free
	 */
	public boolean add(PassedPart part) {
		Runnable woken;
		synchronized (this) {
			if (this.closed) {
				return false;
			}
			this.waiting.add(part);
			this.held += part.memory();
			loads(part.memory());
			this.isComplete |= part.kind() == PassedPart.Kind.END;
			woken = this.isIdle ? this.receiver : null;
			this.isIdle = false;
		}
		if (woken != null) {
			woken.run();
		}
		return true;
	}

	/**
	 * Begins an attempt to send: parts that are kept come first. The receiver asks for
	 * the next part afterwards.
	 * @param wake run by any thread when a part has arrived behind {@link #next()} = null
	 * @param all counts the memory of all passages to the same peer, null for no count
	 */
	public synchronized void attach(Runnable wake, @Nullable AtomicLong all) {
		loads(-this.held);
		this.load = all;
		loads(this.held);
		this.receiver = wake;
		this.isIdle = false;
		while (!this.kept.isEmpty()) {
			this.waiting.addFirst(this.kept.removeLast());
		}
		this.keptBytes = 0;
	}

	private void loads(int bytes) {
		if (this.load != null) {
			this.load.addAndGet(bytes);
		}
	}

	/** Returns the memory of all passages to the same peer; 0 before it is known. */
	public synchronized long load() {
		return (this.load != null) ? this.load.get() : 0;
	}

	/** Returns the next part, null if none has arrived: the receiver is woken then. */
	public @Nullable PassedPart next() {
		PassedPart part;
		boolean isLong = false;
		synchronized (this) {
			part = this.waiting.poll();
			this.isIdle = part == null;
			if (part != null && this.keeps) {
				this.kept.add(part);
				this.keptBytes += part.length();
				isLong = this.keptBytes > MOST_KEPT;
			}
		}
		if (isLong) {
			keepNoMore();
		}
		return part;
	}

	/** Returns true if the part that follows is an end without trailers, and takes it. */
	public synchronized boolean takesEnd() {
		PassedPart following = this.waiting.peek();
		if (following == null || !following.isBareEnd()) {
			return false;
		}
		this.waiting.remove();
		if (this.keeps) {
			this.kept.add(following);
		}
		return true;
	}

	/** Takes note that the next hop has taken the whole part. */
	public void taken(PassedPart part) {
		boolean isFree;
		synchronized (this) {
			if (this.closed) {
				return; // its memory is free already
			}
			if (!part.isTaken) {
				part.isTaken = true;
				this.taken += part.length();
			}
			isFree = !this.keeps;
			if (isFree) {
				free(part.memory());
			}
		}
		if (isFree) {
			ByteArrayPool.SHARED.give(part.bytes());
		}
		giveBack(false);
	}

	private void free(int bytes) {
		loads(-bytes);
		this.held -= bytes;
		this.freed += bytes;
	}

	/** Gives bytes back in steps: at once if nothing waits that gives more back. */
	private void giveBack(boolean all) {
		int window;
		int memory;
		synchronized (this) {
			boolean isDue = all || this.taken >= STEP || (this.waiting.isEmpty() && !this.isComplete);
			if (!isDue || (this.taken == 0 && this.freed == 0)) {
				return;
			}
			window = this.taken;
			memory = this.freed;
			this.taken = 0;
			this.freed = 0;
		}
		this.origin.giveBack(window, memory);
	}

	/** Returns true while another attempt could send all that was handed on. */
	public synchronized boolean mayBeginAgain() {
		return this.keeps;
	}

	/** Frees the parts that are kept: there is no other attempt. */
	public void keepNoMore() {
		synchronized (this) {
			if (!this.keeps || this.closed) {
				return;
			}
			this.keeps = false;
			this.kept.forEach((each) -> free(each.isTaken ? each.memory() : 0));
			this.kept.clear();
		}
		giveBack(false);
	}

	/** Drops all parts, and frees their memory. */
	public void close() {
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			free(this.held);
			this.waiting.clear();
			this.kept.clear();
			this.receiver = null;
		}
		giveBack(true);
	}

}
