package io.rpcboot.metrics.history;

import java.util.Map;

/**
 * Time series of the values of the process.
 *
 * @param stepMillis time between two ticks, in milliseconds; a late tick covers more
 * @param times time of each tick, in milliseconds since 1970, rising
 * @param values numbers by {@link HistoryValue} key, one for each time, NaN where unknown
 * @since 0.1.0
 */
public record TimeSeriesTable(int stepMillis, long[] times, Map<String, double[]> values) {
}
