package io.rpcboot.spring.actuate;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.history.Table;
import org.jspecify.annotations.Nullable;

/** The values of the process in the last five minutes. */
final class Past {

	/** How far it reaches. */
	static final Duration LENGTH = Duration.ofMinutes(5);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final @Nullable Table table;

	private Past(@Nullable Table table) {
		this.table = table;
	}

	/**
	 * The values before a moment.
	 * @param history where they are, null if there is none
	 * @param now the moment, in milliseconds since 1970
	 */
	static Past of(@Nullable RpcHistory history, long now) {
		return new Past((history != null) ? history.values(now - LENGTH.toMillis()) : null);
	}

	static Past of(@Nullable Table table) {
		return new Past(table);
	}

	/** Whether there is a history. */
	boolean isKnown() {
		return this.table != null;
	}

	/** The newest value that is known; null if none is. */
	@Nullable Double last(String name) {
		double[] values = values(name);
		for (int i = values.length - 1; i >= 0; i--) {
			if (!Double.isNaN(values[i])) {
				return values[i];
			}
		}
		return null;
	}

	/** The mean of the last minute; null if nothing is known of it. */
	@Nullable Double mean(String name) {
		double[] known = lastMinute(name);
		return (known.length > 0) ? Arrays.stream(known).sum() / known.length : null;
	}

	/** The least value of the last minute; null if nothing is known of it. */
	@Nullable Double least(String name) {
		double[] known = lastMinute(name);
		return (known.length > 0) ? Arrays.stream(known).min().getAsDouble() : null;
	}

	/** How often a thing happened whose rate in a second is kept. */
	long times(String name) {
		double rates = Arrays.stream(values(name)).filter((value) -> !Double.isNaN(value)).sum();
		return (this.table != null) ? Math.round(rates * this.table.stepMillis() / 1000) : 0;
	}

	private double[] lastMinute(String name) {
		double[] values = values(name);
		int most = (this.table != null) ? (int) (MINUTE.toMillis() / this.table.stepMillis()) : 0;
		return Arrays.stream(values, Math.max(0, values.length - most), values.length)
			.filter((value) -> !Double.isNaN(value))
			.toArray();
	}

	private double[] values(String name) {
		Map<String, double[]> values = (this.table != null) ? this.table.values() : Map.of();
		return values.getOrDefault(name, new double[0]);
	}

}
