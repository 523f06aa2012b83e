package io.rpcboot.metrics.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

import io.rpcboot.metrics.RpcMetrics.Level;

/** The levels of all clients and servers that a {@link HistoryValue} reads. */
final class LevelSums {

	private static final AutoCloseable NOTHING = () -> {
	};

	private final Map<Level, List<Part>> parts = new EnumMap<>(Level.class);

	/** What parts of a level that only rises had counted when they were taken back. */
	private final Map<Level, Long> ended = new EnumMap<>(Level.class);

	private final Set<Level> rising = EnumSet.noneOf(Level.class);

	LevelSums() {
		for (HistoryValue value : HistoryValue.values()) {
			for (Level level : value.levels()) {
				this.parts.put(level, new ArrayList<>(1));
			}
			this.rising.addAll(value.rising());
		}
	}

	synchronized AutoCloseable add(Level level, LongSupplier value) {
		List<Part> all = this.parts.get(level);
		if (all == null) {
			return NOTHING;
		}
		Part part = new Part(value);
		all.add(part);
		return () -> remove(level, part);
	}

	private synchronized void remove(Level level, Part part) {
		List<Part> all = this.parts.get(level);
		if (all != null && all.remove(part) && this.rising.contains(level)) {
			this.ended.merge(level, part.value.getAsLong(), Long::sum);
		}
	}

	/** The sum of its parts, NaN if nobody offers it or a part throws. */
	synchronized double sum(Level level) {
		return read(level, LongStream::sum) + this.ended.getOrDefault(level, 0L);
	}

	/** The least of its parts, NaN if nobody offers it or a part throws. */
	synchronized double least(Level level) {
		return read(level, (values) -> values.min().orElse(0));
	}

	private double read(Level level, ToDoubleFunction<LongStream> combined) {
		List<Part> all = this.parts.getOrDefault(level, List.of());
		if (all.isEmpty()) {
			return Double.NaN;
		}
		try {
			return combined.applyAsDouble(all.stream().mapToLong((part) -> part.value.getAsLong()));
		}
		catch (RuntimeException ex) {
			return Double.NaN;
		}
	}

	/** Two equal suppliers are two parts. */
	private static final class Part {

		private final LongSupplier value;

		Part(LongSupplier value) {
			this.value = value;
		}

	}

}
