package io.rpcboot.metrics.history;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.internal.metrics.history.call.TickClock;

/**
 * Values of the process, each a ring of ticks since it was first known. Guarded by the
 * lock of the history.
 */
final class Values {

	private final Map<String, double[]> rings = new LinkedHashMap<>();

	private int position;

	/** Begins a tick: each value is unknown until it is put. */
	void begin(int position) {
		this.position = position;
		this.rings.values().forEach((ring) -> ring[position] = Double.NaN);
	}

	void put(HistoryValue value, double number) {
		put(value.key(), number);
	}

	void put(HistoryValue value, Enum<?> part, double number) {
		put(value.key(part), number);
	}

	private void put(String key, double number) {
		double[] ring = this.rings.get(key);
		if (ring == null) {
			if (Double.isNaN(number)) {
				return;
			}
			ring = new double[TickClock.KEPT];
			Arrays.fill(ring, Double.NaN);
			this.rings.put(key, ring);
		}
		ring[this.position] = number;
	}

	Map<String, double[]> at(int[] positions) {
		Map<String, double[]> some = new LinkedHashMap<>();
		this.rings
			.forEach((key, ring) -> some.put(key, Arrays.stream(positions).mapToDouble((i) -> ring[i]).toArray()));
		return some;
	}

}
