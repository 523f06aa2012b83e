package io.rpcboot.internal.cluster;

/**
 * Logarithms to the base 2 in steps of 1/1024, cheap enough for each call. Their mean is
 * that of times in which a single one, however long, says little.
 */
final class FixedPointLog2 {

	static final int ONE = 1024;

	private static final int BITS = 10;

	private FixedPointLog2() {
	}

	/** Between two powers of 2 it is a straight line, at most 0.09 off. */
	static long of(long value) {
		int leading = Long.numberOfLeadingZeros(value);
		long fraction = (leading == Long.SIZE - 1) ? 0 : (value << (leading + 1)) >>> (Long.SIZE - BITS);
		return ((long) (Long.SIZE - 1 - leading) << BITS) + fraction;
	}

	/** Of what it is the logarithm. */
	static double inverse(double logarithm) {
		double whole = Math.floor(logarithm / ONE);
		return Math.scalb(1 + logarithm / ONE - whole, (int) whole);
	}

}
