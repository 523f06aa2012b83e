package io.rpcboot.hostile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.engine.fixture.Load;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.hostile.attack.AttackCounts;
import io.rpcboot.hostile.attack.AttackerProcess;
import io.rpcboot.hostile.attack.Scenario;
import io.rpcboot.hostile.victim.Figures;
import io.rpcboot.hostile.victim.HonestClient;
import io.rpcboot.hostile.victim.HonestTally;
import io.rpcboot.hostile.victim.Recovery;
import io.rpcboot.hostile.victim.VictimProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Every third scenario in clear text for half a second, one after the other against the
 * same server, then all of them at the same time; all in turn with
 * {@code -Drpc.test.long=true}. What the server does not survive is seen here; how fast
 * it answers meanwhile is judged by {@link HostileRun}.
 */
@Timeout(120)
@Tag("rounds")
class HostileShortIntegrationTests {

	private static final Duration TIME = Duration.ofMillis(500);

	/** Distance of the scenarios that are part of the build. */
	private static final int DISTANCE = 3;

	private static final Duration ALL_TOGETHER = Duration.ofSeconds(3);

	private static final Duration LONGEST = Duration.ofSeconds(20);

	/** Times are not judged, so attackers may have their share of a busy machine. */
	private static final int NICENESS = 5;

	private static final int CONNECTIONS = 1500;

	private static final int CALLS_PER_SECOND = 100;

	private static final int WARM_UP_CALLS = 2000;

	private static final Path DIRECTORY = Path.of("target", "hostile-short");

	private static AttackerProcess attacker;

	private static VictimProcess victim;

	private static HonestClient honest;

	private static Figures before;

	private static int victims;

	/** Whether the honest client speaks TLS. */
	private static boolean isEncrypted;

	/** Whether the victim is as before, so that the next scenario may have it. */
	private static boolean survived;

	@BeforeAll
	static void startAttacker() throws IOException {
		attacker = new AttackerProcess(NICENESS, DIRECTORY.resolve("attacker.log"));
	}

	@AfterAll
	static void stop() {
		attacker.close();
		stopVictim();
	}

	static Stream<String> scenarios() {
		List<String> all = Scenario.known().stream().map(Scenario::name).toList();
		Stream<String> chosen = Load.everyNth(all, DISTANCE).stream();
		return Stream.concat(chosen.filter((each) -> Load.LONG || !Scenario.isTls(each)), Stream.of(Scenario.TOGETHER));
	}

	/**
	 * One server for all with the same kind of honest client; one that has not survived
	 * is replaced for those that follow.
	 */
	private static void startVictim(boolean encrypted) throws IOException {
		if (victim == null || encrypted != isEncrypted) {
			stopVictim();
			victim = new VictimProcess(DIRECTORY.resolve("victim-%d.log".formatted(++victims)));
			honest = new HonestClient(victim.port(), CALLS_PER_SECOND, LONGEST, encrypted);
			isEncrypted = encrypted;
			assertThat(honest.areRight(WARM_UP_CALLS)).isTrue();
			before = victim.figures();
		}
	}

	@AfterEach
	void stopBrokenVictim() {
		if (!survived) {
			stopVictim();
		}
	}

	private static void stopVictim() {
		if (victim != null) {
			honest.close();
			victim.close();
			victim = null;
		}
	}

	@ParameterizedTest
	@MethodSource("scenarios")
	void server_survives_underEachAttackScenario(String scenario) throws IOException {
		startVictim(Scenario.isTls(scenario));
		survived = false;
		honest.next();
		honest.nextLarge();
		honest.nextNewcomers();
		AttackCounts.Total attack = attacker.attack(victim.port(), scenario,
				scenario.equals(Scenario.TOGETHER) ? ALL_TOGETHER : TIME, CONNECTIONS);
		HonestTally beside = honest.next();
		assertThat(attack.connections()).as("%s: connections of the attack", scenario).isPositive();
		assertThat(victim.outOfMemory()).as(scenario).isEmpty();
		assertThatCode(() -> assertThat(honest.areRight(20)).isTrue()).as("%s: calls after the attack", scenario)
			.doesNotThrowAnyException();
		HonestTally.Summary calls = beside.summary();
		assertThat(calls.calls()).as("%s: calls beside the attack", scenario).isPositive();
		assertThat(calls.wrong()).as("%s: wrong answers", scenario).isZero();
		assertThat(calls.firstFailure()).as("%s: failed calls", scenario).isEmpty();
		HonestTally large = honest.nextLarge();
		HonestTally newcomers = honest.nextNewcomers();
		for (HonestTally each : List.of(large, newcomers)) {
			assertThat(each.summary().wrong()).as("%s: wrong answers to large calls", scenario).isZero();
			// a handshake beside all attacks is a question of time, which is not judged
			if (each == large || !scenario.equals(Scenario.TOGETHER)) {
				assertThat(each.summary().firstFailure()).as("%s: failed large calls", scenario).isEmpty();
			}
		}
		Figures[] after = new Figures[1];
		boolean isBack = Eventually.within(LONGEST, () -> {
			after[0] = victim.figures();
			return Recovery.isBack(before, after[0]);
		});
		assertThat(after[0].lostSince(before)).as("%s: threads that are gone", scenario).isEmpty();
		assertThat(isBack).as("%s: memory is as before: %s, %s", scenario, before, after[0]).isTrue();
		assertThat(honest.lostConnections()).as("%s: lost connections of the honest client", scenario).isZero();
		assertThat(victim.outOfMemory()).as(scenario).isEmpty();
		assertThat(victim.mostLines()).as("%s: lines about connections in a second", scenario)
			.isLessThanOrEqualTo(VictimProcess.MOST_LINES);
		survived = true;
	}

}
