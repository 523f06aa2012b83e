package io.rpcboot.loadbalance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.registry.ServiceInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ConsistentHashLoadBalancerTests {

	private static final int KEYS = 50_000;

	private final LoadBalancer balancer = balancer();

	private static LoadBalancer balancer() {
		return new ConsistentHashLoadBalancer((candidates) -> {
			throw new AssertionError("has a key");
		});
	}

	/** Instances that are asked for one key after the other. */
	private static final class Fleet extends LoadedCandidates {

		Fleet(List<ServiceInstance> instances) {
			super(new FakeCandidates(List.copyOf(instances), Set.of()));
		}

		static Fleet of(int... weights) {
			return new Fleet(IntStream.range(0, weights.length)
				.mapToObj((i) -> new ServiceInstance("i" + i, "shop", new Endpoint("10.0.0." + i, 9090), weights[i], 0,
						Set.of()))
				.toList());
		}

		static Fleet even(int size) {
			return of(IntStream.range(0, size).map((i) -> 100).toArray());
		}

		Fleet without(int index) {
			List<ServiceInstance> fewer = new ArrayList<>(instances());
			fewer.remove(index);
			return new Fleet(fewer);
		}

		/** For each key the instance. */
		List<Endpoint> owners(LoadBalancer balancer) {
			return IntStream.range(0, KEYS).mapToObj((i) -> owner(balancer, "user-" + i)).toList();
		}

		Endpoint owner(LoadBalancer balancer, String text) {
			this.key = text.hashCode();
			return instance(balancer.choose(this)).endpoint();
		}

		/** By instance the share of the keys, in relation to an even one. */
		double[] shares(LoadBalancer balancer) {
			List<Endpoint> owners = owners(balancer);
			return instances().stream()
				.mapToDouble((each) -> Collections.frequency(owners, each.endpoint()) * (double) size() / KEYS)
				.toArray();
		}

	}

	private static int moved(List<Endpoint> before, List<Endpoint> after) {
		return (int) IntStream.range(0, KEYS).filter((i) -> !before.get(i).equals(after.get(i))).count();
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 5, 10 })
	void keys_moveOnlyFromRemovedInstance(int size) {
		Fleet fleet = Fleet.even(size);
		List<Endpoint> before = fleet.owners(this.balancer);
		for (int gone = 0; gone < size; gone++) {
			List<Endpoint> after = fleet.without(gone).owners(this.balancer);
			int had = Collections.frequency(before, fleet.instance(gone).endpoint());
			assertThat(moved(before, after)).isEqualTo(had).isLessThanOrEqualTo((int) (1.2 * KEYS / size));
		}
	}

	@Test
	void shares_areNearlyEven() {
		for (double share : Fleet.even(10).shares(this.balancer)) {
			assertThat(share).isBetween(0.8, 1.2);
		}
		assertThat(Fleet.even(100).shares(this.balancer)).hasSize(100).doesNotContain(0.0);
	}

	@Test
	void shares_followWeights() {
		double[] shares = Fleet.of(100, 100, 400, 200).shares(this.balancer);
		assertThat(shares[2] / (shares[0] + shares[1])).isCloseTo(2, within(0.4));
		assertThat(shares[3] / (shares[0] + shares[1])).isCloseTo(1, within(0.25));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 100, 128, 1_000_000, Integer.MAX_VALUE })
	void shares_areNearlyEven_withAnyEqualWeight(int weight) {
		for (double share : Fleet.of(weight, weight, weight).shares(this.balancer)) {
			assertThat(share).isBetween(0.75, 1.25);
		}
	}

	@Test
	void clients_chooseAlike_withAnyOrderOfInstances() {
		Fleet fleet = Fleet.even(7);
		List<ServiceInstance> other = new ArrayList<>(fleet.instances());
		Collections.shuffle(other, new Random(1));
		assertThat(new Fleet(other).owners(balancer())).isEqualTo(fleet.owners(this.balancer));
	}

	/** All weights are fine then: an instance that starts has a share of its own. */
	@Test
	void keys_moveOnlyToStartingInstance() {
		Fleet whole = Fleet.even(5);
		List<Endpoint> before = whole.without(4).owners(this.balancer);
		List<Endpoint> end = whole.owners(this.balancer);
		int last = 0;
		for (int share : new int[] { 1000, 5000, 9000 }) {
			Fleet starting = Fleet.even(5);
			for (int i = 0; i < 5; i++) {
				starting.weights[i] = (i < 4) ? 10_000 : share;
			}
			List<Endpoint> now = starting.owners(this.balancer);
			int has = Collections.frequency(now, whole.instance(4).endpoint());
			assertThat(moved(before, now)).isEqualTo(has).isGreaterThan(last);
			assertThat(moved(now, end)).isEqualTo(moved(before, end) - has);
			last = has;
		}
	}

	@Test
	void hotKey_movesToNextInstance_aboveLoadBound() {
		Fleet fleet = Fleet.even(10);
		int[] hot = new int[10];
		fleet.key = "everybody".hashCode();
		for (int i = 0; i < 1000; i++) {
			int chosen = this.balancer.choose(fleet);
			fleet.pending[chosen]++;
			hot[chosen]++;
		}
		assertThat(IntStream.of(hot).max().orElseThrow()).as("at most 1.25 times the share").isLessThanOrEqualTo(126);
		assertThat(IntStream.of(hot).filter((calls) -> calls > 0).count()).isGreaterThanOrEqualTo(8);
	}

	@Test
	void key_staysOnItsInstance_withFewCalls() {
		Fleet fleet = Fleet.even(10);
		fleet.key = "one".hashCode();
		int own = this.balancer.choose(fleet);
		for (int i = 0; i < 4; i++) {
			assertThat(this.balancer.choose(fleet)).isEqualTo(own);
			fleet.pending[own]++;
		}
		assertThat(this.balancer.choose(fleet)).isNotEqualTo(own);
	}

	@Test
	void key_staysOnItsInstance_withoutLoadBound() {
		LoadBalancer unbounded = new ConsistentHashLoadBalancer(new RandomLoadBalancer(), Double.POSITIVE_INFINITY);
		Fleet fleet = Fleet.even(10);
		fleet.key = "one".hashCode();
		int own = unbounded.choose(fleet);
		fleet.pending[own] = 1_000_000;
		assertThat(unbounded.choose(fleet)).isEqualTo(own);
	}

	@Test
	void key_staysOnItsInstance_whenAllInstancesAreFull() {
		Fleet fleet = Fleet.even(1000);
		fleet.key = "one".hashCode();
		int own = this.balancer.choose(fleet);
		Arrays.fill(fleet.pending, 1_000); // more than when it looked
		assertThat(this.balancer.choose(fleet)).isEqualTo(own);
	}

	@Test
	void retriedCall_goesToNextInstance_untilAllWereTried() {
		Fleet fleet = Fleet.even(3);
		fleet.key = "one".hashCode();
		int own = this.balancer.choose(fleet);
		fleet.tried = Set.of(own);
		int next = this.balancer.choose(fleet);
		assertThat(next).isNotEqualTo(own);
		fleet.tried = Set.of(own, next);
		assertThat(this.balancer.choose(fleet)).isEqualTo(3 - own - next);
		fleet.tried = Set.of(0, 1, 2);
		assertThat(this.balancer.choose(fleet)).isEqualTo(own);
	}

	@Test
	void callWithoutKey_usesFallbackBalancer() {
		Fleet fleet = Fleet.even(3);
		assertThat(new ConsistentHashLoadBalancer((candidates) -> 2).choose(fleet)).isEqualTo(2);
	}

	@Test
	void balancer_choosesConsistently_withManyInstanceLists() {
		List<Fleet> fleets = IntStream.range(2, 40).mapToObj(Fleet::even).toList();
		for (int round = 0; round < 3; round++) {
			for (Fleet each : fleets) {
				assertThat(each.owner(this.balancer, "one")).isEqualTo(each.owner(balancer(), "one"));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(doubles = { 1, 0, -2, Double.NaN })
	void loadFactor_isRejected_unlessAboveOne(double factor) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ConsistentHashLoadBalancer(new RandomLoadBalancer(), factor))
			.withMessage("load factor %s (expected: more than 1)", factor);
	}

}
