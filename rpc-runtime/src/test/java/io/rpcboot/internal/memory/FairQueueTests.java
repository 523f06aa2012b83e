package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the turns of connections, the same in both directions, and their pool: 93 of 750
 * bytes, of which new connections may use 11 in each turn.
 */
@ParameterizedClass
@EnumSource(Direction.class)
class FairQueueTests {

	private final Direction direction;

	private final MemoryBudget budget = new MemoryBudget(1000, 0);

	private final List<String> admitted = new ArrayList<>();

	FairQueueTests(Direction direction) {
		this.direction = direction;
	}

	@BeforeEach
	void keepPool() {
		this.budget.keepForEarned(0);
	}

	/** A reservation of a connection of that name. */
	private Waiter reserve(String name, long bytes, boolean earned) {
		return this.budget.reserveInTurnOf(name, this.direction, bytes, earned, (waiter) -> this.admitted.add(name));
	}

	private Waiter newcomer(String name, long bytes) {
		return reserve(name, bytes, false);
	}

	private Waiter established(String name, long bytes) {
		return reserve(name, bytes, true);
	}

	private void fill(long bytes) {
		assertThat(this.budget.tryReserveAtOnce(this.direction, bytes)).isTrue();
	}

	private void release(long bytes) {
		this.budget.release(this.direction, bytes);
	}

	/** Releases the memory in use, again and again. */
	private void turns(int count) {
		for (int i = 0; i < count; i++) {
			release(this.budget.used(this.direction));
		}
	}

	@Test
	void connections_takeTurns_howeverManyReservationsEachHas() {
		fill(700);
		for (int i = 0; i < 1000; i++) {
			newcomer("many", 650);
		}
		newcomer("other", 650);
		newcomer("other", 650);
		turns(5);
		assertThat(this.admitted).containsExactly("many", "other", "many", "other", "many");
	}

	@Test
	void establishedConnections_getEveryOtherTurn() {
		fill(700);
		for (int i = 0; i < 100; i++) {
			newcomer("new " + i, 650);
		}
		established("one", 650);
		established("one", 650);
		established("two", 650);
		turns(7);
		assertThat(this.admitted).as("new ones from both ends")
			.containsExactly("new 0", "new 99", "one", "new 1", "two", "new 98", "one");
	}

	@Test
	void establishedConnections_shareTurnsByBytes() {
		fill(750);
		for (int i = 0; i < 9; i++) {
			established("large", 300);
			established("small", 100);
		}
		turns(6);
		assertThat(this.admitted).startsWith("large", "small", "small", "small", "large", "small", "small", "small",
				"large");
	}

	@Test
	void smallestRequestOfNewConnections_goesFirst_theNewestOfEqualOnes() {
		fill(700);
		for (int i = 0; i < 100; i++) {
			newcomer("large " + i, 600);
		}
		newcomer("small 1", 100);
		newcomer("small 2", 110);
		turns(2);
		assertThat(this.admitted).as("behind the one in turn").containsExactly("large 0", "small 2");
	}

	@Test
	void oldestConnection_hasItsTurn_besideNewerSmallerRequests() {
		fill(650);
		newcomer("large", 657);
		for (int i = 0; i < 4 && !this.admitted.contains("large"); i++) {
			established("established " + i, 600);
			newcomer("newest " + i, 600);
			turns(1);
		}
		assertThat(this.admitted).contains("large").hasSizeLessThanOrEqualTo(4);
	}

	@Test
	void connectionInTurn_keepsTurn_untilMemorySuffices() {
		fill(750);
		newcomer("large", 600);
		for (int i = 0; i < 10; i++) {
			newcomer("small " + i, 12);
		}
		release(600);
		assertThat(this.admitted).as("room for the small ones").isEmpty();
		release(150);
		assertThat(this.admitted).startsWith("large").hasSize(5);
	}

	@Test
	void connection_keepsOneReservationAfterTheOther_whenOneCancels() {
		fill(750);
		Waiter first = newcomer("one", 100);
		newcomer("one", 200);
		assertThat(this.budget.cancel(first)).isTrue();
		assertThat(this.budget.cancel(first)).as("twice").isFalse();
		turns(1);
		assertThat(this.admitted).containsExactly("one");
		assertThat(this.budget.used(this.direction)).isEqualTo(200);
	}

	@Test
	void connection_changesItsBand_withItsFirstReservation() {
		fill(750);
		Waiter gone = reserve("hoarder", 600, true);
		reserve("hoarder", 600, false);
		newcomer("new", 650);
		established("reader", 600);
		assertThat(this.budget.cancel(gone)).isTrue();
		turns(1);
		assertThat(this.admitted).containsExactly("reader");
		turns(2);
		assertThat(this.admitted).containsExactlyInAnyOrder("reader", "new", "hoarder");
	}

	@Test
	void establishedConnections_overtakeInPool_eachWithHalfOfWhatIsLeft() {
		fill(657);
		newcomer("new", 650);
		established("large", 47);
		assertThat(this.admitted).as("over half of the pool").isEmpty();
		Waiter first = established("one", 46);
		established("two", 24);
		assertThat(this.admitted).as("46 and 23 of 93").containsExactly("one");
		assertThat(first.passedBytes()).isEqualTo(46);
		this.budget.returnPassed(this.direction, 46);
		release(46);
		assertThat(this.admitted).containsExactly("one", "two");
		release(657);
		assertThat(this.admitted).as("those that pass do not starve the one in turn").endsWith("new");
	}

	@Test
	void establishedConnectionInTurn_isCounted_whenItEntersPool() {
		fill(660);
		assertThat(established("first", 40).passed).as("its bytes go back to the pool").isTrue();
		established("second", 30);
		established("small", 10);
		assertThat(this.admitted).as("each has at most half of the 53 that are left").containsExactly("first", "small");
		this.budget.returnPassed(this.direction, 40);
		release(40);
		assertThat(this.admitted).containsExactly("first", "small", "second");
	}

	/** A turn may last as long as the slowest body; a new peer does not wait for it. */
	@Test
	void newConnections_overtakeWithSmallRequests_inEachTurn() {
		fill(657);
		newcomer("first", 600);
		for (int i = 0; i < 100; i++) {
			newcomer("new " + i, 11);
		}
		assertThat(this.admitted).as("11 of the 93 that are kept").containsExactly("new 0");
		release(657);
		assertThat(this.admitted).as("beside and after the one in turn").startsWith("new 0", "first", "new 99");
	}

	@Test
	void newConnections_getNoOtherShare_whenOneInTurnCancels() {
		fill(700);
		Waiter gone = newcomer("gone", 600);
		for (int i = 0; i < 100; i++) {
			newcomer("new", 11);
			assertThat(this.budget.cancel(gone)).isTrue();
			gone = newcomer("gone", 600);
		}
		assertThat(this.admitted).containsExactly("new");
	}

	@Test
	void withoutPool_nobodyOvertakes() {
		MemoryBudget client = new MemoryBudget(1000, 0);
		client.tryReserve(Direction.OUTGOING, 750);
		for (int i = 0; i < 4; i++) {
			client.reserveInTurnOf("known " + i, Direction.OUTGOING, 1 + i, i > 1, (waiter) -> this.admitted.add("x"));
		}
		assertThat(this.admitted).isEmpty();
		client.release(Direction.OUTGOING, 750);
		assertThat(this.admitted).hasSize(4);
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
