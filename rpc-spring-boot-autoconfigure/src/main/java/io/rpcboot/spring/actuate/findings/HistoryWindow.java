package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;

import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.history.TimeSeriesTable;
import org.jspecify.annotations.Nullable;

/** The values of the process in the last minutes. */
public final class HistoryWindow {

	/** What happened is counted for so long. */
	static final Duration LENGTH = Duration.ofMinutes(5);

	/** What is usual is known from so long. */
	static final Duration REACH = Duration.ofMinutes(15);

	/** What is so for this time is no accident of one interval. */
	static final Duration MOMENT = Duration.ofSeconds(20);

	static final Duration MINUTE = Duration.ofMinutes(1);

	/** Intervals before the last moment that say what is usual: as many as it has. */
	private static final int ENOUGH_INTERVALS = 4;

	private final @Nullable TimeSeriesTable table;

	private HistoryWindow(@Nullable TimeSeriesTable table) {
		this.table = table;
	}

	/**
	 * The values before a moment.
	 * @param history where they are, null if there is none
	 * @param now the moment, in milliseconds since 1970
	 */
	public static HistoryWindow of(@Nullable RpcHistory history, long now) {
		return new HistoryWindow((history != null) ? history.values(now - REACH.toMillis()) : null);
	}

	static HistoryWindow of(@Nullable TimeSeriesTable table) {
		return new HistoryWindow(table);
	}

	/** Whether there is a history. */
	public boolean isKnown() {
		return this.table != null;
	}

	/** The newest value that is known; null if none is. */
	public @Nullable Double last(String name) {
		double[] known = known(name, LENGTH).toArray();
		return (known.length > 0) ? known[known.length - 1] : null;
	}

	/** The mean of the last minute; null if nothing is known of it. */
	public @Nullable Double mean(String name) {
		return mean(name, MINUTE);
	}

	/** The mean of a time until now; null if nothing is known of it. */
	@Nullable Double mean(String name, Duration time) {
		double[] known = known(name, time).toArray();
		return (known.length > 0) ? Arrays.stream(known).sum() / known.length : null;
	}

	/** The least value of the last minute; null if nothing is known of it. */
	@Nullable Double least(String name) {
		return least(name, MINUTE);
	}

	/** The least value of a time until now; null if nothing is known of it. */
	@Nullable Double least(String name, Duration time) {
		double[] known = known(name, time).toArray();
		return (known.length > 0) ? Arrays.stream(known).min().getAsDouble() : null;
	}

	/**
	 * What a value is in the quieter intervals before the last moment: a quarter of them
	 * has less. Null if too little is known to call it usual.
	 */
	@Nullable Double usual(String name) {
		double[] values = values(name);
		double[] before = Arrays.stream(values, 0, Math.max(0, values.length - steps(MOMENT)))
			.filter((value) -> !Double.isNaN(value))
			.sorted()
			.toArray();
		return (before.length >= ENOUGH_INTERVALS) ? before[before.length / 4] : null;
	}

	/** How often a thing happened whose rate in a second is kept. */
	long times(String name) {
		return times(name, LENGTH);
	}

	/** The same for a time until now. */
	long times(String name, Duration time) {
		return (this.table != null) ? Math.round(known(name, time).sum() * this.table.stepMillis() / 1000) : 0;
	}

	/**
	 * How long ago a value was other than zero, to the interval; zero if it never was.
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
