package io.rpcboot.internal.client.connection;

import java.util.Arrays;
import java.util.BitSet;

import io.rpcboot.internal.limit.Shares;

/**
 * Limits the calls of each reference that shares a connection, so that a service that
 * hangs leaves grants to the others. Event loop only.
 * <p>
 * limit = {@link Shares} of the window = calls in flight + free calls. For example, of a
 * window of 4,096 calls one reference may use 3,072.
 * <p>
 * Cancelled calls and one-way calls may still run after they have ended here. They count
 * until the server announces that fewer calls are in flight.
 */
public final class FairShare {

	/** Calls in flight by number of the reference, including cancelled calls. */
	private int[] inFlight = new int[8];

	/** Cancelled calls by number of the reference. */
	private int[] cancelled = new int[8];

	private int allInFlight;

	private int allCancelled;

	/** One-way calls that may still run at the server. */
	private long oneWays;

	/** References that were blocked since {@link #takeReleased} last released them. */
	private final BitSet blocked = new BitSet();

	/**
	 * Returns true if a reference has used up its share. If so, marks the reference as
	 * blocked until {@link #takeReleased} releases it.
	 * @param reference its number
	 * @param free granted calls that have not been sent
	 */
	public boolean isUsedUp(int reference, long free) {
		boolean isUsedUp = isAtLimit(reference, free);
		if (isUsedUp) {
			this.blocked.set(reference);
		}
		return isUsedUp;
	}

	/**
	 * Returns true if the calls in flight of a reference have reached its limit. Changes
	 * nothing.
	 */
	private boolean isAtLimit(int reference, long free) {
		int mine = (reference < this.inFlight.length) ? this.inFlight[reference] : 0;
		return mine >= Shares.most(window(free));
	}

	/** Returns the calls that the server allows. */
	private long window(long free) {
		return free + this.allInFlight + this.oneWays;
	}

	/** Counts a call that is being sent or was pending when counting began. */
	public void begins(int reference) {
		if (reference >= this.inFlight.length) {
			this.inFlight = Arrays.copyOf(this.inFlight, 2 * reference);
			this.cancelled = Arrays.copyOf(this.cancelled, 2 * reference);
		}
		this.inFlight[reference]++;
		this.allInFlight++;
	}

	/** Counts out a call whose reply has arrived. */
	public void ends(int reference) {
		this.inFlight[reference]--;
		this.allInFlight--;
	}

	/** Counts a call that was cancelled and may still run. */
	void cancelled(int reference) {
		this.cancelled[reference]++;
		this.allCancelled++;
	}

	/** Counts a one-way call that is being sent; no reply will count it out. */
	void oneWayBegins() {
		this.oneWays++;
	}

	/**
	 * Counts out calls that the server no longer counts: ended = window - calls. One-way
	 * calls are counted out first, then cancelled calls by number of their reference.
	 * Releases no blocked reference; {@link #takeReleased} does. The replies that the
	 * server wrote before this announcement have been counted out already.
	 * @param calls window of the server; {@link Integer#MAX_VALUE} means that all
	 * cancelled and one-way calls have ended
	 * @param free granted calls that have not been sent
	 */
	public void allowed(int calls, long free) {
		long ended = (calls < Integer.MAX_VALUE) ? Math.max(0, window(free) - calls) : Long.MAX_VALUE;
		long ofOneWays = Math.min(this.oneWays, ended);
		this.oneWays -= ofOneWays;
		ended -= ofOneWays;
		for (int i = 0; i < this.cancelled.length && this.allCancelled > 0 && ended > 0; i++) {
			int over = (int) Math.min(this.cancelled[i], ended);
			this.cancelled[i] -= over;
			this.inFlight[i] -= over;
			this.allCancelled -= over;
			this.allInFlight -= over;
			ended -= over;
		}
	}

	/**
	 * Releases all blocked references that are below their limits again, so that the next
	 * call returns true only for others. Called when calls have ended and when the server
	 * grants more.
	 * @param free granted calls that have not been sent
	 * @return true if a reference was released
	 */
	public boolean takeReleased(long free) {
		boolean released = false;
		for (int i = this.blocked.nextSetBit(0); i >= 0; i = this.blocked.nextSetBit(i + 1)) {
			if (!isAtLimit(i, free)) {
				this.blocked.clear(i);
				released = true;
			}
		}
		return released;
	}

}
