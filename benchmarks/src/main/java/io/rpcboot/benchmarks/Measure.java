package io.rpcboot.benchmarks;

/**
 * What is compared. Times are of one call; "both" adds client and server.
 */
enum Measure {

	/** Answered calls in a second. */
	THROUGHPUT("calls/s"),

	/** Latency that half of the calls did not exceed. */
	P50("p50 us"),

	/** Latency that 90 of 100 calls did not exceed. */
	P90("p90 us"),

	/** Latency that 99 of 100 calls did not exceed. */
	P99("p99 us"),

	/** Latency that 999 of 1000 calls did not exceed. */
	P999("p999 us"),

	/** Processor time of both. */
	CPU("CPU us"),

	/** Processor time of the client. */
	CLIENT_CPU("client"),

	/** Processor time of the server. */
	SERVER_CPU("server"),

	/** Bytes allocated on the heaps of both. */
	ALLOCATED("alloc B"),

	/** Bytes allocated on the heap of the client. */
	CLIENT_ALLOCATED("client"),

	/** Bytes allocated on the heap of the server. */
	SERVER_ALLOCATED("server"),

	/** Voluntary context switches of both. */
	SWITCHES("switches"),

	/** Runs of the garbage collectors of both, in the whole turn. */
	COLLECTIONS("GCs"),

	/** Time of the garbage collectors of both, in the whole turn. */
	COLLECTION_TIME("GC ms");

	private final String title;

	Measure(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

}
