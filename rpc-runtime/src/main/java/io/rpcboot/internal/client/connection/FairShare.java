package io.rpcboot.internal.client.connection;

import java.util.Arrays;
import java.util.BitSet;

import io.rpcboot.internal.protocol.Window;

/**
 * How many calls each reference has under way on one connection, so that none takes all
 * that the server grants: where several share a connection, none has more than three
 * quarters of it. A service that hangs leaves the rest to the others. Event loop only.
 * <p>
 * A call that was cancelled may still run, and so may a one-way call: they count until
 * the server says that it has fewer.
 */
final class FairShare {

	/** By number of the reference, with those that were cancelled. */
	private int[] underWay = new int[8];

	/** By number of the reference. */
	private int[] cancelled = new int[8];

	private int allUnderWay;

	private int allCancelled;

	/** One-way calls that have not ended, so far as is known. */
	private long oneWays;

	/** References that were kept back, and may have been released since. */
	private final BitSet refused = new BitSet();

	/**
	 * Whether a reference has its share under way.
	 * @param reference its number
	 * @param free calls that the server has granted beside those under way
	 */
	boolean isUsedUp(int reference, long free) {
		boolean usedUp = hasShare(reference, free);
		if (usedUp) {
			this.refused.set(reference);
		}
		return usedUp;
	}

	private boolean hasShare(int reference, long free) {
		long window = window(free);
		int mine = (reference < this.underWay.length) ? this.underWay[reference] : 0;
		return mine >= Math.max(1, window - window / 4);
	}

	/** What the server allows, with calls that have ended there unheard. */
	private long window(long free) {
		return free + this.allUnderWay + this.oneWays;
	}

	/** A call of a reference is sent, or was before this began to count. */
	void begins(int reference) {
		if (reference >= this.underWay.length) {
			this.underWay = Arrays.copyOf(this.underWay, 2 * reference);
			this.cancelled = Arrays.copyOf(this.cancelled, 2 * reference);
		}
		this.underWay[reference]++;
		this.allUnderWay++;
	}

	/** A call was answered. */
	void ends(int reference) {
		this.underWay[reference]--;
		this.allUnderWay--;
	}

	/** The answer of a call is no longer wanted. */
	void cancelled(int reference) {
		this.cancelled[reference]++;
		this.allCancelled++;
	}

	/** A one-way call is sent: nobody will say that it has ended. */
	void oneWayBegins() {
		this.oneWays++;
	}

	/**
	 * The server says what it allows: whatever counts beyond that has ended there. The
	 * answers that it has written before have come before.
	 * @param calls that may be under way, with those that are; {@link Window#MANY} or
	 * more are as many as there are
	 * @param free calls that it has granted beside those under way
	 */
	void allowed(int calls, long free) {
		long ended = (calls < Window.MANY) ? Math.max(0, window(free) - calls) : Long.MAX_VALUE;
		long ofOneWays = Math.min(this.oneWays, ended);
		this.oneWays -= ofOneWays;
		ended -= ofOneWays;
		for (int i = 0; i < this.cancelled.length && this.allCancelled > 0 && ended > 0; i++) {
			int over = (int) Math.min(this.cancelled[i], ended);
			this.cancelled[i] -= over;
			this.underWay[i] -= over;
			this.allCancelled -= over;
			this.allUnderWay -= over;
			ended -= over;
		}
	}

	/**
	 * Whether a reference that was found to have its share has it no longer; says so once
	 * for each. To be asked when calls have ended and when the server grants more. While
	 * a service hangs nothing changes for its reference, whatever the others do.
	 * @param free calls that the server has granted beside those under way
	 */
	boolean takeReleased(long free) {
		boolean released = false;
		for (int i = this.refused.nextSetBit(0); i >= 0; i = this.refused.nextSetBit(i + 1)) {
			if (!hasShare(i, free)) {
				this.refused.clear(i);
				released = true;
			}
		}
		return released;
	}

}
