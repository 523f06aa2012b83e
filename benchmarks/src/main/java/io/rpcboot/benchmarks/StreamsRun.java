package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.benchmarks.streams.StreamSystem;

/**
 * Lets systems send streams in turns. In each fork all of them have new processes, which
 * live until its end; each round begins with another system.
 */
final class StreamsRun {

	private final StreamsOptions options;

	private final Environment environment;

	private final List<PrintStream> outs;

	private final StreamsReport report;

	/** By system and cell, why a system is out of it. */
	private final Map<String, String> failures = new LinkedHashMap<>();

	StreamsRun(StreamsOptions options, Environment environment, List<PrintStream> outs) {
		this.options = options;
		this.environment = environment;
		this.outs = outs;
		this.report = new StreamsReport(options);
	}

	/**
	 * Measures every cell.
	 * @return systems and cells that could not be measured, and why
	 */
	List<String> run() throws IOException, InterruptedException {
		this.outs.forEach((out) -> out.printf(Locale.ROOT,
				"%d cells, %d pairs of processes, %d rounds of %d ms, about" + " %d minutes%n",
				this.options.cells().size(), this.options.forks(), this.options.rounds(), this.options.sliceMillis(),
				this.options.estimate().toMinutes() + 1));
		this.outs.forEach(this.report::printSettings);
		for (int fork = 0; fork < this.options.forks(); fork++) {
			run(fork);
		}
		this.outs.forEach(this.report::print);
		Files.write(this.environment.output().resolve("streams.csv"), this.report.csv());
		return this.failures.entrySet().stream().map((each) -> each.getKey() + ": " + each.getValue()).toList();
	}

	StreamsReport report() {
		return this.report;
	}

	private void run(int fork) throws IOException, InterruptedException {
		List<StreamProcesses> systems = rotated(this.options.systems(), fork).stream()
			.map((name) -> new StreamProcesses(StreamSystem.of(name), this.environment))
			.toList();
		try {
			for (StreamProcesses system : systems) {
				start(system);
			}
			for (StreamCell cell : this.options.cells()) {
				for (StreamProcesses system : in(systems, cell)) {
					attempt(system, cell, () -> system.run(cell, this.options.preparation()));
				}
			}
			for (StreamCell cell : this.options.cells()) {
				run(in(systems, cell), cell);
				this.outs.forEach((out) -> {
					out.print('.');
					out.flush();
				});
			}
			this.outs.forEach(PrintStream::println);
		}
		finally {
			systems.forEach(StreamProcesses::close);
		}
	}

	private void start(StreamProcesses system) throws IOException, InterruptedException {
		try {
			system.start();
		}
		catch (BenchmarkException ex) {
			this.options.cells().forEach((cell) -> this.failures.put(key(system, cell), ex.getMessage()));
		}
	}

	private void run(List<StreamProcesses> systems, StreamCell cell) throws InterruptedException {
		for (StreamProcesses system : systems) {
			attempt(system, cell, () -> system.run(cell, StreamsOptions.WARMUP));
		}
		for (int round = 0; round < this.options.rounds(); round++) {
			for (StreamProcesses system : rotated(in(systems, cell), round)) {
				attempt(system, cell,
						() -> this.report.add(cell, system.name(), system.turn(cell, this.options.sliceMillis())));
			}
		}
	}

	private List<StreamProcesses> in(List<StreamProcesses> systems, StreamCell cell) {
		return systems.stream()
			.filter((system) -> system.supports(cell) && !this.failures.containsKey(key(system, cell)))
			.toList();
	}

	private void attempt(StreamProcesses system, StreamCell cell, Step step) throws InterruptedException {
		try {
			step.run();
		}
		catch (BenchmarkException ex) {
			this.failures.put(key(system, cell), ex.getMessage());
			this.report.remove(cell, system.name());
		}
	}

	private static String key(StreamProcesses system, StreamCell cell) {
		return system.name() + ", " + cell;
	}

	private static <T> List<T> rotated(List<T> list, int by) {
		List<T> copy = new ArrayList<>(list);
		Collections.rotate(copy, -by);
		return copy;
	}

	private interface Step {

		void run() throws InterruptedException;

	}

}
