package io.rpcboot.benchmarks.balancers;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/** Which key the next call has. */
final class Keys {

	/** None. */
	static final Keys NONE = new Keys(new String[0], new double[0]);

	private static final int COUNT = 10_000;

	private final String[] keys;

	/** For each key how often it or one before it comes. */
	private final double[] sums;

	private Keys(String[] keys, double[] sums) {
		this.keys = keys;
		this.sums = sums;
	}

	/**
	 * Ten thousand keys, of which the n-th comes as often as 1/n^exponent says: 0 for all
	 * alike, 1 for one in ten calls with the first.
	 */
	static Keys zipf(double exponent) {
		String[] keys = IntStream.range(0, COUNT).mapToObj((i) -> "article-" + i).toArray(String[]::new);
		double[] sums = IntStream.range(0, COUNT).mapToDouble((i) -> Math.pow(i + 1, -exponent)).toArray();
		Arrays.parallelPrefix(sums, Double::sum);
		return new Keys(keys, sums);
	}

	@Nullable String next(Random random) {
		if (this.keys.length == 0) {
			return null;
		}
		int found = Arrays.binarySearch(this.sums, random.nextDouble() * this.sums[this.sums.length - 1]);
		return this.keys[Math.min(COUNT - 1, (found >= 0) ? found : -found - 1)];
	}

}
