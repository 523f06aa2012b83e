package io.rpcboot.internal.server.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Open streams of several messages at a server. They have a limit of their own, because
 * an idle feed costs memory and no thread: calls in flight are counted without them. Any
 * thread.
 */
public final class OpenStreams {

	private final int most;

	private final AtomicInteger open = new AtomicInteger();

	OpenStreams(int most) {
		this.most = most;
	}

	/** Counts a stream; returns false if there are too many. */
	public boolean tryOpen() {
		if (this.open.incrementAndGet() <= this.most) {
			return true;
		}
		this.open.decrementAndGet();
		return false;
	}

	/** Counts streams out whose calls have ended. */
	public void closed(int streams) {
		this.open.addAndGet(-streams);
	}

	/** Returns the number of open streams. */
	public int count() {
		return this.open.get();
	}

}
