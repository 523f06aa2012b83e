package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;

import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.history.TimeSeriesTable;
import org.jspecify.annotations.Nullable;

/**
 * Values of the process in the last minutes.
 *
 * @since 0.1.0
 */
public final class HistoryWindow {

	/** Time in which events are counted. */
	public static final Duration LENGTH = Duration.ofMinutes(5);

	/** Time from which the usual value is derived. */
	static final Duration REACH = Duration.ofMinutes(15);

	/** Time for which a value must hold to be no accident of one interval. */
	static final Duration MOMENT = Duration.ofSeconds(20);

	static final Duration MINUTE = Duration.ofMinutes(1);

	/**
	 * Least number of known intervals for a usual value, not counting the last
	 * {@link #MOMENT}: 4 intervals of 5 s, which are 20 s.
	 */
	private static final int ENOUGH_INTERVALS = 4;

	private final @Nullable TimeSeriesTable table;

	private HistoryWindow(@Nullable TimeSeriesTable table) {
		this.table = table;
	}

	/**
	 * Returns the values before an instant.
	 * @param history the history, null for none
	 * @param now the instant, in milliseconds since 1970
	 */
	public static HistoryWindow of(@Nullable RpcHistory history, long now) {
		return new HistoryWindow((history != null) ? history.values(now - REACH.toMillis()) : null);
	}

	static HistoryWindow of(@Nullable TimeSeriesTable table) {
		return new HistoryWindow(table);
	}

	/** Returns true if there is a history. */
	public boolean isKnown() {
		return this.table != null;
	}

	/** Returns the newest known value; null for none. */
	public @Nullable Double last(String name) {
		double[] known = known(name, LENGTH).toArray();
		return (known.length > 0) ? known[known.length - 1] : null;
	}

	/** Returns the mean of the last minute; null if unknown. */
	public @Nullable Double mean(String name) {
		return mean(name, MINUTE);
	}

	/** Returns the mean of a time until now; null if unknown. */
	@Nullable Double mean(String name, Duration time) {
		double[] known = known(name, time).toArray();
		return (known.length > 0) ? Arrays.stream(known).sum() / known.length : null;
	}

	/** Returns the least value of the last minute; null if unknown. */
	@Nullable Double least(String name) {
		return least(name, MINUTE);
	}

	/** Returns the least value of a time until now; null if unknown. */
	@Nullable Double least(String name, Duration time) {
		double[] known = known(name, time).toArray();
		return (known.length > 0) ? Arrays.stream(known).min().getAsDouble() : null;
	}

	/**
	 * Returns the first quartile of the intervals before the last {@link #MOMENT}; null
	 * if there are too few.
	 */
	@Nullable Double usual(String name) {
		double[] values = values(name);
		double[] before = Arrays.stream(values, 0, Math.max(0, values.length - steps(MOMENT)))
			.filter((value) -> !Double.isNaN(value))
			.sorted()
			.toArray();
		return (before.length >= ENOUGH_INTERVALS) ? before[before.length / 4] : null;
	}

	/**
	 * Returns the number of events of the last {@link #LENGTH}, from their rate per
	 * second.
	 */
	long times(String name) {
		return times(name, LENGTH);
	}

	/** Returns the number of events in a time until now. */
	long times(String name, Duration time) {
		return (this.table != null) ? Math.round(known(name, time).sum() * this.table.stepMillis() / 1000) : 0;
	}

	/**
	 * Returns the time since a value was last not zero, to the interval; zero if it never
	 * was.
	 */
	Duration ago(String name) {
		double[] values = values(name);
		for (int i = values.length - 1; i >= 0 && this.table != null; i--) {
			if (!Double.isNaN(values[i]) && values[i] != 0) {
				return Duration.ofMillis((long) (values.length - 1 - i) * this.table.stepMillis());
			}
		}
		return Duration.ZERO;
	}

	private DoubleStream known(String name, Duration time) {
		double[] values = values(name);
		return Arrays.stream(values, Math.max(0, values.length - steps(time)), values.length)
			.filter((value) -> !Double.isNaN(value));
	}

	private int steps(Duration time) {
		return (this.table != null) ? (int) (time.toMillis() / this.table.stepMillis()) : 0;
	}

	private double[] values(String name) {
		Map<String, double[]> values = (this.table != null) ? this.table.values() : Map.of();
		return values.getOrDefault(name, new double[0]);
	}

}
