package io.rpcboot.loadbalance;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Shares of the balancer that compares two instances. */
class PowerOfTwoLoadBalancerTests {

	private static final int CHOICES = 200_000;

	/** Difference of shares of equal instances; chance alone makes one of 1 %. */
	private static final Percentage EQUAL = Percentage.withPercentage(5);

	private static final long MICRO = 1000;

	private static final long MILLI = 1000 * MICRO;

	private final LoadBalancer balancer = new PowerOfTwoLoadBalancer();

	private static LoadedCandidates instances(int... weights) {
		return new LoadedCandidates(FakeCandidates.of(Set.of(), weights));
	}

	/** Returns the calls of each instance, of which some are pending at each choice. */
	private int[] counts(LoadedCandidates candidates, int pending, BiConsumer<LoadedCandidates, Random> before) {
		Random random = new Random(7);
		int[] counts = new int[candidates.size()];
		Deque<Integer> open = new ArrayDeque<>();
		for (int i = 0; i < CHOICES; i++) {
			before.accept(candidates, random);
			int chosen = this.balancer.choose(candidates);
			counts[chosen]++;
			open.add(chosen);
			candidates.pending[chosen]++;
			if (open.size() > pending) {
				candidates.pending[open.remove()]--;
			}
		}
		return counts;
	}

	private static void measures(LoadedCandidates candidates, long latencyNanos, double noise, Random random) {
		for (int i = 0; i < candidates.size(); i++) {
			candidates.latencyNanos[i] = Math.round(latencyNanos * (1 + noise * random.nextDouble()));
		}
	}

	static List<Arguments> equalInstances() {
		BiConsumer<LoadedCandidates, Random> nothing = (all, random) -> {
		};
		BiConsumer<LoadedCandidates, Random> fixed = (all, random) -> {
			all.latencyNanos[0] = 10 * MILLI;
			all.latencyNanos[1] = 11 * MILLI;
		};
		BiConsumer<LoadedCandidates, Random> micros = (all, random) -> {
			all.latencyNanos[0] = 100 * MICRO;
			all.latencyNanos[1] = 900 * MICRO;
		};
		BiConsumer<LoadedCandidates, Random> oneKnown = (all, random) -> all.latencyNanos[1] = 40 * MILLI;
		BiConsumer<LoadedCandidates, Random> rareFailures = (all, random) -> {
			all.successes[0] = 500;
			all.successes[1] = 500;
			all.failures[1] = 3;
		};
		return List.of(arguments("nothing is measured", 2, 0, nothing),
				arguments("nothing is measured, calls are pending", 2, 15, nothing),
				arguments("latencies differ by a tenth for a long time", 2, 0, fixed),
				arguments("latencies differ by a tenth, calls are pending", 2, 15, fixed),
				arguments("latencies are short and of noise", 2, 0, micros),
				arguments("latencies are short and of noise, calls are pending", 2, 3, micros),
				arguments("latencies waver", 2, 0,
						(BiConsumer<LoadedCandidates, Random>) (all, random) -> measures(all, 5 * MILLI, 0.9, random)),
				arguments("one latency is unknown", 2, 0, oneKnown),
				arguments("one of them has failed sometimes", 2, 0, rareFailures),
				arguments("they are five", 5, 0, nothing),
				arguments("they are five, calls are pending", 5, 40, nothing));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("equalInstances")
	void equalInstances_getEqualShares(String how, int instances, int pending,
			BiConsumer<LoadedCandidates, Random> before) {
		int[] weights = new int[instances];
		Arrays.fill(weights, 100);
		int[] counts = counts(instances(weights), pending, before);
		for (int count : counts) {
			assertThat(count).as(how).isCloseTo(counts[0], EQUAL);
		}
	}

	/**
	 * A weight counts although no call is pending, as at night or in a slow start.
	 */
	@ParameterizedTest
	@CsvSource({ "100, 200, 0", "100, 300, 0", "1, 10, 0", "100, 200, 60", "50, 100, 30" })
	void instances_getSharesByWeight(int one, int other, int pending) {
		int[] counts = counts(instances(one, other), pending, (all, random) -> {
		});
		assertThat((double) counts[0] / CHOICES).isCloseTo((double) one / (one + other), Percentage.withPercentage(6));
	}

	@ParameterizedTest
	@CsvSource({ "3, 9, 0", "3, 9, 1", "10, 400, 0", "10, 400, 9", "0, 3, 0", "1, 400, 30" })
	void slowInstanceOfTwo_leavesTheChoice(int fastMillis, int slowMillis, int pending) {
		int[] counts = counts(instances(100, 100), pending, (all, random) -> {
			all.latencyNanos[0] = Math.max(1, fastMillis * MILLI);
			all.latencyNanos[1] = slowMillis * MILLI;
		});
		double most = (pending < 2) ? 0 : 1.1 * Math.max(1, fastMillis) / (slowMillis + fastMillis);
		assertThat((double) counts[1] / CHOICES).isLessThanOrEqualTo(most);
	}

	@Test
	void failingInstanceOfTwo_leavesTheChoice() {
		int[] counts = counts(instances(100, 100), 0, (all, random) -> {
			all.successes[0] = 100;
			all.successes[1] = 60;
			all.failures[1] = 40;
		});
		assertThat(counts).containsExactly(CHOICES, 0);
	}

	@Test
	void fewestPendingCalls_decide_whenSpeedsAreAlike() {
		LoadedCandidates candidates = instances(100, 100);
		candidates.pending[0] = 4;
		candidates.pending[1] = 3;
		for (int i = 0; i < 100; i++) {
			assertThat(this.balancer.choose(candidates)).isEqualTo(1);
		}
	}

}
