package io.rpcboot.internal.server.connection.binary;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.server.runtime.CallCreditPool;
import io.rpcboot.internal.server.runtime.CallCredits;

/**
 * Flow control window of one client: how many calls and bytes it may send. All numbers
 * are totals since the start of the connection:
 *
 * <pre>granted = released + window</pre>
 *
 * Example: 100 calls are released and the window is 64: the client may send calls up to
 * number 164. The window starts small and doubles when its client uses most of it or
 * reports that it is exhausted, up to its share of {@link CallCredits}. Event loop only;
 * other threads may read the totals as snapshots.
 */
public final class CallWindow {

	private final CallCredits credits;

	/** Calls that the client may have in flight: its credits after the last raise. */
	private long window;

	public final ReceiveWindow bytes;

	private long granted;

	private long received;

	private long released;

	/** Released calls from which on the allowance is announced again. */
	private long announceAt;

	/** True if the client has reported that it used all calls it knew of. */
	private boolean exhausted;

	public CallWindow(CallCreditPool pool, long initialCalls, ReceiveWindow bytes) {
		this.credits = new CallCredits(pool, initialCalls);
		this.bytes = bytes;
	}

	/** Opens the window: the client may send. */
	public void open() {
		this.credits.open();
		this.bytes.open();
		raise();
	}

	/** Records that the client has used all calls that it knew to be granted. */
	public void onExhausted() {
		this.exhausted = true;
	}

	/** Raises the grant, and the window if the client uses it. */
	public void raise() {
		boolean used = this.granted > 0 && 2 * (this.granted - this.received) <= this.window;
		this.credits.raise(used || this.exhausted);
		this.window = this.credits.granted();
		this.exhausted = false;
		this.granted = Math.max(this.granted, this.released + this.window);
		this.bytes.raise();
	}

	/**
	 * Receives a request.
	 * @return false if it was not granted
	 */
	public boolean takes(int size) {
		if (this.received >= this.granted || !this.bytes.takes(size)) {
			return false;
		}
		this.received++;
		return true;
	}

	/**
	 * Returns true if the grant should be raised although no call was released: at most a
	 * quarter of the window is left and the pool may have more, because pending calls may
	 * depend on later ones; or nothing is left and some calls were released.
	 */
	public boolean isShort() {
		long left = this.granted - this.received;
		return (4 * left <= this.window && this.credits.isSatisfied()) || (left == 0 && releasedSinceGrant() > 0);
	}

	/**
	 * Releases the permit of a request.
	 * @return true if the grant should be raised or announced: bytes are short, a quarter
	 * of the announced allowance was released, or min(left, window / 4) calls were
	 * released since the last raise. Example: 48 of 64 calls hang and the client has 4
	 * calls left: 4 released calls raise the grant
	 */
	public boolean release(int size) {
		this.released++;
		boolean fewBytes = this.bytes.release(size);
		long left = Math.max(1, this.granted - this.received);
		return fewBytes || this.released >= this.announceAt
				|| releasedSinceGrant() >= Math.min(left, (this.window + 3) / 4);
	}

	private long releasedSinceGrant() {
		return this.released + this.window - this.granted;
	}

	/** Closes the window and returns its credits: the connection has ended. */
	public void close() {
		this.credits.close();
		this.bytes.close();
	}

	/**
	 * Returns the calls that the client may have pending, to be announced now. The client
	 * needs this number beside the total, because calls may end without a response.
	 */
	public long allowance() {
		long allowed = this.granted - this.released;
		this.announceAt = this.released + Math.max(1, (allowed + 3) / 4);
		return allowed;
	}

	/** Returns the total of granted calls. */
	public long calls() {
		return this.granted;
	}

	/** Returns the total of received calls. */
	public long receivedCalls() {
		return this.received;
	}

	/** Returns the calls that hold a permit. */
	public long inFlight() {
		return this.received - this.released;
	}

}
