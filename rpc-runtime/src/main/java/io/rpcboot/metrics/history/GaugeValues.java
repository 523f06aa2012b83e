package io.rpcboot.metrics.history;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/** Values that come from gauges. Guarded by the lock of the history. */
final class GaugeValues {

	/** Previous readings of gauges that only rise. */
	private final Map<Gauge, Long> before = new EnumMap<>(Gauge.class);

	void tick(Map<Gauge, Long> numbers, double seconds, Values values) {
		for (HistoryValue value : HistoryValue.values()) {
			List<Gauge> known = value.levels().stream().filter(numbers::containsKey).toList();
			if (!known.isEmpty()) {
				put(value, known, numbers, seconds, values);
			}
		}
	}

	private void put(HistoryValue value, List<Gauge> known, Map<Gauge, Long> numbers, double seconds, Values values) {
		switch (value.feed()) {
			case SUM, LEAST -> values.put(value, known.stream().mapToLong((level) -> number(level, numbers)).sum());
			case RATE -> values.put(value, known.stream().mapToLong((level) -> rise(level, numbers)).sum() / seconds);
			case BUSY -> {
				Gauge work = value.levels().get(0);
				Gauge threads = value.levels().get(1);
				if (known.size() == 2) {
					values.put(value, share(rise(work, numbers) / 1e9 / seconds, number(threads, numbers)));
				}
			}
			case COMPUTED -> {
			}
		}
	}

	private static long number(Gauge level, Map<Gauge, Long> numbers) {
		return numbers.getOrDefault(level, 0L);
	}

	private long rise(Gauge level, Map<Gauge, Long> numbers) {
		long now = number(level, numbers);
		Long last = this.before.put(level, now);
		return Math.max(0, (last != null) ? now - last : now);
	}

	private static double share(double busy, long threads) {
		return (threads > 0) ? Math.min(1, busy / threads) : Double.NaN;
	}

}
