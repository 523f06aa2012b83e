package io.rpcboot.internal.server.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a server can take in, in calls or in bytes, and how much of it is promised to its
 * connections. Any thread.
 * <p>
 * A connection is promised at most its fair share, the whole divided by the number of
 * connections, and at most what nobody else was promised. When more connections come, the
 * others' shares become smaller as they use up what they have: a promise is never taken
 * back. So that a newcomer is never shut out by what others were promised and do not use,
 * it gets a small part in any case; this is all by which the promises may exceed the
 * whole.
 */
public final class CallCreditPool {

	private final long whole;

	private final long mostForOne;

	private final long leastForOne;

	private final AtomicInteger connections = new AtomicInteger();

	private final AtomicLong promised = new AtomicLong();

	/**
	 * Create a capacity.
	 * @param whole all that the server takes in
	 * @param mostForOne most for one connection
	 * @param leastForOne what a connection is promised in any case, unless its share is
	 * smaller
	 */
	CallCreditPool(long whole, long mostForOne, long leastForOne) {
		this.whole = whole;
		this.mostForOne = mostForOne;
		this.leastForOne = leastForOne;
	}

	public void join() {
		this.connections.incrementAndGet();
	}

	/** A connection has ended. */
	public void leave(long itsPromise) {
		this.connections.decrementAndGet();
		this.promised.addAndGet(-itsPromise);
	}

	/**
	 * Promise something to a connection, in place of what it was promised before.
	 * @param before its former promise, 0 at first
	 * @param wanted what it could use
	 * @return the promise, 1 or more
	 */
	public long grant(long before, long wanted) {
		long share = Math.max(1, Math.min(this.mostForOne, this.whole / Math.max(1, this.connections.get())));
		while (true) {
			long all = this.promised.get();
			long free = this.whole - (all - before);
			long promise = Math.max(Math.min(wanted, Math.min(share, free)), Math.min(this.leastForOne, share));
			if (this.promised.compareAndSet(all, all - before + promise)) {
				return promise;
			}
		}
	}

	/** What all connections together were promised. */
	public long promised() {
		return this.promised.get();
	}

}
