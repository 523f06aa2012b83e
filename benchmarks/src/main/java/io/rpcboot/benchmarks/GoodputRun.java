package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.fork.Ends;

/**
 * Servers that get more calls than they can do, from clients without limit: what is
 * answered in time, beside what blocking callers reach in the same processes. Every cell
 * of every system has new processes.
 */
final class GoodputRun {

	private static final double MILLIS_PER_SECOND = 1_000;

	private final GoodputOptions options;

	private final Environment environment;

	private final List<PrintStream> outs;

	private final GoodputReport report = new GoodputReport();

	private final List<String> failures = new ArrayList<>();

	GoodputRun(GoodputOptions options, Environment environment, List<PrintStream> outs) {
		this.options = options;
		this.environment = environment;
		this.outs = outs;
	}

	/**
	 * Measure every cell.
	 * @return the cells of ours that could not be measured, and why
	 */
	List<String> run() throws IOException, InterruptedException {
		this.outs.forEach((out) -> {
			out.printf(Locale.ROOT, "goodput: %s; %d cells, %d s each, about %d minutes%n", this.options.systems(),
					this.options.cells().size(), this.options.seconds(), this.options.estimate().toMinutes() + 1);
			this.report.printHead(out);
		});
		for (GoodputCell cell : this.options.cells()) {
			for (String system : this.options.systems()) {
				run(cell, system);
				this.outs.forEach(this.report::printLast);
				Files.write(this.environment.output().resolve("goodput.csv"), this.report.csv());
			}
		}
		return this.failures;
	}

	private void run(GoodputCell cell, String system) throws IOException, InterruptedException {
		try (GoodputProcesses processes = new GoodputProcesses(cell, this.environment.system(system),
				this.environment)) {
			processes.start();
			this.report.add(measure(cell, system, processes));
		}
		catch (BenchmarkException ex) {
			String why = String.valueOf(ex.getMessage());
			this.report.add(system, cell, why);
			if (system.startsWith("ours")) {
				this.failures.add(cell.word() + " of " + system + ": " + why);
			}
		}
	}

	private GoodputRow measure(GoodputCell cell, String system, GoodputProcesses processes)
			throws InterruptedException {
		double guess = perSecond(processes.run(cell.blocking(), this.options.blocking()), this.options.blocking());
		processes.run(cell.firing(guess), this.options.prepareFire());
		processes.settle();
		double reference = perSecond(processes.run(cell.blocking(), this.options.blocking()), this.options.blocking());
		long before = processes.settle();
		List<Long> clientHeaps = processes.clientHeaps();
		long serverHeap = processes.serverHeap();
		Ends ends = processes.run(cell.firing(reference), this.options.fire());
		long executed = processes.settle() - before;
		GoodputRow.Heaps heaps = heaps(clientHeaps, processes.clientHeaps(), serverHeap, processes.serverHeap());
		return new GoodputRow(system, cell, this.options.seconds(), reference, ends, executed, heaps);
	}

	private static double perSecond(Ends ends, Duration length) {
		return ends.inWindow() * MILLIS_PER_SECOND / length.toMillis();
	}

	/** Of the client whose heap grew most. */
	private static GoodputRow.Heaps heaps(List<Long> before, List<Long> after, long serverBefore, long serverAfter) {
		int most = 0;
		for (int i = 1; i < before.size(); i++) {
			if (after.get(i) - before.get(i) > after.get(most) - before.get(most)) {
				most = i;
			}
		}
		return new GoodputRow.Heaps(before.get(most), after.get(most), serverBefore, serverAfter);
	}

	List<String> markdown() {
		return this.report.markdown();
	}

}
