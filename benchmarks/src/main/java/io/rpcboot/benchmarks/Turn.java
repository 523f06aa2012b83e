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
		double calls = Math.max(slice.calls(), 1);
		ProcessCounters client = slice.client();
		Latencies latencies = slice.latencies();
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.THROUGHPUT, slice.calls() * 1e9 / slice.elapsedNanos());
		values.put(Measure.P50, latencies.p50Nanos() / 1e3);
		values.put(Measure.P90, latencies.p90Nanos() / 1e3);
		values.put(Measure.P99, latencies.p99Nanos() / 1e3);
		values.put(Measure.P999, latencies.p999Nanos() / 1e3);
		values.put(Measure.CPU, (client.cpuNanos() + server.cpuNanos()) / 1e3 / calls);
		values.put(Measure.CLIENT_CPU, client.cpuNanos() / 1e3 / calls);
		values.put(Measure.SERVER_CPU, server.cpuNanos() / 1e3 / calls);
		values.put(Measure.ALLOCATED, (client.allocatedBytes() + server.allocatedBytes()) / calls);
		values.put(Measure.CLIENT_ALLOCATED, client.allocatedBytes() / calls);
		values.put(Measure.SERVER_ALLOCATED, server.allocatedBytes() / calls);
		values.put(Measure.SWITCHES, (client.switches() + server.switches()) / calls);
		values.put(Measure.COLLECTIONS, (double) (client.collections() + server.collections()));
		values.put(Measure.COLLECTION_TIME, (double) (client.collectionMillis() + server.collectionMillis()));
		return new Turn(slice.calls(), values);
	}

	double value(Measure measure) {
		return this.values.getOrDefault(measure, 0.0);
	}

}
