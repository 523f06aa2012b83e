package io.rpcboot.metrics.history;

import java.util.EnumMap;
import java.util.Map;

/** The values that come from levels. */
final class LevelValues {

	private final LevelSums levels;

	/** What had been counted at the last tick, of those that only rise. */
	private final Map<HistoryValue, Double> before = new EnumMap<>(HistoryValue.class);

	LevelValues(LevelSums levels) {
		this.levels = levels;
	}

	void tick(double seconds, Values values) {
		for (HistoryValue each : HistoryValue.values()) {
			switch (each.feed()) {
				case SUM -> values.put(each, sum(each));
				case LEAST -> values.put(each, this.levels.least(each.levels().get(0)));
				case RATE -> values.put(each, rise(each, sum(each)) / seconds);
				case BUSY -> values.put(each, busy(each, seconds));
				case COMPUTED -> {
				}
			}
		}
	}

	private double sum(HistoryValue value) {
		return value.levels()
			.stream()
			.mapToDouble(this.levels::sum)
			.filter((sum) -> !Double.isNaN(sum))
			.reduce(Double.NaN, (all, sum) -> Double.isNaN(all) ? sum : all + sum);
	}

	private double rise(HistoryValue value, double now) {
		if (Double.isNaN(now)) {
			return now;
		}
		Double last = this.before.put(value, now);
		return Math.max(0, (last != null) ? now - last : now);
	}

	private double busy(HistoryValue value, double seconds) {
		double nanos = rise(value, this.levels.sum(value.levels().get(0)));
		double threads = this.levels.sum(value.levels().get(1));
		return (threads > 0) ? Math.min(1, nanos / 1e9 / seconds / threads) : Double.NaN;
	}

}
