package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;
import io.rpcboot.benchmarks.streams.StreamFork;
import io.rpcboot.benchmarks.streams.StreamSystem;
import org.jspecify.annotations.Nullable;

/**
 * The two processes of one system whose streams are measured.
 */
final class StreamProcesses implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final StreamSystem system;

	private final Environment environment;

	/** Elements a second in the last turn. */
	private final Map<StreamCell, Double> rates = new HashMap<>();

	private @Nullable Fork server;

	private @Nullable Fork client;

	StreamProcesses(StreamSystem system, Environment environment) {
		this.system = system;
		this.environment = environment;
	}

	String name() {
		return this.system.name();
	}

	boolean supports(StreamCell cell) {
		return this.system.supports(cell.direction());
	}

	/** Starts both and waits until they are ready. */
	void start() throws IOException, InterruptedException {
		MeasuredSystem measured = new MeasuredSystem(name(), name(), System.getProperty("java.class.path"), List.of());
		this.server = Fork.start(StreamFork.class, this.environment, measured, "streams-server", "server");
		String port = this.server.awaitReady();
		this.client = Fork.start(StreamFork.class, this.environment, measured, "streams-client", "client", port);
		this.client.awaitReady();
	}

	/**
	 * Runs turns until a time has passed. Each has as many elements as the last one would
	 * have sent in a quarter of it.
	 */
	void run(StreamCell cell, Duration length) throws InterruptedException {
		long end = System.nanoTime() + length.toNanos();
		do {
			turn(cell, length.toMillis() / 4);
		}
		while (System.nanoTime() < end);
	}

	/**
	 * Opens all streams of a cell, and waits for their ends.
	 * @param sliceMillis about how long it shall take, by the speed of the last turn
	 * @throws BenchmarkException if a stream fails or an element is missing
	 */
	Turn turn(StreamCell cell, long sliceMillis) throws InterruptedException {
		int count = cell.elements(this.rates.getOrDefault(cell, 0.0), sliceMillis);
		ProcessCounters before = counters("begin");
		String line = Fork.started(this.client)
			.ask("run %s %d %d %d".formatted(cell.direction().word(), cell.streams(), cell.bytes(), count), PATIENCE);
		ProcessCounters used = counters("end").since(before);
		String[] words = line.split(" ", 2);
		Turn turn = Turn.of((long) cell.streams() * count, Long.parseLong(words[0]), Slice.parseCounters(words[1]),
				used);
		this.rates.put(cell, turn.value(Measure.THROUGHPUT));
		return turn;
	}

	private ProcessCounters counters(String edge) throws InterruptedException {
		return Slice.parseCounters(Fork.started(this.server).ask(edge, PATIENCE));
	}

	@Override
	public void close() {
		if (this.client != null) {
			this.client.close();
		}
		if (this.server != null) {
			this.server.close();
		}
	}

}
