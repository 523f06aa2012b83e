package io.rpcboot.loadbalance;

import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Balancers that look at what the instances have to do. */
class LoadAwareBalancerTests {

	private static final int CHOICES = 30_000;

	private static final long MILLI = 1_000_000;

	private final LoadBalancer leastPending = new LeastPendingLoadBalancer();

	private final LoadBalancer powerOfTwo = new PowerOfTwoLoadBalancer();

	private static LoadedCandidates instances(Set<Integer> tried, int... weights) {
		return new LoadedCandidates(FakeCandidates.of(tried, weights));
	}

	private static int[] counts(LoadBalancer balancer, Candidates candidates) {
		int[] counts = new int[candidates.size()];
		for (int i = 0; i < CHOICES; i++) {
			counts[balancer.choose(candidates)]++;
		}
		return counts;
	}

	@Test
	void equalInstances_getEqualShares() {
		for (LoadBalancer each : List.of(this.leastPending, this.powerOfTwo)) {
			for (int count : counts(each, instances(Set.of(), 100, 100, 100))) {
				assertThat(count).as(each.getClass().getSimpleName()).isCloseTo(CHOICES / 3, Offset.offset(1000));
			}
			assertThat(each.choose(instances(Set.of(), 100))).isZero();
		}
	}

	@Test
	void leastPending_choosesFewestCallsByWeight() {
		LoadedCandidates candidates = instances(Set.of(), 100, 100, 300);
		candidates.pending[0] = 3;
		candidates.pending[1] = 2;
		candidates.pending[2] = 9;
		assertThat(counts(this.leastPending, candidates)).containsExactly(0, CHOICES, 0);
		candidates.pending[2] = 7;
		assertThat(counts(this.leastPending, candidates)).containsExactly(0, 0, CHOICES);
	}

	@Test
	void powerOfTwo_choosesCheaperInstance() {
		LoadedCandidates candidates = instances(Set.of(), 100, 100, 100);
		candidates.latencyNanos[0] = 200 * MILLI;
		candidates.latencyNanos[1] = 2 * MILLI;
		candidates.latencyNanos[2] = 2 * MILLI;
		assertThat(counts(this.powerOfTwo, candidates)[0]).as("the dearest of three").isZero();
		candidates.pending[1] = 1000;
		int[] counts = counts(this.powerOfTwo, candidates);
		assertThat(counts[1]).as("slower by what waits there").isZero();
		assertThat(counts[2]).isCloseTo(CHOICES * 2 / 3, Offset.offset(1000));
	}

	@Test
	void fastFailingInstance_attractsNoCalls() {
		LoadedCandidates candidates = instances(Set.of(), 100, 100);
		candidates.failures[0] = 20;
		candidates.latencyNanos[1] = 2 * MILLI;
		candidates.pending[1] = 50;
		assertThat(counts(this.powerOfTwo, candidates)).containsExactly(0, CHOICES);
		candidates.failures[0] = 0.5;
		assertThat(counts(this.powerOfTwo, candidates)[0]).as("tried again when its failures fade").isEqualTo(CHOICES);
	}

	@Test
	void retriedCall_avoidsTriedInstances() {
		for (LoadBalancer each : List.of(this.leastPending, this.powerOfTwo)) {
			LoadedCandidates candidates = instances(Set.of(0, 2), 100, 100, 100, 100);
			candidates.pending[1] = 1000;
			candidates.pending[3] = 1000;
			int[] counts = counts(each, candidates);
			assertThat(counts[0] + counts[2]).as(each.getClass().getSimpleName()).isZero();
			assertThat(counts(each, instances(Set.of(0), 100, 100))).containsExactly(0, CHOICES);
			int[] all = counts(each, instances(Set.of(0, 1), 100, 100));
			assertThat(IntStream.of(all)).allMatch((count) -> count > CHOICES / 4);
		}
	}

	/** Calls arrive at random, one instance is a hundred times slower than the others. */
	@Test
	void slowInstance_getsFewCalls() {
		assertThat(shareOfSlow(this.powerOfTwo)).isLessThan(0.01);
		assertThat(shareOfSlow(this.leastPending)).isLessThan(0.06);
		assertThat(shareOfSlow(new RandomLoadBalancer())).as("what it is without").isGreaterThan(0.3);
	}

	private static double shareOfSlow(LoadBalancer balancer) {
		record End(long at, int index, long took) {
		}
		Random random = new Random(7);
		LoadedCandidates candidates = instances(Set.of(), 100, 100, 100);
		PriorityQueue<End> under = new PriorityQueue<>((a, b) -> Long.compare(a.at(), b.at()));
		long now = 0;
		int slow = 0;
		int calls = 0;
		for (int i = 0; i < 20_000; i++) {
			now += (long) (-Math.log(1 - random.nextDouble()) * MILLI * 1000 / 300);
			while (!under.isEmpty() && under.peek().at() <= now) {
				End end = under.poll();
				candidates.pending[end.index()]--;
				long before = candidates.latencyNanos[end.index()];
				candidates.latencyNanos[end.index()] = (before == 0) ? end.took() : (before * 9 + end.took()) / 10;
			}
			int chosen = balancer.choose(candidates);
			long took = ((chosen == 0) ? 200 : 2) * MILLI;
			candidates.pending[chosen]++;
			under.add(new End(now + took, chosen, took));
			calls += (i >= 1000) ? 1 : 0;
			slow += (i >= 1000 && chosen == 0) ? 1 : 0;
		}
		return (double) slow / calls;
	}

}
