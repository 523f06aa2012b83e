package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;

/**
 * Lets {@code h2load} call servers of JSON in turns. In each fork all of them have new
 * processes; each round begins with another one.
 */
final class JsonRun {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final int FIRST_CALLS = 500;

	private static final double MILLIS = 1e3;

	private final JsonOptions options;

	private final Environment environment;

	private final List<PrintStream> outs;

	private final JsonReport report;

	/** Processes of this fork. */
	private final Map<String, Fork> servers = new LinkedHashMap<>();

	/** Calls a second in the last turn. */
	private final Map<String, Double> rates = new HashMap<>();

	/** Answer of every system. */
	private final Map<JsonCell, byte[]> answers = new HashMap<>();

	private final Map<String, String> failures = new LinkedHashMap<>();

	JsonRun(JsonOptions options, Environment environment, List<PrintStream> outs) {
		this.options = options;
		this.environment = environment;
		this.outs = outs;
		this.report = new JsonReport(options);
	}

	JsonReport report() {
		return this.report;
	}

	/**
	 * Measures every cell.
	 * @return systems and cells that could not be measured, and why
	 * @throws BenchmarkException if the tool is missing
	 */
	List<String> run() throws IOException, InterruptedException {
		if (!H2Load.isThere()) {
			throw new BenchmarkException("h2load is not installed (Debian: apt-get install nghttp2-client)");
		}
		this.outs.forEach(
				(out) -> out.printf(Locale.ROOT, "%d cells, %d processes, %d rounds of %d ms, about %d" + " minutes%n",
						JsonCell.ALL.size(), this.options.forks(), this.options.rounds(), this.options.sliceMillis(),
						this.options.estimate().toMinutes() + 1));
		for (int fork = 0; fork < this.options.forks(); fork++) {
			try {
				run(rotated(this.options.systems(), fork));
			}
			finally {
				this.servers.values().forEach(Fork::close);
				this.servers.clear();
			}
		}
		this.outs.forEach(this.report::print);
		Files.write(this.environment.output().resolve("json.csv"), this.report.csv());
		return this.failures.entrySet().stream().map((each) -> each.getKey() + ": " + each.getValue()).toList();
	}

	private void run(List<String> systems) throws IOException, InterruptedException {
		for (String system : systems) {
			Fork server = Fork.start(this.environment, this.environment.system(system), "json-server", "server");
			this.servers.put(system, server);
			server.awaitReady();
		}
		for (JsonCell cell : JsonCell.ALL) {
			for (String system : systems) {
				attempt(system, cell, () -> {
					check(system, cell);
					work(system, cell, this.options.preparation());
				});
			}
		}
		for (JsonCell cell : JsonCell.ALL) {
			for (String system : systems) {
				attempt(system, cell, () -> work(system, cell, JsonOptions.WARMUP));
			}
			for (int round = 0; round < this.options.rounds(); round++) {
				for (String system : rotated(systems, round)) {
					attempt(system, cell,
							() -> this.report.add(cell, system, turn(system, cell, this.options.sliceMillis())));
				}
			}
			for (String system : systems) {
				attempt(system, cell, () -> check(system, cell));
			}
		}
	}

	/** Compares one answer with that of the first system over HTTP/1.1. */
	private void check(String system, JsonCell cell) throws IOException, InterruptedException {
		HttpLoad load = load(system, cell);
		byte[] expected = this.answers.get(cell);
		if (expected == null) {
			expected = load(this.options.systems().get(0), new JsonCell(cell.method(), cell.body(), false)).once();
			this.answers.put(cell, expected);
		}
		load.compare(expected, load.once());
	}

	private void work(String system, JsonCell cell, Duration length) throws IOException, InterruptedException {
		long end = System.nanoTime() + length.toNanos();
		do {
			turn(system, cell, length.toMillis() / 2);
		}
		while (System.nanoTime() < end);
	}

	private Turn turn(String system, JsonCell cell, long millis) throws IOException, InterruptedException {
		Fork server = server(system);
		double rate = this.rates.getOrDefault(key(system, cell), 0.0);
		int calls = (int) Math.max(FIRST_CALLS, rate * millis / MILLIS);
		int answer = Objects.requireNonNull(this.answers.get(cell), "answer").length;
		ProcessCounters before = Slice.parseCounters(server.ask("begin", PATIENCE));
		double speed = load(system, cell).run(calls, answer);
		ProcessCounters used = Slice.parseCounters(server.ask("end", PATIENCE)).since(before);
		this.rates.put(key(system, cell), speed);
		return Turn.of(calls, (long) (calls * 1e9 / speed), new ProcessCounters(0, 0, 0, 0, 0), used);
	}

	private HttpLoad load(String system, JsonCell cell) throws IOException {
		return new HttpLoad(cell, server(system).ready(), this.environment.output());
	}

	private Fork server(String system) {
		return Objects.requireNonNull(this.servers.get(system), system);
	}

	private void attempt(String system, JsonCell cell, Step step) throws IOException, InterruptedException {
		if (this.failures.containsKey(key(system, cell))) {
			return;
		}
		try {
			step.run();
		}
		catch (BenchmarkException ex) {
			this.failures.put(key(system, cell), ex.getMessage());
			this.report.remove(cell, system);
		}
	}

	private static String key(String system, JsonCell cell) {
		return system + ", " + cell;
	}

	private static <T> List<T> rotated(List<T> list, int by) {
		List<T> copy = new ArrayList<>(list);
		Collections.rotate(copy, -by);
		return copy;
	}

	private interface Step {

		void run() throws IOException, InterruptedException;

	}

}
