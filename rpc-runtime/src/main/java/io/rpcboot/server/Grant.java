package io.rpcboot.server;

import io.rpcboot.internal.memory.IncomingGrant;

/**
 * What one client may send: totals of calls and of bytes since it connected, which only
 * rise. Stands beside server connection. The window of calls, by which the grant is ahead
 * of what is done, begins small and doubles whenever its client uses most of it, or says
 * that it has used it up, up to its share of the server's capacity. Event loop only, but
 * for what is read for people.
 */
final class Grant {

	private final Capacity capacity;

	private final IncomingGrant bytes;

	private boolean open;

	private long wanted;

	private long promise;

	private long granted;

	private long received;

	private long released;

	private boolean usedUp;

	Grant(Capacity capacity, long firstCalls, IncomingGrant bytes) {
		this.capacity = capacity;
		this.wanted = firstCalls;
		this.bytes = bytes;
	}

	/** The client may send. */
	void open() {
		this.open = true;
		this.capacity.join();
		this.bytes.open();
		raise();
	}

	/** A request arrived. Returns false if it was not granted. */
	boolean takes(int size) {
		if (this.received >= this.granted || !this.bytes.takes(size)) {
			return false;
		}
		this.received++;
		return true;
	}

	/** The client says that it used up the calls that it knew to be granted. */
	void usedUp() {
		this.usedUp = true;
	}

	/**
	 * Whether the client is about to use up what it has and may get more, although
	 * nothing was released: calls may wait for calls that follow them.
	 */
	boolean isShort() {
		return 4 * (this.granted - this.received) <= this.promise && this.promise >= this.wanted;
	}

	/**
	 * A request needs no room any more. Returns whether it is time to raise the grant.
	 */
	boolean release(int size) {
		this.released++;
		boolean fewBytes = this.bytes.release(size);
		return fewBytes || this.released + this.promise - this.granted >= (this.promise + 3) / 4;
	}

	void raise() {
		boolean used = this.granted > 0 && 2 * (this.granted - this.received) <= this.promise;
		if ((used || this.usedUp) && this.wanted <= this.promise) {
			this.wanted = 2 * this.promise;
		}
		this.usedUp = false;
		this.promise = this.capacity.promise(this.promise, this.wanted);
		this.granted = Math.max(this.granted, this.released + this.promise);
		this.bytes.raise();
	}

	/** The connection has ended. */
	void close() {
		if (this.open) {
			this.open = false;
			this.capacity.leave(this.promise);
			this.bytes.close();
		}
	}

	IncomingGrant bytes() {
		return this.bytes;
	}

	long calls() {
		return this.granted;
	}

	long receivedCalls() {
		return this.received;
	}

	/** Calls that need room. */
	long inFlight() {
		return this.received - this.released;
	}

}
