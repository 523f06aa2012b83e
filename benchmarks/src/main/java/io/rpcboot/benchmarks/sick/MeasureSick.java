package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.rpcboot.benchmarks.TextReport;
import io.rpcboot.benchmarks.sick.SickOptions.Whose;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Measures what callers notice of instances that are sick, die, or start cold, and what
 * instances notice of callers that try again. Instances and callers are applications in
 * processes of their own.
 */
public final class MeasureSick {

	private MeasureSick() {
	}

	/**
	 * Run it.
	 * @param args options, see the README of this module
	 * @throws Exception if a process fails
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(SickOptions.USAGE);
			return;
		}
		SickOptions options = SickOptions.parse(args);
		Files.createDirectories(options.output());
		Files.deleteIfExists(options.output().resolve(Child.LOG));
		Instance.deleteLedgers(options.output());
		LoggingSystem.get(MeasureSick.class.getClassLoader())
			.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
		endWithParent(Thread.currentThread());
		Table table = new Table("%d runs: median (range); consumers %s, instances %s".formatted(options.runs(),
				options.with(Whose.CLIENT), options.with(Whose.SERVER)));
		for (Scenario scenario : options.scenarios()) {
			System.out.println("... " + scenario);
			try {
				measure(scenario, options, table);
			}
			catch (IOException | IllegalStateException ex) {
				table.broken(scenario.toString(), ex);
			}
		}
		TextReport.print(table.lines(), options.output().resolve("sick.txt"));
		if (!table.missed().isEmpty()) {
			throw new IllegalStateException(String.join("; ", table.missed()));
		}
	}

	/** A build that is killed leaves nothing behind. */
	private static void endWithParent(Thread main) {
		ProcessHandle.current().parent().ifPresent((parent) -> parent.onExit().thenRun(main::interrupt));
	}

	private static void measure(Scenario scenario, SickOptions options, Table table)
			throws IOException, InterruptedException {
		switch (scenario) {
			case SLOW, HALF, FAILING, STOPPED, LOSSY -> OneSick.measure(scenario, options, table);
			case PACKETS -> {
				PacketLoss.requireOwnNamespace();
				OneSick.measure(scenario, options, table);
			}
			case KILL, ROLLING -> Restarts.measure(scenario, options, table);
			case COLD -> ColdStart.measure(scenario, options, table);
			case STORM_SLOW, STORM_FAILING -> RetryStorm.measure(scenario, options, table);
			case HEDGING -> Hedging.measure(scenario, options, table);
		}
	}

}
