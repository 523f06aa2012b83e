package io.rpcboot.metrics.history;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.SharedGauge;
import io.rpcboot.metrics.history.HistoryValue.Feed;

/** Gauges of all clients and servers that a {@link HistoryValue} reads. Any thread. */
final class GaugeSums {

	private static final AutoCloseable NOTHING = () -> {
	};

	private final Map<Gauge, SharedGauge> levels = new EnumMap<>(Gauge.class);

	/** Gauges whose smallest part counts. */
	private final Set<Gauge> least = EnumSet.noneOf(Gauge.class);

	GaugeSums() {
		Set<Gauge> rising = EnumSet.noneOf(Gauge.class);
		for (HistoryValue value : HistoryValue.values()) {
			rising.addAll(value.rising());
			if (value.feed() == Feed.LEAST) {
				this.least.addAll(value.levels());
			}
		}
		for (HistoryValue value : HistoryValue.values()) {
			value.levels().forEach((level) -> this.levels.put(level, new SharedGauge(rising.contains(level))));
		}
	}

	AutoCloseable add(Gauge level, LongSupplier number) {
		SharedGauge shared = this.levels.get(level);
		return (shared != null) ? shared.add(number) : NOTHING;
	}

	/**
	 * Reads all gauges.
	 * @return the values; a gauge without parts, or with a part that throws, is absent
	 */
	Map<Gauge, Long> read() {
		Map<Gauge, Long> numbers = new EnumMap<>(Gauge.class);
		this.levels.forEach((level, shared) -> {
			if (shared.isKnown()) {
				read(level, shared, numbers);
			}
		});
		return numbers;
	}

	private void read(Gauge level, SharedGauge shared, Map<Gauge, Long> numbers) {
		try {
			numbers.put(level, this.least.contains(level) ? shared.least() : shared.sum());
		}
		catch (RuntimeException ignored) {
			// unknown at this tick
		}
	}

}
