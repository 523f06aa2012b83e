package io.rpcboot.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of replies a server may send on a connection: a total that is a fixed
 * window ahead of what callers and callbacks have taken. A client that does not keep up
 * so holds its servers back. Any thread.
 */
final class ReplyGrant {

	private final long window;

	private final AtomicLong taken = new AtomicLong();

	private final AtomicLong granted;

	/**
	 * Create a grant.
	 * @param window bytes that may be on their way or not taken yet
	 */
	ReplyGrant(long window) {
		this.window = window;
		this.granted = new AtomicLong(window);
	}

	/**
	 * A reply was taken.
	 * @param bytes its length
	 * @return whether the server is to be told the new total, for half of the window is
	 * free
	 */
	boolean take(long bytes) {
		long total = this.taken.addAndGet(bytes) + this.window;
		while (true) {
			long before = this.granted.get();
			if (total - before < this.window / 2) {
				return false;
			}
			if (this.granted.compareAndSet(before, total)) {
				return true;
			}
		}
	}

	/** The total in bytes. */
	long granted() {
		return this.granted.get();
	}

}
