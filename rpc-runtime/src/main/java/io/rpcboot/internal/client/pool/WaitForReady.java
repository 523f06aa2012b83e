package io.rpcboot.internal.client.pool;

/**
 * Whether there is a reason to wait for an endpoint, or for the instances of a reference:
 * nothing is known yet, or it was lost a moment ago. Times are as
 * {@link System#nanoTime()}. Confined to the control thread.
 */
public final class WaitForReady {

	/** Whether an attempt has had an outcome; never false again. */
	private boolean known;

	/** Whether it was ever lost. */
	private boolean lost;

	/** When it was lost for the last time. */
	private long lostNanos;

	/** The first outcome, or one more. */
	public void known() {
		this.known = true;
	}

	/** What took calls takes none any more. */
	public void lost(long now) {
		this.lost = true;
		this.lostNanos = now;
	}

	/** Another, a part of this one, is no more: its loss stays. */
	public void inherit(WaitForReady other) {
		if (other.lost && (!this.lost || other.lostNanos - this.lostNanos > 0)) {
			lost(other.lostNanos);
		}
	}

	/**
	 * Whether a call may go on waiting.
	 * @param sinceNanos since when it waits
	 * @param waitNanos how long calls wait: from then on while nothing is known, from the
	 * loss afterwards; 0 for not at all
	 */
	public boolean allows(long sinceNanos, long waitNanos, long now) {
		return (!this.known && now - sinceNanos < waitNanos) || (this.lost && now - this.lostNanos < waitNanos);
	}

}
