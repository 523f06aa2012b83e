package io.rpcboot.internal.client.pool;

/**
 * Whether there is a reason to wait for an endpoint, or for the instances of a reference:
 * nothing is known yet, or it was lost a moment ago. Times are as
 * {@link System#nanoTime()}. Confined to the control thread.
 */
public final class WaitForReady {

	/** Whether an attempt has had an outcome; never false again. */
	private boolean outcomeKnown;

	/** Whether it was ever lost. */
	private boolean lostInstance;

	/** When it was lost for the last time. */
	private long lostNanos;

	/** The first outcome, or one more. */
	public void onFirstOutcome() {
		this.outcomeKnown = true;
	}

	/** What took calls takes none any more. */
	public void onLost(long now) {
		this.lostInstance = true;
		this.lostNanos = now;
	}

	/** Another, a part of this one, is no more: its loss stays. */
	public void mergeLoss(WaitForReady other) {
		if (other.lostInstance && (!this.lostInstance || other.lostNanos - this.lostNanos > 0)) {
			onLost(other.lostNanos);
		}
	}

	/**
	 * Whether a call may go on waiting.
	 * @param sinceNanos since when it waits
	 * @param waitNanos how long calls wait: from then on while nothing is known, from the
	 * loss afterwards; 0 for not at all
	 */
	public boolean mayWait(long sinceNanos, long waitNanos, long now) {
		return (!this.outcomeKnown && now - sinceNanos < waitNanos)
				|| (this.lostInstance && now - this.lostNanos < waitNanos);
	}

}
