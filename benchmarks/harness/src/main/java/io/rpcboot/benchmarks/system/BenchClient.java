package io.rpcboot.benchmarks.system;

import io.rpcboot.benchmarks.workload.BenchService;

/**
 * A connected client of one system.
 */
public interface BenchClient extends AutoCloseable {

	/**
	 * What the load calls.
	 * @return the service, thread-safe
	 */
	BenchService service();

	/** Close it and end its threads. */
	@Override
	void close();

}
