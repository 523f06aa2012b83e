package io.rpcboot.client;

import java.util.Arrays;

/**
 * How many calls each reference has under way on one connection, so that none takes all
 * that the server grants: where several share a connection, none has more than three
 * quarters of it. A service that hangs leaves the rest to the others. Event loop only.
 */
final class CallShares {

	/** By number of the reference. */
	private int[] underWay = new int[8];

	private boolean refused;

	/**
	 * Whether a reference has its share under way.
	 * @param reference its number
	 * @param window calls that may be under way on the connection, with those that are
	 */
	boolean isUsedUp(int reference, long window) {
		boolean usedUp = of(reference) >= Math.max(1, window - window / 4);
		this.refused |= usedUp;
		return usedUp;
	}

	private int of(int reference) {
		return (reference < this.underWay.length) ? this.underWay[reference] : 0;
	}

	/** A call is sent. */
	void begins(ClientCall call) {
		int reference = call.proxy.index;
		if (reference >= this.underWay.length) {
			this.underWay = Arrays.copyOf(this.underWay, 2 * reference);
		}
		this.underWay[reference]++;
	}

	/** A call was answered, or its answer is no longer wanted. */
	void ends(ClientCall call) {
		int reference = call.proxy.index;
		if (of(reference) > 0) { // it may have begun before it was counted
			this.underWay[reference]--;
		}
	}

	/** Whether a share was found used up since this was asked last. */
	boolean takeRefused() {
		boolean result = this.refused;
		this.refused = false;
		return result;
	}

}
