package io.rpcboot.client;

import java.util.Arrays;
import java.util.BitSet;

/**
 * How many calls each reference has under way on one connection, so that none takes all
 * that the server grants: where several share a connection, none has more than three
 * quarters of it. A service that hangs leaves the rest to the others. Event loop only.
 * <p>
 * A call that was cancelled may still run: it counts until the server grants more than
 * was answered.
 */
final class CallShares {

	/**
	 * Of the allowance without what the server owes, which is a quarter of it at most.
	 */
	private static final int MOST_OWED_PART = 3;

	/**
	 * What as many grants have not made good is not owed any more. A grant may be behind
	 * each time by the answers that were written before it: by how many differs, and with
	 * fewer grants some would be forgotten that are owed.
	 */
	private static final int GRANTS = 4096;

	/** By number of the reference, with those that were cancelled. */
	private int[] underWay = new int[8];

	/** By number of the reference. */
	private int[] cancelled = new int[8];

	private int allUnderWay;

	private int allCancelled;

	/** Calls that were answered and, so far as is known, not granted again. */
	private long answered;

	/** The least of them behind each of the last grants. */
	private long leastAnswered = Long.MAX_VALUE;

	private int grants;

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

	/** What the server allows, but for what it still owes. */
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
		this.answered++;
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
	 * The server grants more: calls have ended there, of which some were not answered.
	 * Answers and grants may pass each other.
	 * @param calls how many more; what says the same or less changes nothing
	 * @param free calls that it had granted beside those under way
	 */
	void granted(long calls, long free) {
		if (calls <= 0) {
			return;
		}
		long unanswered = Math.max(0, calls - this.answered);
		this.answered = Math.max(0, this.answered - calls);
		long ofOneWays = Math.min(this.oneWays, unanswered);
		this.oneWays -= ofOneWays;
		unanswered -= ofOneWays;
		for (int i = 0; i < this.cancelled.length && this.allCancelled > 0 && unanswered > 0; i++) {
			int over = (int) Math.min(this.cancelled[i], unanswered);
			this.cancelled[i] -= over;
			this.underWay[i] -= over;
			this.allCancelled -= over;
			this.allUnderWay -= over;
			unanswered -= over;
		}
		forgetAnswers(window(free + calls));
	}

	/**
	 * A server that allows fewer calls than before does not grant all of them again. What
	 * it owes is less than a quarter of its allowance, and none of it for long.
	 */
	private void forgetAnswers(long window) {
		this.answered = Math.min(this.answered, window / MOST_OWED_PART);
		this.leastAnswered = Math.min(this.leastAnswered, this.answered);
		if (++this.grants == GRANTS) {
			this.answered -= this.leastAnswered;
			this.leastAnswered = Long.MAX_VALUE;
			this.grants = 0;
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
