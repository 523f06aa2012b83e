package io.rpcboot.metrics.history;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

import io.rpcboot.metrics.RpcMetrics.Level;
import io.rpcboot.metrics.history.HistoryValue.Feed;

/** The levels of all clients and servers that a {@link HistoryValue} reads. */
final class LevelSums {

	private static final AutoCloseable NOTHING = () -> {
	};

	/**
	 * By level how often each number is offered. One that several share is added once.
	 */
	private final Map<Level, Map<LongSupplier, Integer>> offered = new EnumMap<>(Level.class);

	/** What parts of a level that only rises had counted when they were taken back. */
	private final Map<Level, Long> ended = new EnumMap<>(Level.class);

	private final Set<Level> rising = EnumSet.noneOf(Level.class);

	/** Those of which the least part counts. */
	private final Set<Level> least = EnumSet.noneOf(Level.class);

	LevelSums() {
		for (HistoryValue value : HistoryValue.values()) {
			value.levels().forEach((level) -> this.offered.put(level, new IdentityHashMap<>(1)));
			this.rising.addAll(value.rising());
			if (value.feed() == Feed.LEAST) {
				this.least.addAll(value.levels());
			}
		}
	}

	synchronized AutoCloseable add(Level level, LongSupplier number) {
		Map<LongSupplier, Integer> all = this.offered.get(level);
		if (all == null) {
			return NOTHING;
		}
		all.merge(number, 1, Integer::sum);
		AtomicBoolean there = new AtomicBoolean(true);
		return () -> {
			if (there.getAndSet(false)) {
				remove(level, all, number, this.rising.contains(level) ? number.getAsLong() : 0);
			}
		};
	}

	private synchronized void remove(Level level, Map<LongSupplier, Integer> all, LongSupplier number, long counted) {
		boolean last = all.merge(number, -1, (count, less) -> (count > 1) ? count - 1 : null) == null;
		if (last && this.rising.contains(level)) {
			this.ended.merge(level, counted, Long::sum);
		}
	}

	/**
	 * Read all levels. Numbers are read without a lock: whoever offers one may hold its
	 * own.
	 * @return the numbers; a level that nobody offers, or of which a part throws, is
	 * absent
	 */
	Map<Level, Long> read() {
		Map<Level, Long> numbers = new EnumMap<>(Level.class);
		for (Level level : this.offered.keySet()) {
			read(level, numbers);
		}
		return numbers;
	}

	private void read(Level level, Map<Level, Long> numbers) {
		List<LongSupplier> parts;
		Long before;
		synchronized (this) {
			parts = List.copyOf(this.offered.getOrDefault(level, Map.of()).keySet());
			before = this.ended.get(level);
		}
		if (parts.isEmpty() && before == null) {
			return;
		}
		try {
			LongStream all = parts.stream().mapToLong(LongSupplier::getAsLong);
			long now = this.least.contains(level) ? all.min().orElse(0) : all.sum();
			numbers.put(level, (before != null) ? before + now : now);
		}
		catch (RuntimeException ignored) {
			// not known for this tick
		}
	}

}
