package io.rpcboot.internal.client.outlier;

/** Slow start: the share of its weight that a cold instance gets. */
public final class SlowStart {

	/** First share, which is enough to warm an instance up. */
	private static final double LEAST = 0.1;

	private SlowStart() {
	}

	/**
	 * Returns the share, which grows linearly: {@code 0.1 + 0.9 * age / duration}.
	 * @param ageNanos time since the start; negative if clocks differ
	 * @param nanos duration of the slow start, 0 for none
	 * @return 0.1 to 1
	 */
	public static double share(long ageNanos, long nanos) {
		if (ageNanos >= nanos) {
			return 1;
		}
		return LEAST + (1 - LEAST) * Math.max(0, ageNanos) / nanos;
	}

}
