package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.rpcboot.benchmarks.sick.SickOptions.Whose;

/**
 * One instance after the other is killed, or shuts down, and is replaced while all are
 * called. The ledgers say what ran.
 */
final class Restarts {

	private static final int INSTANCES = 3;

	private static final int RATE = 1000;

	/** Half of the calls are not idempotent. */
	private static final double WRITES = 0.5;

	private static final long SETTLED_MILLIS = 2000;

	private Restarts() {
	}

	static void measure(Scenario scenario, SickOptions options, Table table) throws IOException, InterruptedException {
		List<String> properties = options.with(Whose.CLIENT, scenario.settings(Whose.CLIENT).toArray(String[]::new));
		Set<Integer> killed = new HashSet<>();
		try (Fleet fleet = Fleet.registered(options, INSTANCES);
				Consumer consumer = fleet.consumer(1, false, properties)) {
			consumer.load(RATE, WRITES);
			TimeUnit.MILLISECONDS.sleep(SETTLED_MILLIS);
			for (int round = 0; round < options.rounds(); round++) {
				Instance oldest = fleet.instance(round);
				if (scenario == Scenario.KILL) {
					killed.add(oldest.port());
					oldest.child().kill();
				}
				else {
					oldest.close();
				}
				fleet.add().port();
				TimeUnit.MILLISECONDS.sleep(SETTLED_MILLIS);
			}
			report(scenario.toString(), consumer.stop(), fleet.ledger(), killed, table);
		}
	}

	private static void report(String row, List<Call> calls, List<Long> ledger, Set<Integer> killed, Table table) {
		Set<Long> ran = new HashSet<>(ledger);
		List<Call> writes = calls.stream().filter(Call::isWrite).toList();
		long reads = calls.size() - writes.size();
		table.none(row, "idempotent calls failed",
				calls.stream().filter((call) -> !call.isWrite() && call.isFailed()).count(), reads);
		table.none(row, "others that ran twice", ledger.size() - ran.size(), writes.size());
		Predicate<Call> isAllowed = (call) -> call.mayHaveRun() && killed.stream().anyMatch(call::isFailedAt);
		List<Call> failed = writes.stream().filter(Call::isFailed).toList();
		table.none(row, "others failed, but not at a killed one", failed.stream().filter(isAllowed.negate()).count(),
				writes.size());
		table.none(row, "ran, though the failure denies it",
				failed.stream().filter((call) -> !call.mayHaveRun() && ran.contains(call.number())).count(),
				failed.size());
		table.none(row, "answered, though it did not run",
				writes.stream().filter((call) -> !call.isFailed() && !ran.contains(call.number())).count(),
				writes.size());
		table.note(row, "others failed at a killed one", "%.0f", failed.stream().filter(isAllowed).count());
		table.note(row, "p99 ms", "%.1f", Percentiles.p99(calls));
	}

}
