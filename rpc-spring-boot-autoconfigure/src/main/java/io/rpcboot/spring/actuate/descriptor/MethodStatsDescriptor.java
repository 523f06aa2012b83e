package io.rpcboot.spring.actuate.descriptor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodSeries;
import io.rpcboot.metrics.history.MethodStats;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a method. Rates are means of the last minute. Percentiles cover the last
 * five minutes, in milliseconds; they are zero for methods that are not tracked, because
 * only the busiest are.
 *
 * @param side {@code client} or {@code server}
 * @param service the service
 * @param method the signature of the method
 * @param callsPerSecond rate of calls
 * @param errorsPerSecond rate of failed calls
 * @param p50Millis median
 * @param p99Millis 99th percentile
 * @param maxMillis maximum
 * @param waitedMillis mean at the server of the wait for a thread; null at the client
 * @param ranMillis mean at the server from then to the answer; null at the client
 * @param heldMillis mean at the client until a call is written; null at the server
 * @param sentMillis mean at the client from then to the answer; null at the server
 * @param calls calls since the start
 * @param errors failed calls since the start
 * @param tracked true if percentiles are measured
 * @since 0.1.0
 */
public record MethodStatsDescriptor(String side, String service, String method, double callsPerSecond,
		double errorsPerSecond, double p50Millis, double p99Millis, double maxMillis, @Nullable Double waitedMillis,
		@Nullable Double ranMillis, @Nullable Double heldMillis, @Nullable Double sentMillis, long calls, long errors,
		boolean tracked) {

	public static MethodStatsDescriptor of(MethodStats stats) {
		boolean server = stats.side() == Side.SERVER;
		Double first = Formats.millis(stats.waitedNanos());
		Double rest = Formats.millis(stats.ranNanos());
		return new MethodStatsDescriptor(name(stats.side()), stats.service(), stats.method(),
				rate(stats.callsPerSecond()), rate(stats.errorsPerSecond()), Formats.millis(stats.p50Nanos()),
				Formats.millis(stats.p99Nanos()), Formats.millis(stats.maxNanos()), server ? first : null,
				server ? rest : null, server ? null : first, server ? null : rest, stats.calls(), stats.errors(),
				stats.tracked());
	}

	public static String name(Side side) {
		return side.name().toLowerCase(Locale.ROOT);
	}

	public static double rate(double rate) {
		return Math.round(rate * 1000) / 1000d;
	}

	/**
	 * A method with its history.
	 *
	 * @param stats current statistics
	 * @param series the last 15 minutes, null if the method is not tracked
	 * @param slowest its slowest calls
	 * @param failed its failed calls, latest first
	 */
	public record Details(MethodStatsDescriptor stats, @Nullable Series series, List<CallDescriptor> slowest,
			List<CallDescriptor> failed) {
	}

	/**
	 * Values of equal intervals.
	 *
	 * @param stepMillis length of an interval
	 * @param times ends of the intervals, in milliseconds since 1970
	 * @param calls calls
	 * @param errors failed calls
	 * @param p50Millis median
	 * @param p99Millis 99th percentile
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
