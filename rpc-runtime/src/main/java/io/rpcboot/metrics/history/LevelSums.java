package io.rpcboot.metrics.history;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import io.rpcboot.metrics.RpcMetrics.Level;
import io.rpcboot.metrics.SharedLevel;
import io.rpcboot.metrics.history.HistoryValue.Feed;

/** The levels of all clients and servers that a {@link HistoryValue} reads. */
final class LevelSums {

	private static final AutoCloseable NOTHING = () -> {
	};

	private final Map<Level, SharedLevel> levels = new EnumMap<>(Level.class);

	/** Those of which the least part counts. */
	private final Set<Level> least = EnumSet.noneOf(Level.class);

	LevelSums() {
		Set<Level> rising = EnumSet.noneOf(Level.class);
		for (HistoryValue value : HistoryValue.values()) {
			rising.addAll(value.rising());
			if (value.feed() == Feed.LEAST) {
				this.least.addAll(value.levels());
			}
		}
		for (HistoryValue value : HistoryValue.values()) {
			value.levels().forEach((level) -> this.levels.put(level, new SharedLevel(rising.contains(level))));
		}
	}

	AutoCloseable add(Level level, LongSupplier number) {
		SharedLevel shared = this.levels.get(level);
		return (shared != null) ? shared.add(number) : NOTHING;
	}

	/**
	 * Read all levels.
	 * @return the numbers; a level that nobody offers, or of which a part throws, is
	 * absent
	 */
	Map<Level, Long> read() {
		Map<Level, Long> numbers = new EnumMap<>(Level.class);
		this.levels.forEach((level, shared) -> {
			if (shared.isKnown()) {
				read(level, shared, numbers);
			}
		});
		return numbers;
	}

	private void read(Level level, SharedLevel shared, Map<Level, Long> numbers) {
		try {
			numbers.put(level, this.least.contains(level) ? shared.least() : shared.sum());
		}
		catch (RuntimeException ignored) {
			// not known for this tick
		}
	}

}
