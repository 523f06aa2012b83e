package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Owners that take turns in what goes out. */
class RoundRobinQueueTests {

	private final MemoryBudget account = new MemoryBudget(1000, 0);

	private final List<String> admitted = new ArrayList<>();

	/** Its name is its owner. */
	private Waiter waiterOf(String owner, long bytes) {
		return this.account.reserveInTurnOf(owner, bytes, false, (waiter) -> this.admitted.add(owner));
	}

	private Waiter earnedOf(String owner, long bytes) {
		return this.account.reserveInTurnOf(owner, bytes, true, (waiter) -> this.admitted.add(owner));
	}

	@Test
	void owners_takeTurns() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		for (int i = 0; i < 1000; i++) {
			waiterOf("many", 650);
		}
		waiterOf("newcomer", 650);
		waiterOf("newcomer", 650);
		for (int i = 0; i < 5; i++) {
			this.account.release(Direction.OUTGOING, (i == 0) ? 700 : 650);
		}
		assertThat(this.admitted).containsExactly("many", "newcomer", "many", "newcomer", "many");
	}

	@Test
	void owner_keepsTurn_whenItsFirstWaiterCancels() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		Waiter first = waiterOf("one", 100);
		waiterOf("one", 200);
		waiterOf("other", 650);
		assertThat(this.account.cancel(first)).isTrue();
		assertThat(this.account.cancel(first)).as("twice").isFalse();
		this.account.release(Direction.OUTGOING, 150);
		assertThat(this.admitted).containsExactly("one");
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(750);
	}

	@Test
	void earnedOwners_getEveryOtherTurn() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		for (int i = 0; i < 100; i++) {
			waiterOf("stranger " + i, 650);
		}
		earnedOf("one", 650);
		earnedOf("one", 650);
		earnedOf("two", 650);
		for (int i = 0; i < 7; i++) {
			this.account.release(Direction.OUTGOING, (i == 0) ? 700 : 650);
		}
		assertThat(this.admitted).containsExactly("one", "stranger 0", "two", "stranger 1", "one", "stranger 2",
				"stranger 3");
	}

	private Waiter waiter(Object owner, boolean earned, String name) {
		return this.account.reserveInTurnOf(owner, 650, earned, (waiter) -> this.admitted.add(name));
	}

	private void turns(int count) {
		for (int i = 0; i < count; i++) {
			this.account.release(Direction.OUTGOING, this.account.used(Direction.OUTGOING));
		}
	}

	@Test
	void waitersOfOwner_keepOrder_whenOwnerEarnsTurnsMeanwhile() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		for (int i = 1; i <= 4; i++) {
			waiter("reader", i > 1, "reader " + i);
		}
		waiter("stranger", false, "stranger 1");
		waiter("stranger", false, "stranger 2");
		turns(6);
		assertThat(this.admitted).as("one place, among strangers until its first waiter was admitted")
			.containsExactly("reader 1", "reader 2", "stranger 1", "reader 3", "stranger 2", "reader 4");
	}

	@Test
	void owner_hasOnePlace_whenItLosesEarnedTurns() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		for (int i = 1; i <= 4; i++) {
			waiter("hoarder", i <= 2, "hoarder " + i);
		}
		waiter("one", false, "one");
		waiter("two", false, "two");
		turns(6);
		assertThat(this.admitted).containsExactly("hoarder 1", "one", "hoarder 2", "two", "hoarder 3", "hoarder 4");
	}

	@Test
	void owner_changesPlace_whenItsFirstWaiterCancels() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		Waiter gone = waiter("hoarder", true, "gone");
		waiter("hoarder", false, "hoarder");
		waiter("one", false, "one");
		waiter("reader", true, "reader");
		assertThat(this.account.cancel(gone)).isTrue();
		turns(3);
		assertThat(this.admitted).containsExactly("reader", "one", "hoarder");
	}

	@Test
	void largeWaiter_isPassedOnceByEarnedOwners() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		waiterOf("large", 600);
		for (int i = 0; i < 10; i++) {
			earnedOf("small " + i, 50);
		}
		this.account.release(Direction.OUTGOING, 200);
		assertThat(this.admitted).as("room for four small ones").containsExactly("small 0");
		this.account.release(Direction.OUTGOING, 500);
		assertThat(this.admitted).startsWith("small 0", "large", "small 1");
	}

	@Test
	void waiterWithTurn_keepsTurn_untilMemorySuffices() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		waiterOf("large", 600);
		for (int i = 0; i < 10; i++) {
			waiterOf("small " + i, 10);
		}
		this.account.release(Direction.OUTGOING, 500);
		assertThat(this.admitted).as("room for the small ones").isEmpty();
		this.account.release(Direction.OUTGOING, 100);
		assertThat(this.admitted).startsWith("large", "small 0").hasSize(6);
	}

	/** Strangers that release nothing leave it to the others. */
	@Test
	void earnedOwners_passInPool() {
		this.account.keepForEarned(0);
		assertThat(this.account.tryReserveOutgoing(700, false)).as("of the pool").isFalse();
		assertThat(this.account.tryReserveOutgoing(650, false)).isTrue();
		waiterOf("stranger", 50);
		earnedOf("large", 50);
		assertThat(this.admitted).as("over half of the pool").isEmpty();
		this.account.release(Direction.OUTGOING, 50);
		assertThat(this.admitted).containsExactly("large");
		Waiter first = earnedOf("one", 40);
		Waiter second = earnedOf("two", 40);
		earnedOf("two", 20);
		assertThat(this.admitted).as("half of what is left").containsExactly("large", "one");
		assertThat(first.passedBytes()).isEqualTo(40);
		this.account.returnPassed(Direction.OUTGOING, 40);
		this.account.release(Direction.OUTGOING, 40);
		assertThat(this.admitted).containsExactly("large", "one", "two", "two");
		assertThat(second.passedBytes()).isEqualTo(40);
		this.account.release(Direction.OUTGOING, 100);
		assertThat(this.admitted).endsWith("stranger");
	}

	@Test
	void largestReservation_fitsBesidePool() {
		MemoryBudget small = new MemoryBudget(1000, 0);
		small.keepForEarned(740);
		assertThat(small.tryReserveOutgoing(740, false)).isTrue();
		assertThat(small.tryReserveOutgoing(10, false)).isFalse();
		assertThat(small.tryReserveOutgoing(10, true)).isTrue();
	}

}
