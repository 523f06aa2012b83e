package io.rpcboot.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The middle and the ends of some values.
 *
 * @param min the least, NaN of no values
 * @param median the middle one, or the mean of the middle two; NaN of no values
 * @param max the greatest, NaN of no values
 */
public record Spread(double min, double median, double max) {

	/**
	 * Compute it.
	 * @param values in any order; NaN does not count
	 * @return their middle and ends
	 */
	public static Spread of(double... values) {
		double[] sorted = Arrays.stream(values).filter((value) -> !Double.isNaN(value)).sorted().toArray();
		if (sorted.length == 0) {
			return new Spread(Double.NaN, Double.NaN, Double.NaN);
		}
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(sorted[0], median, sorted[sorted.length - 1]);
	}

	/**
	 * For people.
	 * @param number how a value is written, as {@link String#format} takes it
	 * @return the median, and in brackets least and greatest
	 */
	public String text(String number) {
		return String.format(Locale.ROOT, number + " (" + number + "-" + number + ")", this.median, this.min, this.max);
	}

	static Spread of(List<Turn> turns, Measure measure) {
		return of(turns.stream().mapToDouble((turn) -> turn.value(measure)).toArray());
	}

	/**
	 * The ratios of turns of the same round, not the ratio of the medians: what disturbs
	 * a whole round does not disturb them.
	 * @param ours turns, one a round
	 * @param peer turns of the same rounds
	 * @param measure what is compared
	 * @return of ours by peer; a division by zero does not count
	 */
	static Spread ofRatios(List<Turn> ours, List<Turn> peer, Measure measure) {
		double[] ratios = new double[Math.min(ours.size(), peer.size())];
		for (int i = 0; i < ratios.length; i++) {
			double divisor = peer.get(i).value(measure);
			ratios[i] = (divisor == 0) ? Double.NaN : ours.get(i).value(measure) / divisor;
		}
		return of(ratios);
	}

}
