package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Counts the system calls of client and server in a turn of its own, because counting
 * slows them: by {@code perf stat}, which needs the right to trace.
 */
final class SystemCalls {

	private static final String EVENT = "raw_syscalls:sys_enter";

	private static final Duration LENGTH = Duration.ofMillis(1_000);

	/** Until perf has attached to all threads. */
	private static final int ATTACH_MILLIS = 400;

	/** Longer than the turn and both ends of it; the processes are idle then. */
	private static final String WATCHED_SECONDS = "2.5";

	/** Time that counting in one scenario of one system takes. */
	static final Duration EACH = Duration.ofMillis(3_000);

	/** How it is done, for the report. */
	static final String METHOD = "perf stat -e " + EVENT + " on both processes, in a turn of its own";

	/**
	 * Count the system calls of one call.
	 * @return NaN if they cannot be counted here
	 */
	double perCall(SystemProcesses system, Scenario scenario) throws IOException, InterruptedException {
		String pids = system.pids().stream().map(String::valueOf).collect(Collectors.joining(","));
		List<String> command = List.of("perf", "stat", "-x,", "-e", EVENT, "-p", pids, "--", "sleep", WATCHED_SECONDS);
		Process perf;
		try {
			perf = new ProcessBuilder(command).redirectErrorStream(true).start();
		}
		catch (IOException ex) {
			return Double.NaN; // there is no perf
		}
		if (perf.waitFor(ATTACH_MILLIS, TimeUnit.MILLISECONDS)) {
			return Double.NaN; // it may not trace
		}
		Turn turn = system.run(scenario, LENGTH);
		String output = new String(perf.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return parse(output) / Math.max(turn.calls(), 1);
	}

	/**
	 * Read what perf prints: {@code count,unit,event,...}.
	 * @return NaN if there is no count in it
	 */
	static double parse(String output) {
		for (String line : output.split("\n")) {
			String[] fields = line.split(",");
			if (fields.length > 2 && fields[2].startsWith(EVENT) && fields[0].matches("[0-9]+")) {
				return Double.parseDouble(fields[0]);
			}
		}
		return Double.NaN;
	}

}
