package io.rpcboot.internal.client.pool;

/**
 * Decides whether calls wait for an endpoint, or for the instances of a reference: yes if
 * no attempt has ended yet, or if the last loss is recent. Times are as
 * {@link System#nanoTime()}. Control thread only.
 */
public final class WaitForReady {

	/** True if an attempt has ended; never false again. */
	private boolean outcomeKnown;

	/** True if there was a loss. */
	private boolean lostInstance;

	/** Time of the last loss. */
	private long lostNanos;

	/**
	 * Time of the first attempt in which this process ran. It ends neither an attempt nor
	 * a wait that the scheduler of the system holds up.
	 */
	private long attemptNanos;

	/** Notes that no connection is ready, once for each pause of a periodic check. */
	void onCheck(long pauseNanos) {
		this.attemptNanos += pauseNanos;
	}

	/** Notes the end of an attempt. */
	public void onFirstOutcome() {
		this.outcomeKnown = true;
	}

	/** Notes the loss of a connection or instance that took calls. */
	public void onLost(long now) {
		this.lostInstance = true;
		this.lostNanos = now;
	}

	/** Takes over the time of the last loss from an instance that was removed. */
	public void mergeLoss(WaitForReady other) {
		if (other.lostInstance && (!this.lostInstance || other.lostNanos - this.lostNanos > 0)) {
			onLost(other.lostNanos);
		}
	}

	/**
	 * Returns true if the first attempt may still succeed. Its own timers end it: the
	 * limit here, twice their time, is for servers that use up the time of each step.
	 * @param connectNanos longest time of TCP, TLS and the handshake, each
	 */
	boolean isFirstAttempt(long connectNanos) {
		return !this.outcomeKnown && this.attemptNanos / 2 < connectNanos;
	}

	/**
	 * Returns true if a call may go on waiting: now - since &lt; wait while no attempt
	 * has ended, or now - loss &lt; wait.
	 * @param sinceNanos start of the wait
	 * @param waitNanos longest wait; 0 for none
	 */
	public boolean mayWait(long sinceNanos, long waitNanos, long now) {
		return (!this.outcomeKnown && now - sinceNanos < waitNanos)
				|| (this.lostInstance && now - this.lostNanos < waitNanos);
	}

}
