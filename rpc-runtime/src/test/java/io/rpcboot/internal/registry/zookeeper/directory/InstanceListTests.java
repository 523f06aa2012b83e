package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

class InstanceListTests {

	private static final long GRACE = 100;

	/** Near the overflow of the clock: comparisons must be by difference. */
	private static final long START = Long.MAX_VALUE - 50;

	private final InstanceList list = new InstanceList(GRACE);

	private long now = START;

	private final ServiceInstance a = instance("a", 1, 10);

	private final ServiceInstance b = instance("b", 2, 10);

	@Test
	void newInstances_areAddedAtOnceInOrderOfIds() {
		update(this.b);
		assertThat(ids()).containsExactly("b");
		update(this.b, this.a);
		assertThat(ids()).containsExactly("a", "b");
		assertThat(this.list.nextExpiry()).isEmpty();
	}

	@Test
	void vanishedInstance_stays_duringGracePeriod() {
		update(this.a, this.b);
		update(this.b);
		assertThat(ids()).containsExactly("a", "b");
		assertThat(this.list.nextExpiry()).hasValue(START + GRACE);
		expireAt(GRACE - 1);
		assertThat(ids()).containsExactly("a", "b");
		expireAt(GRACE);
		assertThat(ids()).containsExactly("b");
		assertThat(this.list.nextExpiry()).isEmpty();
	}

	@Test
	void gracePeriod_isNotProlongedByFurtherUpdates() {
		update(this.a, this.b);
		update(this.b);
		this.now = START + GRACE - 1;
		update(this.b);
		assertThat(ids()).containsExactly("a", "b");
		this.now = START + GRACE;
		update(this.b);
		assertThat(ids()).containsExactly("b");
	}

	@Test
	void deletionFollowedByCreation_leavesListUnchanged() {
		update(this.a, this.b);
		List<ServiceInstance> before = this.list.snapshot();
		update(this.b);
		assertThat(this.list.snapshot()).isEqualTo(before);
		update(this.a, this.b);
		assertThat(this.list.snapshot()).isEqualTo(before);
		expireAt(10 * GRACE);
		assertThat(this.list.snapshot()).isEqualTo(before);
		assertThat(this.list.nextExpiry()).isEmpty();
	}

	@Test
	void restartedProcess_replacesPredecessorAtOnce() {
		update(this.a, this.b);
		update(this.b);
		ServiceInstance next = instance("z", 1, 20);
		update(this.b, next);
		assertThat(ids()).containsExactly("b", "z");
		assertThat(this.list.nextExpiry()).isEmpty();
	}

	@Test
	void olderInstance_isDropped_whenNewerHasSameEndpoint() {
		update(instance("z-old", 1, 5), this.a, instance("m", 1, 7));
		assertThat(ids()).containsExactly("a");
		update(instance("z-old", 1, 5), this.a, instance("new", 1, 11));
		assertThat(ids()).containsExactly("new");
	}

	@Test
	void equalStartTimes_areResolvedAlikeInAnyOrder() {
		update(instance("x", 1, 5), instance("y", 1, 5));
		List<ServiceInstance> one = this.list.snapshot();
		update(instance("y", 1, 5), instance("x", 1, 5));
		assertThat(this.list.snapshot()).isEqualTo(one).hasSize(1);
	}

	@Test
	void changedInstance_replacesItsOldData() {
		update(this.a);
		ServiceInstance heavier = new ServiceInstance("a", "shop", this.a.endpoint(), 99, 10, this.a.services());
		update(heavier);
		assertThat(this.list.snapshot()).containsExactly(heavier);
	}

	@Test
	void equalIds_areDistinctAcrossApplications() {
		ServiceInstance other = new ServiceInstance("a", "other", new Endpoint("h", 9), 1, 0, Set.of());
		update(this.a, other);
		assertThat(this.list.snapshot()).containsExactlyInAnyOrder(this.a, other);
	}

	@Test
	void lastInstances_areKept_untilListIsFilledAgain() {
		update(this.a, this.b);
		update();
		assertThat(this.list.isKeptInsteadOfEmpty()).isFalse();
		expireAt(GRACE);
		assertThat(this.list.isKeptInsteadOfEmpty()).isTrue();
		assertThat(ids()).containsExactly("a", "b");
		ServiceInstance c = instance("c", 3, 0);
		update(c);
		assertThat(this.list.isKeptInsteadOfEmpty()).isFalse();
		assertThat(ids()).containsExactly("c");
	}

	@Test
	void neverFilledList_isEmpty() {
		update();
		assertThat(ids()).isEmpty();
		assertThat(this.list.isKeptInsteadOfEmpty()).isFalse();
	}

	@Test
	void vanishedInstances_stayLonger_afterOutage() {
		update(this.a, this.b);
		this.list.update(List.of(this.b), this.now, START + 5 * GRACE);
		expireAt(5 * GRACE - 1);
		assertThat(ids()).containsExactly("a", "b");
		expireAt(5 * GRACE);
		assertThat(ids()).containsExactly("b");
	}

	@Test
	void vanishedInstance_leavesAtOnce_withoutGracePeriod() {
		InstanceList strict = new InstanceList(0);
		strict.update(List.of(this.a, this.b), START, START - 1);
		strict.update(List.of(this.b), START, START - 1);
		assertThat(strict.snapshot()).containsExactly(this.b);
	}

	private void update(ServiceInstance... listed) {
		this.list.update(Arrays.asList(listed), this.now, START - 1);
	}

	private void expireAt(long offset) {
		this.now = START + offset;
		this.list.expire(this.now);
	}

	private List<String> ids() {
		return this.list.snapshot().stream().map(ServiceInstance::id).toList();
	}

	private static ServiceInstance instance(String id, int port, long startedAt) {
		return new ServiceInstance(id, "shop", new Endpoint("10.0.0.1", port), 1, startedAt,
				Set.of(new ServiceId("com.acme.UserService", "", "")));
	}

}
