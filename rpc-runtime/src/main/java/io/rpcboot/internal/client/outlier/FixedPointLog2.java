package io.rpcboot.internal.client.outlier;

/**
 * Logarithms to the base 2 as fixed-point numbers in steps of 1/1024, cheap enough for
 * each call. The mean of logarithms (geometric mean) is robust against single long times.
 */
final class FixedPointLog2 {

	static final int ONE = 1024;

	private static final int BITS = 10;

	private FixedPointLog2() {
	}

	/** Returns the logarithm; linear between two powers of 2, at most 0.09 off. */
	static long of(long value) {
		int leading = Long.numberOfLeadingZeros(value);
		long fraction = (leading == Long.SIZE - 1) ? 0 : (value << (leading + 1)) >>> (Long.SIZE - BITS);
		return ((long) (Long.SIZE - 1 - leading) << BITS) + fraction;
	}

	/** Returns the value of a logarithm. */
	static double inverse(double logarithm) {
		double whole = Math.floor(logarithm / ONE);
		return Math.scalb(1 + logarithm / ONE - whole, (int) whole);
	}

}
