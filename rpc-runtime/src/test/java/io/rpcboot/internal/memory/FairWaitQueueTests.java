package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what enters the pool that is kept for waiters that have earned it: 93 of 750
 * bytes, of which strangers may use 11 in each turn.
 */
class FairWaitQueueTests {

	private final MemoryBudget budget = new MemoryBudget(1000, 0);

	private final List<String> admitted = new ArrayList<>();

	private Waiter stranger(String name, long bytes) {
		return this.budget.reserveInTurn(Direction.INCOMING, bytes, () -> this.admitted.add(name));
	}

	private Waiter earned(String name, long bytes) {
		return this.budget.reserveInTurn(Direction.INCOMING, bytes, true, 0, () -> this.admitted.add(name));
	}

	@Test
	void waiterInTurn_isCounted_whenItEntersPool() {
		this.budget.tryReserve(Direction.INCOMING, 660);
		assertThat(earned("first", 40).passed).as("its bytes go back to the pool").isTrue();
		earned("second", 30);
		earned("small", 10);
		assertThat(this.admitted).as("each has at most half of the 53 that are left").containsExactly("first", "small");
		this.budget.returnPassed(Direction.INCOMING, 40);
		this.budget.release(Direction.INCOMING, 40);
		assertThat(this.admitted).containsExactly("first", "small", "second");
	}

	@Test
	void waitersInTurn_leaveRoomForSmallOnes_whenManyEnterPool() {
		this.budget.tryReserve(Direction.INCOMING, 658);
		for (int i = 0; i < 100; i++) {
			earned("large", 23);
		}
		earned("small", 5);
		assertThat(this.admitted).as("of 93 bytes").containsExactly("large", "large", "large", "small");
	}

	@Test
	void strangersInTurn_areCounted_whenTheyEnterPool() {
		stranger("first", 657);
		for (int i = 0; i < 100; i++) {
			stranger("stranger", 11);
		}
		assertThat(this.admitted).as("an eighth of the pool").containsExactly("first", "stranger");
		earned("earned", 30);
		assertThat(this.admitted).containsExactly("first", "stranger", "earned");
	}

	@Test
	void strangers_getNoOtherShare_whenWaiterInTurnCancels() {
		this.budget.tryReserve(Direction.INCOMING, 700);
		Waiter gone = stranger("gone", 600);
		for (int i = 0; i < 100; i++) {
			stranger("stranger", 11);
			assertThat(this.budget.cancel(gone)).isTrue();
			gone = stranger("gone", 600);
		}
		assertThat(this.admitted).containsExactly("stranger");
	}

	@Test
	void strangers_getAnotherShare_inNextTurn() {
		stranger("first", 650);
		stranger("second", 600);
		stranger("third", 600);
		stranger("stranger", 11);
		stranger("stranger", 11);
		assertThat(this.admitted).containsExactly("first", "stranger");
		this.budget.release(Direction.INCOMING, 650);
		assertThat(this.admitted).containsExactly("first", "stranger", "second", "stranger");
	}

	@Test
	void newestUnusedWaiter_hasItsTurn_behindManyThatUsedMemory() {
		this.budget.tryReserve(Direction.INCOMING, 700);
		stranger("first", 600);
		stranger("unused", 600);
		for (int i = 0; i < 100; i++) {
			this.budget.reserveInTurn(Direction.INCOMING, 600, false, 1, () -> this.admitted.add("used"));
		}
		this.budget.release(Direction.INCOMING, 700);
		this.budget.release(Direction.INCOMING, 600);
		assertThat(this.admitted).containsExactly("first", "unused");
	}

}
