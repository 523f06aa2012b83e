package io.rpcboot.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import io.rpcboot.fixture.Eventually;
import io.rpcboot.hostile.attack.AttackCounts;
import io.rpcboot.hostile.attack.RandomRole;
import io.rpcboot.hostile.attack.Role;
import io.rpcboot.hostile.attack.Swarm;
import io.rpcboot.hostile.victim.Figures;
import io.rpcboot.hostile.victim.HonestClient;
import io.rpcboot.hostile.victim.HonestTally;
import io.rpcboot.hostile.victim.Recovery;
import io.rpcboot.hostile.victim.VictimProcess;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever peers do, the engine takes no more memory than <pre>
 * account + connections x 8 KiB + threads x 64 KiB
 * </pre> in the heap and outside of it.
 * <p>
 * The server runs in a process of its own, of which nothing but the engine takes memory:
 * results are objects that are there before. Peers play {@link RandomRole}. Again and
 * again the process collects garbage and says what is in use then, so what is measured is
 * what is reachable; of pooled buffers it is what is lent. The heap is far larger than
 * the account, so that a broken law is a number and not the end of the process.
 */
@Timeout(120)
class MemoryLawIntegrationTests {

	private static final int HEAP_MEGABYTES = 512;

	private static final long ACCOUNT = 24 << 20;

	private static final long OF_A_CONNECTION = 8 << 10;

	private static final long OF_A_THREAD = 64 << 10;

	/** For what the JVM loads and compiles, and the log. */
	private static final long CHANCE = 5 << 20;

	private static final int CONNECTIONS = 40;

	private static final int NEW_PER_SECOND = 100;

	private static final Duration TIME = Duration.ofSeconds(3);

	private static final Duration LONGEST = Duration.ofSeconds(20);

	private static final int WARM_UP_CALLS = 2000;

	/** One that never changes and one of today, or the one that is asked for. */
	static LongStream seeds() {
		Long asked = Long.getLong("hostile.seed");
		return (asked != null) ? LongStream.of(asked) : LongStream.of(2, System.nanoTime());
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void engineMemory_staysWithinBound_withRandomPeers(long seed) throws Exception {
		Path log = Path.of("target", "hostile-law", "victim-%d.log".formatted(seed));
		try (VictimProcess victim = new VictimProcess(HEAP_MEGABYTES, ACCOUNT, true, log);
				HonestClient honest = new HonestClient(victim.port(), 100, LONGEST, false)) {
			assertThat(honest.areRight(WARM_UP_CALLS)).isTrue();
			Figures before = victim.figures();
			honest.next();
			CompletableFuture<AttackCounts.Total> attack = attack(victim.port(), seed);
			List<String> broken = new ArrayList<>();
			int looks = 0;
			while (!attack.isDone()) {
				Figures now = victim.figures();
				looks++;
				if (used(now) > allowed(before, now)) {
					broken.add("%s MB in use, %s MB allowed: %s".formatted(Figures.megabytes(used(now)),
							Figures.megabytes(allowed(before, now)), now));
				}
			}
			HonestTally beside = honest.next();
			assertThat(attack.get().connections()).as("connections of the attack").isGreaterThan(CONNECTIONS / 2);
			assertThat(looks).as("looks at the memory").isPositive();
			assertThat(broken).as("seed %d: the law is broken in %d of %d looks", seed, broken.size(), looks).isEmpty();
			assertThat(victim.outOfMemory()).as("seed %d", seed).isEmpty();
			assertThat(honest.areRight(20)).as("seed %d: answers after the attack", seed).isTrue();
			assertThat(beside.summary().wrong()).as("seed %d: wrong answers", seed).isZero();
			assertThat(beside.summary().firstFailure()).as("seed %d", seed).isEmpty();
			Eventually.until("seed %d: memory is as before: %s".formatted(seed, before), LONGEST,
					() -> Recovery.isBack(before, victim.figures()));
			assertThat(victim.figures().lostSince(before)).as("seed %d: threads that are gone", seed).isEmpty();
		}
	}

	private static CompletableFuture<AttackCounts.Total> attack(int port, long seed) {
		AttackCounts counts = new AttackCounts();
		Random seeds = new Random(seed);
		Supplier<Role> roles = () -> new RandomRole(counts, seeds.nextLong());
		Swarm swarm = new Swarm(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), roles, CONNECTIONS,
				NEW_PER_SECOND, counts);
		return CompletableFuture.supplyAsync(() -> {
			try {
				swarm.run(TimeUnit.MILLISECONDS.toNanos(TIME.toMillis()));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return counts.total();
		});
	}

	private static long used(Figures figures) {
		return figures.heap() + figures.direct();
	}

	/** Connections that were closed a moment ago may not be counted any more. */
	private static long allowed(Figures before, Figures now) {
		long connections = Math.max(now.connections(), CONNECTIONS);
		return used(before) + ACCOUNT + connections * OF_A_CONNECTION + now.threads().size() * OF_A_THREAD + CHANCE;
	}

}
