package io.rpcboot.spring.actuate.descriptor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.metrics.history.TimeSeriesTable;
import org.jspecify.annotations.Nullable;

/**
 * Values of the process over time.
 *
 * @param stepMillis length of an interval, 0 without a history
 * @param times ends of the intervals, in milliseconds since 1970
 * @param values by name, one for each interval, null for an unknown value; the map is
 * null without a history
 * @since 0.1.0
 */
public record HistoryDescriptor(int stepMillis, long[] times, @Nullable Map<String, List<@Nullable Double>> values) {

	/** The document of a process without a history. */
	public static final HistoryDescriptor NONE = new HistoryDescriptor(0, new long[0], null);

	public static HistoryDescriptor of(TimeSeriesTable table) {
		Map<String, List<@Nullable Double>> values = new TreeMap<>();
		table.values().forEach((name, all) -> values.put(name, known(all)));
		return new HistoryDescriptor(table.stepMillis(), table.times(), values);
	}

	private static List<@Nullable Double> known(double[] values) {
		List<@Nullable Double> result = new ArrayList<>(values.length);
		for (double value : values) {
			result.add(Double.isFinite(value) ? MethodStatsDescriptor.rate(value) : null);
		}
		return result;
	}

}
