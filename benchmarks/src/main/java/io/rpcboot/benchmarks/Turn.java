package io.rpcboot.benchmarks;

import java.util.EnumMap;
import java.util.Map;

import io.rpcboot.benchmarks.fork.Latencies;
import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;

/**
 * What one system did in one turn.
 *
 * @param calls answered calls
 * @param values the value of each measure
 */
record Turn(long calls, Map<Measure, Double> values) {

	static Turn of(Slice slice, ProcessCounters server) {
		Latencies latencies = slice.latencies();
		Turn turn = of(slice.calls(), slice.elapsedNanos(), slice.client(), server);
		turn.values.put(Measure.P50, latencies.p50Nanos() / 1e3);
		turn.values.put(Measure.P90, latencies.p90Nanos() / 1e3);
		turn.values.put(Measure.P99, latencies.p99Nanos() / 1e3);
		turn.values.put(Measure.P999, latencies.p999Nanos() / 1e3);
		return turn;
	}

	/** A turn without latencies. */
	static Turn of(long calls, long elapsedNanos, ProcessCounters client, ProcessCounters server) {
		double each = Math.max(calls, 1);
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.THROUGHPUT, calls * 1e9 / elapsedNanos);
		values.put(Measure.CPU, (client.cpuNanos() + server.cpuNanos()) / 1e3 / each);
		values.put(Measure.CLIENT_CPU, client.cpuNanos() / 1e3 / each);
		values.put(Measure.SERVER_CPU, server.cpuNanos() / 1e3 / each);
		values.put(Measure.ALLOCATED, (client.allocatedBytes() + server.allocatedBytes()) / each);
		values.put(Measure.CLIENT_ALLOCATED, client.allocatedBytes() / each);
		values.put(Measure.SERVER_ALLOCATED, server.allocatedBytes() / each);
		values.put(Measure.SWITCHES, (client.switches() + server.switches()) / each);
		values.put(Measure.COLLECTIONS, (double) (client.collections() + server.collections()));
		values.put(Measure.COLLECTION_TIME, (double) (client.collectionMillis() + server.collectionMillis()));
		return new Turn(calls, values);
	}

	double value(Measure measure) {
		return this.values.getOrDefault(measure, 0.0);
	}

}
