package io.rpcboot.metrics.history;

import java.util.Map;

/**
 * Values of the process over time.
 *
 * @param stepMillis the time from one tick to the next, in milliseconds; a tick that came
 * late covers more
 * @param times when each tick was, in epoch milliseconds, rising
 * @param values by {@link HistoryValue} key, one number for each of the times, NaN where
 * it is not known
 */
public record TimeSeriesTable(int stepMillis, long[] times, Map<String, double[]> values) {
}
