package io.rpcboot.metrics.history;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.SharedGauge;
import io.rpcboot.metrics.history.HistoryValue.Feed;

/** The levels of all clients and servers that a {@link HistoryValue} reads. */
final class GaugeSums {

	private static final AutoCloseable NOTHING = () -> {
	};

	private final Map<Gauge, SharedGauge> levels = new EnumMap<>(Gauge.class);

	/** Those of which the least part counts. */
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
	 * Read all levels.
	 * @return the numbers; a level that nobody offers, or of which a part throws, is
	 * absent
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
			// not known for this tick
		}
	}

}
