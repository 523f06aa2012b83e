package io.rpcboot.internal.server.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pool of credits, each for one call in flight, which the connections of a server share.
 * Any thread.
 *
 * <pre>
 * share   = min(maxPerConnection, capacity / connections)
 * granted = max(min(wanted, share, free), min(minPerConnection, share))
 * </pre>
 *
 * Example: a capacity of 20,000 and 100 connections: each gets up to 200 credits. A
 * credit is never revoked: with more connections the windows of the others shrink as they
 * use their credits. Every new connection gets at least minPerConnection, even if the
 * pool is exhausted; only this can over-commit it.
 */
public final class CallCreditPool {

	private final long capacity;

	private final long maxPerConnection;

	private final long minPerConnection;

	private final AtomicInteger connections = new AtomicInteger();

	private final AtomicLong granted = new AtomicLong();

	/**
	 * Creates a pool of which nothing is granted.
	 * @param capacity credits of the server
	 * @param maxPerConnection maximum of one connection
	 * @param minPerConnection minimum of one connection, unless its share is smaller
	 */
	CallCreditPool(long capacity, long maxPerConnection, long minPerConnection) {
		this.capacity = capacity;
		this.maxPerConnection = maxPerConnection;
		this.minPerConnection = minPerConnection;
	}

	/** Counts a new connection. */
	public void join() {
		this.connections.incrementAndGet();
	}

	/** Returns the credits of a connection that has ended. */
	public void leave(long credits) {
		this.connections.decrementAndGet();
		this.granted.addAndGet(-credits);
	}

	/**
	 * Grants credits to a connection, in place of those it had.
	 * @param before its former credits, 0 at first
	 * @param wanted credits that it could use
	 * @return the new credits, 1 or more
	 */
	public long grant(long before, long wanted) {
		long share = Math.max(1, Math.min(this.maxPerConnection, this.capacity / Math.max(1, this.connections.get())));
		while (true) {
			long all = this.granted.get();
			long free = this.capacity - (all - before);
			long credits = Math.max(Math.min(wanted, Math.min(share, free)), Math.min(this.minPerConnection, share));
			if (this.granted.compareAndSet(all, all - before + credits)) {
				return credits;
			}
		}
	}

	/** Returns the credits of all connections. */
	public long granted() {
		return this.granted.get();
	}

}
