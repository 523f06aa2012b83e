package io.rpcboot.spring.actuate.descriptor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodSeries;
import io.rpcboot.metrics.history.MethodStats;
import org.jspecify.annotations.Nullable;

/**
 * A method and its calls. Rates are those of the last minute, percentiles those of the
 * last five, in milliseconds; zero if the method is not among the busiest, which alone
 * are measured so.
 *
 * @param side {@code client} or {@code server}
 * @param service the service
 * @param method the method by signature
 * @param callsPerSecond calls in a second
 * @param errorsPerSecond calls in a second that failed
 * @param p50Millis the median
 * @param p99Millis what one call in a hundred exceeds
 * @param maxMillis the longest
 * @param calls calls since the start
 * @param errors those of them that failed
 * @param tracked whether percentiles are measured
 */
public record MethodStatsDescriptor(String side, String service, String method, double callsPerSecond,
		double errorsPerSecond, double p50Millis, double p99Millis, double maxMillis, long calls, long errors,
		boolean tracked) {

	public static MethodStatsDescriptor of(MethodStats stats) {
		return new MethodStatsDescriptor(name(stats.side()), stats.service(), stats.method(),
				rate(stats.callsPerSecond()), rate(stats.errorsPerSecond()), Formats.millis(stats.p50Nanos()),
				Formats.millis(stats.p99Nanos()), Formats.millis(stats.maxNanos()), stats.calls(), stats.errors(),
				stats.tracked());
	}

	public static String name(Side side) {
		return side.name().toLowerCase(Locale.ROOT);
	}

	public static double rate(double rate) {
		return Math.round(rate * 1000) / 1000d;
	}

	/**
	 * A method over time.
	 *
	 * @param stats what it was lately
	 * @param series its last 15 minutes, null if they are not kept
	 * @param slowest its slowest calls
	 * @param failed its failed calls, the latest first
	 */
	public record Details(MethodStatsDescriptor stats, @Nullable Series series, List<CallDescriptor> slowest,
			List<CallDescriptor> failed) {
	}

	/**
	 * Numbers of equal intervals.
	 *
	 * @param stepMillis the length of an interval
	 * @param times when each ended, in milliseconds since 1970
	 * @param calls its calls
	 * @param errors those of them that failed
	 * @param p50Millis the median
	 * @param p99Millis what one call in a hundred exceeds
	 */
	public record Series(int stepMillis, long[] times, long[] calls, long[] errors, double[] p50Millis,
			double[] p99Millis) {

		public static Series of(MethodSeries series) {
			return new Series(series.stepMillis(), series.times(), series.calls(), series.errors(),
					millis(series.p50Nanos()), millis(series.p99Nanos()));
		}

		private static double[] millis(long[] nanos) {
			return Arrays.stream(nanos).mapToDouble(Formats::millis).toArray();
		}

	}

}
