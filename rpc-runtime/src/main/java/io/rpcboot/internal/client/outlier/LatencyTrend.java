package io.rpcboot.internal.client.outlier;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Typical latencies of one instance by method, as means of logarithms that are weighted
 * by time and not by calls: a load balancer sends few calls to a slow instance, and these
 * must outweigh the many calls of the time when it was fast. Methods are numbered within
 * the service, from 0. One thread only.
 */
public final class LatencyTrend {

	/** Time in which the weight of a latency falls to 1/e. */
	private static final double FADE_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Time in which a call counts 1/e as evidence. */
	private static final double EVIDENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

	/** Largest weight of one check, so that a single slow call is no trend. */
	private static final double MOST_WEIGHT = 0.2;

	/** Number of calls below which an instance is not judged. */
	private static final double LEAST_CALLS = 5;

	/**
	 * Share of the factor of slowness below which a slow instance is as fast as the
	 * others.
	 */
	private static final double NO_LONGER = 2 / 3.0;

	/** Mean logarithm of the latencies by method. */
	private final double[] means;

	/** Faded number of calls by method. */
	private final double[] calls;

	/** Checks with calls by method. */
	private final int[] checks;

	/** Time of the last check with calls by method. */
	private final long[] atNanos;

	private String slowness = "";

	/**
	 * Creates a trend without calls.
	 * @param methods number of methods of the service
	 */
	public LatencyTrend(int methods) {
		this.means = new double[methods];
		this.calls = new double[methods];
		this.checks = new int[methods];
		this.atNanos = new long[methods];
	}

	/**
	 * Adds the calls of a method since the last check.
	 * @param method number of the method within the service, from 0
	 * @param timed number of calls with a latency
	 * @param logarithms sum of the logarithms of their latencies
	 * @param nowNanos time of the check
	 */
	public void add(int method, long timed, long logarithms, long nowNanos) {
		if (timed <= 0) {
			return;
		}
		double passed = Math.max(0, nowNanos - this.atNanos[method]);
		int checked = ++this.checks[method];
		double weight = Math.max(1.0 / checked, Math.min(MOST_WEIGHT, 1 - Math.exp(-passed / FADE_NANOS)));
		this.means[method] += weight * ((double) logarithms / timed - this.means[method]);
		this.calls[method] = this.calls[method] * Math.exp(-passed / EVIDENCE_NANOS) + timed;
		this.atNanos[method] = nowNanos;
	}

	private double calls(int method, long nowNanos) {
		return this.calls[method] * Math.exp(-Math.max(0, nowNanos - this.atNanos[method]) / EVIDENCE_NANOS);
	}

	/**
	 * Returns how this instance is slower than the others: by the factor and the least
	 * difference of {@link EjectionOptions#slowness()}, although it may be one of two.
	 * @return result of the last {@link #compare}; empty if it is not slower or not known
	 */
	public String slowness() {
		return this.slowness;
	}

	/** Ends the comparison, because no other instance is left. */
	public void isAlone() {
		this.slowness = "";
	}

	/**
	 * Compares instances, and keeps the result in each.
	 * @param all the instances that get calls
	 * @param options the factor and the least difference
	 * @param nowNanos the time
	 */
	public static void compare(List<LatencyTrend> all, EjectionOptions options, long nowNanos) {
		double[] medians = medians(all, nowNanos);
		for (LatencyTrend each : all) {
			String found = each.slower(medians, options, nowNanos);
			each.slowness = (found != null) ? found : "";
		}
	}

	/** Returns the lower median of the instances by method; 0 if only one has calls. */
	private static double[] medians(List<LatencyTrend> all, long nowNanos) {
		double[] medians = new double[all.isEmpty() ? 0 : all.get(0).means.length];
		double[] known = new double[all.size()];
		for (int method = 0; method < medians.length; method++) {
			int count = 0;
			for (LatencyTrend each : all) {
				if (each.calls(method, nowNanos) >= 1) {
					known[count++] = each.means[method];
				}
			}
			Arrays.sort(known, 0, count);
			medians[method] = (count > 1) ? known[(count - 1) / 2] : 0;
		}
		return medians;
	}

	private @Nullable String slower(double[] medians, EjectionOptions options, long nowNanos) {
		double sum = 0;
		double logarithmsHere = 0;
		double logarithmsThere = 0;
		for (int method = 0; method < medians.length; method++) {
			double counted = calls(method, nowNanos);
			if (medians[method] > 0 && counted >= 1) {
				sum += counted;
				logarithmsHere += counted * this.means[method];
				logarithmsThere += counted * medians[method];
			}
		}
		if (sum < LEAST_CALLS) {
			return null;
		}
		double here = FixedPointLog2.inverse(logarithmsHere / sum);
		double there = FixedPointLog2.inverse(logarithmsThere / sum);
		double factor = this.slowness.isEmpty() ? options.slowness() : Math.max(1, NO_LONGER * options.slowness());
		if (here < factor * there || here - there < Options.nanos(options.leastSlowness())) {
			return null;
		}
		return "a typical call takes %.1f ms, elsewhere %.1f ms".formatted(millis(here), millis(there));
	}

	private static double millis(double nanos) {
		return nanos / TimeUnit.MILLISECONDS.toNanos(1);
	}

}
