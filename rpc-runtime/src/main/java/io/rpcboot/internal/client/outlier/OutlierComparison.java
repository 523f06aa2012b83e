package io.rpcboot.internal.client.outlier;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Compares the instances of a reference method by method, and finds those that fail more
 * often or are slower than the others.
 */
final class OutlierComparison {

	/** Number of calls below which an instance is not judged. */
	static final double LEAST_CALLS = 5;

	/** Number of instances below which no instance is slow: with two, either may be. */
	private static final int LEAST_TO_COMPARE = 3;

	/** Failure rate elsewhere from which on the method fails everywhere. */
	private static final double FAILS_EVERYWHERE = 0.5;

	/** Smallest difference of failure rates. */
	private static final double MARGIN = 0.05;

	/** Quantile of the normal distribution for a confidence of 99 %. */
	private static final double QUANTILE = 2.58;

	private static final int PERCENT = 100;

	private final EjectionOptions options;

	private final IntFunction<String> names;

	private final int instances;

	/** Calls by method of all instances that get calls. */
	private final double[] calls;

	/** Failures of the same calls. */
	private final double[] failures;

	/** Median of the mean logarithms of all instances by method; 0 if unknown. */
	private final double[] medians;

	/**
	 * Computes medians and sums of the instances that get calls. Also marks, in the
	 * statistics of all instances, the methods whose overdue calls count as failed from
	 * now on, because they are pending for much longer than the median.
	 */
	OutlierComparison(EjectionOptions options, IntFunction<String> names, List<InstanceOutlierStats> all) {
		this.options = options;
		this.names = names;
		this.instances = all.size();
		int methods = all.isEmpty() ? 0 : all.get(0).methods();
		this.calls = new double[methods];
		this.failures = new double[methods];
		this.medians = new double[methods];
		List<InstanceOutlierStats> in = all.stream().filter((each) -> !each.isOut()).toList();
		double[] means = new double[in.size()];
		for (int method = 0; method < methods; method++) {
			int known = 0;
			for (InstanceOutlierStats each : in) {
				double timed = each.sum(method, InstanceOutlierStats.TIMED);
				if (timed > 0) {
					means[known++] = each.sum(method, InstanceOutlierStats.LOGARITHMS) / timed;
				}
			}
			if (known == 0) {
				continue;
			}
			Arrays.sort(means, 0, known);
			double median = means[(known - 1) / 2];
			this.medians[method] = (known > 1) ? median : 0;
			for (InstanceOutlierStats each : all) {
				if (isMuchLonger(each.overdueAge(method), median)) {
					each.countsOverdue(method);
				}
			}
		}
		for (InstanceOutlierStats each : in) {
			for (int method = 0; method < methods; method++) {
				this.calls[method] += each.sum(method, InstanceOutlierStats.CALLS);
				this.failures[method] += each.sum(method, InstanceOutlierStats.FAILURES);
			}
		}
	}

	/** Compares two logarithms of times. */
	private boolean isMuchLonger(double one, double other) {
		double here = FixedPointLog2.inverse(one);
		double there = FixedPointLog2.inverse(other);
		return here >= this.options.slowness() * there && here - there >= Options.nanos(this.options.leastSlowness());
	}

	/** Returns why an instance fails more often than the others, null if it does not. */
	@Nullable String failing(InstanceOutlierStats each) {
		double compared = 0;
		double failed = 0;
		double expected = 0;
		double elsewhere = 0;
		for (int method = 0; method < each.methods(); method++) {
			double here = each.sum(method, InstanceOutlierStats.CALLS);
			double there = this.calls[method] - here;
			if (here == 0 || there < 1) {
				continue;
			}
			double failedHere = each.sum(method, InstanceOutlierStats.FAILURES);
			double rate = Math.max(0, this.failures[method] - failedHere) / there;
			if (each.inARow(method) >= this.options.failuresInARow() && rate < FAILS_EVERYWHERE) {
				return "the last %d calls of %s failed, elsewhere %s do".formatted(each.inARow(method),
						this.names.apply(method), percent(rate));
			}
			compared += here;
			failed += failedHere;
			expected += here * rate;
			elsewhere += there;
		}
		if (compared < LEAST_CALLS
				|| low(failed / compared, compared) <= high(expected / compared, elsewhere) + MARGIN) {
			return null;
		}
		String how = (each.overdue() > 0) ? "%s of its calls fail or are overdue, elsewhere %s"
				: "%s of its calls fail, elsewhere %s";
		return how.formatted(percent(failed / compared), percent(expected / compared));
	}

	/** Lower bound of the Wilson score interval of a probability. */
	private static double low(double rate, double calls) {
		return centre(rate, calls) - spread(rate, calls);
	}

	/** Upper bound of the Wilson score interval of a probability. */
	private static double high(double rate, double calls) {
		return centre(rate, calls) + spread(rate, calls);
	}

	private static double centre(double rate, double calls) {
		double square = QUANTILE * QUANTILE;
		return (rate + square / (2 * calls)) / (1 + square / calls);
	}

	private static double spread(double rate, double calls) {
		double square = QUANTILE * QUANTILE;
		double inner = rate * (1 - rate) / calls + square / (4 * calls * calls);
		return QUANTILE * Math.sqrt(Math.max(0, inner)) / (1 + square / calls);
	}

	private static String percent(double rate) {
		return Math.round(rate * PERCENT) + " %";
	}

	/** Returns why an instance is slower than the others, null if it is not. */
	@Nullable String slow(InstanceOutlierStats each) {
		if (this.instances < LEAST_TO_COMPARE || each.total(InstanceOutlierStats.TIMED) < LEAST_CALLS
				|| !isSlow(each)) {
			return null;
		}
		return "a typical call takes %.1f ms, elsewhere %.1f ms".formatted(millis(typical(each, false)),
				millis(typical(each, true)));
	}

	private static double millis(double logarithm) {
		return FixedPointLog2.inverse(logarithm) / TimeUnit.MILLISECONDS.toNanos(1);
	}

	/** Returns true if its calls, however few, took much longer than elsewhere. */
	boolean isSlow(InstanceOutlierStats each) {
		return isMuchLonger(typical(each, false), typical(each, true));
	}

	/** Returns the mean logarithm of its latencies, or of the medians for its calls. */
	private double typical(InstanceOutlierStats each, boolean elsewhere) {
		double timed = 0;
		double sum = 0;
		for (int method = 0; method < each.methods(); method++) {
			double here = each.sum(method, InstanceOutlierStats.TIMED);
			if (this.medians[method] > 0) {
				timed += here;
				sum += elsewhere ? here * this.medians[method] : each.sum(method, InstanceOutlierStats.LOGARITHMS);
			}
		}
		return (timed > 0) ? sum / timed : 0;
	}

}
