package io.rpcboot.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.fixture.Eventually;
import io.rpcboot.hostile.attack.AttackCounts;
import io.rpcboot.hostile.attack.AttackerProcess;
import io.rpcboot.hostile.attack.Scenario;
import io.rpcboot.hostile.victim.Figures;
import io.rpcboot.hostile.victim.HonestClient;
import io.rpcboot.hostile.victim.HonestTally;
import io.rpcboot.hostile.victim.Recovery;
import io.rpcboot.hostile.victim.VictimProcess;

/**
 * Attacks a server in every way that is known, beside an honest client, and judges.
 * Arguments: minutes for each scenario, minutes for all of them together, names of
 * scenarios with commas between them or {@code every}, and the directory of the results.
 */
public final class HostileRun {

	private static final String EVERY = "every";

	private static final int NICENESS = 19;

	private static final int CALLS_PER_SECOND = 200;

	private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

	/** The JVM of the victim compiles meanwhile. */
	private static final Duration WARM_UP = Duration.ofSeconds(5);

	private static final Duration QUIET = Duration.ofSeconds(10);

	private final Path directory;

	private final List<Verdict> verdicts = new ArrayList<>();

	private HostileRun(Path directory) {
		this.directory = directory;
	}

	/** Entry point; see the class. */
	public static void main(String[] arguments) throws Exception {
		Duration each = minutes(arguments[0]);
		Duration together = minutes(arguments[1]);
		HostileRun run = new HostileRun(Path.of(arguments[3]));
		for (String name : names(arguments[2])) {
			run.run(name, name.equals(Scenario.TOGETHER) ? together : each);
		}
		run.conclude();
	}

	private static Duration minutes(String text) {
		return Duration.ofMillis((long) (Double.parseDouble(text) * 60_000));
	}

	private static List<String> names(String said) {
		if (!said.equals(EVERY)) {
			return List.of(said.split(","));
		}
		List<String> names = new ArrayList<>(Scenario.known().stream().map(Scenario::name).toList());
		names.add(Scenario.TOGETHER);
		return names;
	}

	/** A victim, an honest client and attackers of their own. */
	private void run(String name, Duration time) throws IOException {
		System.out.printf("hostile: %s for %s%n", name, time);
		try (VictimProcess victim = new VictimProcess(this.directory.resolve("victim-" + name + ".log"));
				AttackerProcess attacker = new AttackerProcess(NICENESS,
						this.directory.resolve("attacker-" + name + ".log"));
				HonestClient honest = new HonestClient(victim.port(), CALLS_PER_SECOND, CALL_TIMEOUT,
						Scenario.isTls(name))) {
			if (attacker.mostConnections() < Scenario.MANY) {
				System.out.printf("hostile: the system gives only %d connections, raise ulimit -n%n",
						attacker.mostConnections());
			}
			Eventually.passed(System.nanoTime() + WARM_UP.toNanos());
			honest.next();
			Eventually.passed(System.nanoTime() + QUIET.toNanos());
			HonestTally.Summary quiet = honest.next().summary();
			Figures before = victim.figures();
			honest.next();
			honest.nextLarge();
			honest.nextNewcomers();
			AttackCounts.Total attack = attacker.attack(victim.port(), name, time, Scenario.MANY);
			long endNanos = System.nanoTime();
			HonestTally tally = honest.next();
			HonestTally large = honest.nextLarge();
			HonestTally newcomers = honest.nextNewcomers();
			Recovery recovery = Recovery.await(victim, before, endNanos);
			Eventually.passed(endNanos + CALL_TIMEOUT.plusSeconds(1).toNanos());
			Verdict verdict = new Verdict(name, quiet, tally.summary(), large.summary(), newcomers.summary(),
					honest.next().summary(), before, recovery, attack, victim.outOfMemory().size(), victim.mostLines(),
					honest.lostConnections());
			this.verdicts.add(verdict);
			System.out.println(verdict.describe());
		}
	}

	private void conclude() throws IOException {
		StringBuilder table = new StringBuilder(Verdict.HEAD);
		this.verdicts.forEach((each) -> table.append(each.row()));
		System.out.print(table);
		Path file = this.directory.resolve("results.md");
		Files.createDirectories(this.directory);
		Files.writeString(file, table, StandardCharsets.UTF_8);
		List<String> failed = this.verdicts.stream()
			.filter((each) -> !each.reasons().isEmpty())
			.map(Verdict::scenario)
			.toList();
		if (!failed.isEmpty()) {
			throw new IllegalStateException(
					"hostile: %s FAILED, see %s and the logs beside it".formatted(failed, file));
		}
		System.out.println("hostile: the server held, see " + file);
	}

}
