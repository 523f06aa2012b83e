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

	long targetWindow;

	long window;

	long granted;

	long received;

	long released;

	/** Released from which on the client is told again what it may have under way. */
	long announceAt;

	private boolean exhausted;

	CallWindow(CallCreditPool capacity, long firstCalls, ReceiveWindow bytes) {
		this.capacity = capacity;
		this.targetWindow = firstCalls;
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
	public final void onExhausted() {
		this.exhausted = true;
	}

	public final void raise() {
		boolean used = this.granted > 0 && 2 * (this.granted - this.received) <= this.window;
		if ((used || this.exhausted) && this.targetWindow <= this.window) {
			this.targetWindow = 2 * this.window;
		}
		this.exhausted = false;
		this.window = this.capacity.grant(this.window, this.targetWindow);
		this.granted = Math.max(this.granted, this.released + this.window);
		this.bytes.raise();
	}

	/** The connection has ended. */
	public final void close() {
		if (this.open) {
			this.open = false;
			this.capacity.leave(this.window);
			this.bytes.close();
		}
	}

	/**
	 * The client is told how many calls it may have under way, with those it has: calls
	 * may end without an answer, and need not be granted again.
	 */
	public final long allowance() {
		long allowed = this.granted - this.released;
		this.announceAt = this.released + Math.max(1, (allowed + 3) / 4);
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
