package io.rpcboot.internal.cluster;

/** How much of its weight an instance gets that is not what it will be yet. */
public final class SlowStart {

	/** Enough to become warm by it. */
	private static final double LEAST = 0.1;

	private SlowStart() {
	}

	/**
	 * It grows evenly.
	 * @param ageNanos since the beginning; negative if clocks do not agree
	 * @param nanos after which it has all of its weight, 0 for at once
	 * @return 0.1 to 1
	 */
	public static double share(long ageNanos, long nanos) {
		if (ageNanos >= nanos) {
			return 1;
		}
		return LEAST + (1 - LEAST) * Math.max(0, ageNanos) / nanos;
	}

}
