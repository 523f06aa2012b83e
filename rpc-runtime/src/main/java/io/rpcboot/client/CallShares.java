package io.rpcboot.client;

import java.util.Arrays;

/**
 * How many calls each reference has under way on one connection, so that none takes all
 * that the server grants: where several share a connection, none has more than three
 * quarters of it. A service that hangs leaves the rest to the others. Event loop only.
 * <p>
 * A call that was cancelled may still run: it counts until the server grants more than
 * was answered.
 */
final class CallShares {

	/** By number of the reference, with those that were cancelled. */
	private int[] underWay = new int[8];

	/** By number of the reference. */
	private int[] cancelled = new int[8];

	private int allUnderWay;

	private int allCancelled;

	/** Calls that were answered since the server granted more. */
	private long answered;

	private boolean refused;

	/**
	 * Whether a reference has its share under way.
	 * @param reference its number
	 * @param free calls that the server has granted beside those under way
	 */
	boolean isUsedUp(int reference, long free) {
		long window = free + this.allUnderWay;
		int mine = (reference < this.underWay.length) ? this.underWay[reference] : 0;
		boolean usedUp = mine >= Math.max(1, window - window / 4);
		this.refused |= usedUp;
		return usedUp;
	}

	/** A call is sent, or was before this began to count. */
	void begins(ClientCall call) {
		int reference = call.reference.index;
		if (reference >= this.underWay.length) {
			this.underWay = Arrays.copyOf(this.underWay, 2 * reference);
			this.cancelled = Arrays.copyOf(this.cancelled, 2 * reference);
		}
		this.underWay[reference]++;
		this.allUnderWay++;
	}

	/** A call was answered. */
	void ends(ClientCall call) {
		this.underWay[call.reference.index]--;
		this.allUnderWay--;
		this.answered++;
	}

	/** The answer of a call is no longer wanted. */
	void cancelled(ClientCall call) {
		this.cancelled[call.reference.index]++;
		this.allCancelled++;
	}

	/**
	 * The server grants more: calls have ended there, of which some were not answered.
	 */
	void granted(long calls) {
		long unanswered = Math.max(0, calls - this.answered);
		this.answered = 0;
		for (int i = 0; i < this.cancelled.length && this.allCancelled > 0 && unanswered > 0; i++) {
			int over = (int) Math.min(this.cancelled[i], unanswered);
			this.cancelled[i] -= over;
			this.underWay[i] -= over;
			this.allCancelled -= over;
			this.allUnderWay -= over;
			unanswered -= over;
		}
	}

	/** Whether a share was found used up since this was asked last. */
	boolean takeRefused() {
		boolean result = this.refused;
		this.refused = false;
		return result;
	}

}
