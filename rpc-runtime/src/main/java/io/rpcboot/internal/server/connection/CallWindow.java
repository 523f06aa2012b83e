package io.rpcboot.internal.server.connection;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.server.runtime.CallCreditPool;

/**
 * What one client may send: totals of calls and of bytes since it connected, which only
 * rise, taken from the capacity of the server. Stands beside server connection, which
 * counts what arrives. The window of calls, by which the grant is ahead of what is done,
 * begins small and doubles whenever its client uses most of it, or says that it has used
 * it up, up to its share of the capacity. Event loop only, but for what is read for
 * people.
 */
abstract class CallWindow {

	private final CallCreditPool capacity;

	public final ReceiveWindow bytes;

	private boolean open;

	long wanted;

	long promise;

	long granted;

	long received;

	long released;

	/** Released from which on the client is told again what it may have under way. */
	long tellAt;

	private boolean usedUp;

	CallWindow(CallCreditPool capacity, long firstCalls, ReceiveWindow bytes) {
		this.capacity = capacity;
		this.wanted = firstCalls;
		this.bytes = bytes;
	}

	/** The client may send. */
	public final void open() {
		this.open = true;
		this.capacity.join();
		this.bytes.open();
		raise();
	}

	/** The client says that it used up the calls that it knew to be granted. */
	public final void usedUp() {
		this.usedUp = true;
	}

	public final void raise() {
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
	public final void close() {
		if (this.open) {
			this.open = false;
			this.capacity.leave(this.promise);
			this.bytes.close();
		}
	}

	/**
	 * The client is told how many calls it may have under way, with those it has: calls
	 * may end without an answer, and need not be granted again.
	 */
	public final long tell() {
		long allowed = this.granted - this.released;
		this.tellAt = this.released + Math.max(1, (allowed + 3) / 4);
		return allowed;
	}

	public final long calls() {
		return this.granted;
	}

	public final long receivedCalls() {
		return this.received;
	}

	/** Calls that need room. */
	public final long inFlight() {
		return this.received - this.released;
	}

}
