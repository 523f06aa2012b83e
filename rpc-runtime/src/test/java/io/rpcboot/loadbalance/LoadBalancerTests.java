package io.rpcboot.loadbalance;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadBalancerTests {

	private static final int CHOICES = 100_000;

	private static Candidates instances(int... weights) {
		return instances(Set.of(), weights);
	}

	private static Candidates instances(Set<Integer> tried, int... weights) {
		return FakeCandidates.of(tried, weights);
	}

	private static int[] counts(LoadBalancer balancer, Candidates candidates) {
		int[] counts = new int[candidates.size()];
		for (int i = 0; i < CHOICES; i++) {
			counts[balancer.choose(candidates)]++;
		}
		return counts;
	}

	@Test
	void singleInstance_isChosen() {
		assertThat(new RandomLoadBalancer().choose(instances(1))).isZero();
		assertThat(new RoundRobinLoadBalancer().choose(instances(1))).isZero();
	}

	@Test
	void random_sharesEqually_withEqualWeights() {
		for (int count : counts(new RandomLoadBalancer(), instances(100, 100, 100, 100))) {
			assertThat(count).isCloseTo(CHOICES / 4, Offset.offset(1500));
		}
	}

	@Test
	void random_sharesInProportionToWeights() {
		int[] counts = counts(new RandomLoadBalancer(), instances(1, 2, 7));
		assertThat(counts[0]).isCloseTo(CHOICES / 10, Offset.offset(1500));
		assertThat(counts[1]).isCloseTo(CHOICES / 5, Offset.offset(1500));
		assertThat(counts[2]).isCloseTo(CHOICES * 7 / 10, Offset.offset(1500));
	}

	@Test
	void random_supportsLargestWeights() {
		int[] counts = counts(new RandomLoadBalancer(), instances(Integer.MAX_VALUE, Integer.MAX_VALUE, 1));
		assertThat(counts[0]).isCloseTo(CHOICES / 2, Offset.offset(1500));
		assertThat(counts[1]).isCloseTo(CHOICES / 2, Offset.offset(1500));
	}

	@Test
	void random_avoidsTriedInstances() {
		int[] counts = counts(new RandomLoadBalancer(), instances(Set.of(0, 2), 100, 50, 100, 150));
		assertThat(counts[0] + counts[2]).isZero();
		assertThat(counts[1]).isCloseTo(CHOICES / 4, Offset.offset(1500));
		assertThat(counts(new RandomLoadBalancer(), instances(Set.of(1), 100, 100))).containsExactly(CHOICES, 0);
	}

	@Test
	void random_choosesAnyInstance_whenAllWereTried() {
		int[] counts = counts(new RandomLoadBalancer(), instances(Set.of(0, 1), 100, 50));
		assertThat(counts[0]).isCloseTo(CHOICES / 2, Offset.offset(1500));
	}

	@Test
	void roundRobin_skipsTriedInstances() {
		RoundRobinLoadBalancer balancer = new RoundRobinLoadBalancer();
		Candidates candidates = instances(Set.of(0, 2), 1, 1, 1, 1);
		assertThat(IntStream.range(0, 4).map((i) -> balancer.choose(candidates))).containsExactly(1, 1, 3, 3);
		Candidates all = instances(Set.of(0, 1), 1, 1);
		assertThat(IntStream.range(0, 100).map((i) -> balancer.choose(all))).allMatch((each) -> each == 0 || each == 1);
	}

	@Test
	void roundRobin_ignoresWeights() {
		RoundRobinLoadBalancer balancer = new RoundRobinLoadBalancer();
		Candidates candidates = instances(1, 50, 100);
		assertThat(IntStream.range(0, 7).map((i) -> balancer.choose(candidates))).containsExactly(0, 1, 2, 0, 1, 2, 0);
	}

	@Test
	void roundRobin_staysInBounds_whenListChanges() {
		RoundRobinLoadBalancer balancer = new RoundRobinLoadBalancer();
		for (int i = 0; i < 100; i++) {
			int size = 1 + i % 5;
			assertThat(balancer.choose(instances(new int[size]))).isBetween(0, size - 1);
		}
	}

	@Test
	void roundRobin_isFairAmongThreads() throws InterruptedException {
		RoundRobinLoadBalancer balancer = new RoundRobinLoadBalancer();
		Candidates candidates = instances(1, 1, 1, 1);
		ConcurrentLinkedQueue<Integer> chosen = new ConcurrentLinkedQueue<>();
		List<Thread> threads = IntStream.range(0, 4).mapToObj((t) -> new Thread(() -> {
			for (int i = 0; i < 1000; i++) {
				chosen.add(balancer.choose(candidates));
			}
		})).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		for (int index = 0; index < 4; index++) {
			assertThat(chosen).filteredOn(Integer.valueOf(index)::equals).hasSize(1000);
		}
	}

}
