package io.rpcboot.benchmarks.system;

/**
 * A running server of one system.
 */
public interface BenchServer extends AutoCloseable {

	/**
	 * Where it listens, on the loopback address.
	 * @return the port
	 */
	int port();

	/** Close it and end its threads. */
	@Override
	void close();

}
