package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.rpcboot.internal.memory.ReceiveWindow.SHARE;
import static org.assertj.core.api.Assertions.assertThat;

class ReceiveWindowTests {

	private static final int FIRST = 64 * 1024;

	private static final long MOST = 1 << 20;

	private final MemoryBudget account = new MemoryBudget(4_000_000, 0);

	private int admissions;

	@Test
	void window_grantsNothing_beforeOpen() {
		ReceiveWindow grant = grant();
		assertThat(grant.takes(1)).isFalse();
		grant.raise();
		assertThat(grant.granted()).isZero();
		grant.close();
		assertThat(used()).isZero();
	}

	@Test
	void grant_isReservedExceptShare() {
		ReceiveWindow grant = open();
		assertThat(grant.granted()).isEqualTo(FIRST);
		assertThat(used()).isEqualTo(FIRST - SHARE);
		grant.close();
		assertThat(used()).isZero();
	}

	@Test
	void keptBody_staysReserved_afterClose() {
		ReceiveWindow grant = open();
		grant.takes(1000);
		assertThat(grant.keep(1000)).isTrue();
		assertThat(grant.keep(FIRST)).as("more than is reserved").isFalse();
		grant.close();
		assertThat(used()).isEqualTo(1000);
		this.account.release(Direction.INCOMING, 1000);
		assertThat(used()).isZero();
	}

	@Test
	void grant_coversOnlyUnusedBytes() {
		ReceiveWindow grant = open();
		assertThat(grant.takes(FIRST - 10)).isTrue();
		assertThat(grant.covers(10)).isTrue();
		assertThat(grant.covers(11)).isFalse();
		assertThat(grant.takes(11)).isFalse();
		assertThat(grant.takes(10)).isTrue();
	}

	@Test
	void grant_growsByQuarters() {
		ReceiveWindow grant = open();
		grant.takes(FIRST);
		assertThat(grant.release(FIRST / 4 - 1)).isFalse();
		assertThat(grant.release(1)).isTrue();
		grant.raise();
		assertThat(grant.granted()).isEqualTo(FIRST + FIRST / 4);
		assertThat(used()).isEqualTo(FIRST - SHARE);
	}

	@Test
	void share_isGranted_whenAccountIsFull() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 3_000_000);
		ReceiveWindow grant = open();
		assertThat(grant.granted()).isEqualTo(SHARE);
		assertThat(grant.takes(SHARE)).isTrue();
		assertThat(grant.release(SHARE)).isTrue();
		grant.raise();
		assertThat(grant.granted()).isEqualTo(2 * SHARE);
	}

	@Test
	void need_doublesWindow_whenMemoryIsFree() {
		ReceiveWindow grant = open();
		grant.takes(FIRST);
		assertThat(grant.need(100)).as("a short one needs no answer").isFalse();
		assertThat(grant.granted()).isGreaterThanOrEqualTo(2 * FIRST);
		assertThat(this.admissions).isZero();
		assertThat(grant.hasAsked()).isFalse();
	}

	@Test
	void longNeed_isGrantedAtOnce_whenMemoryIsFree() {
		ReceiveWindow grant = open();
		assertThat(grant.need(100_000)).isTrue();
		assertThat(grant.granted()).isGreaterThanOrEqualTo(FIRST + 100_000);
		assertThat(grant.hasAsked()).isTrue();
		assertThat(grant.owed() != 0).isTrue();
		grant.takes(SHARE);
		assertThat(grant.owed() != 0).as("a short one is another").isTrue();
		grant.takes(100_000);
		assertThat(grant.hasAsked()).isFalse();
	}

	@Test
	void leases_areNumbered() {
		ReceiveWindow grant = open();
		assertThat(grant.owed()).isZero();
		for (int i = 1; i <= 3; i++) {
			grant.need(100_000);
			assertThat(grant.owed()).isEqualTo(i);
			grant.takes(100_000);
			assertThat(grant.owed()).isZero();
		}
	}

	/** Whether it is on its way, or is here and its call is at work. */
	@Test
	void longFrame_leavesShareForShortFrames() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 2_600_000);
		ReceiveWindow grant = open();
		grant.need(500_000);
		this.account.release(Direction.INCOMING, 1_000_000);
		assertThat(grant.admit()).isTrue();
		this.account.tryReserveAtOnce(Direction.INCOMING, this.account.mostOfOne() - used());
		for (int i = 0; i < 20; i++) {
			if (i == 10) {
				assertThat(grant.takes(500_000)).isTrue();
			}
			assertThat(grant.takes(SHARE)).isTrue();
			grant.release(SHARE);
			grant.raise();
		}
		assertThat(grant.granted() - grant.received()).isEqualTo(SHARE);
	}

	@Test
	void longNeed_isGranted_afterWaitingInTurn() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 2_600_000);
		ReceiveWindow grant = open();
		assertThat(grant.need(500_000)).isFalse();
		assertThat(grant.hasAsked()).isTrue();
		assertThat(grant.granted()).isEqualTo(SHARE);
		assertThat(grant.owed() != 0).isFalse();
		this.account.release(Direction.INCOMING, 300_000);
		assertThat(this.admissions).isZero();
		this.account.release(Direction.INCOMING, 200_000);
		assertThat(this.admissions).isEqualTo(1);
		assertThat(grant.takes(SHARE)).as("short ones go on meanwhile").isTrue();
		assertThat(grant.admit()).isTrue();
		assertThat(grant.granted()).isEqualTo(SHARE + 500_000);
		assertThat(grant.owed() != 0).isTrue();
		assertThat(grant.takes(500_000)).isTrue();
		assertThat(grant.hasAsked()).isFalse();
		grant.release(500_000);
		grant.raise();
		assertThat(used()).as("what is over was given back").isLessThanOrEqualTo(2_100_000 + MOST);
	}

	@Test
	void grant_growsForShortFrame_whileLongFrameIsOwed() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 2_600_000);
		ReceiveWindow grant = open();
		grant.need(500_000);
		this.account.release(Direction.INCOMING, 1_000_000);
		grant.admit();
		this.account.tryReserveAtOnce(Direction.INCOMING, this.account.mostOfOne() - used());
		grant.takes(3000);
		grant.need(2000);
		assertThat(grant.untilWake()).isEqualTo(3000 + 2000 - SHARE);
		grant.release(3000);
		grant.raise();
		assertThat(grant.covers(500_000 + 2000)).isTrue();
	}

	@Test
	void shortNeed_neverWaits() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 3_000_000);
		ReceiveWindow grant = open();
		grant.takes(SHARE);
		assertThat(grant.need(SHARE)).isFalse();
		assertThat(grant.hasAsked()).isFalse();
		this.account.release(Direction.INCOMING, 3_000_000);
		assertThat(this.admissions).isZero();
		assertThat(used()).isZero();
	}

	/** A quarter of what is granted would not be used before it is raised. */
	@Test
	void grant_grows_whenShortFrameFits() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 3_000_000);
		ReceiveWindow grant = open();
		grant.takes(1000);
		grant.need(SHARE - 100);
		assertThat(grant.granted()).isEqualTo(SHARE);
		assertThat(grant.untilWake()).isEqualTo(900);
		assertThat(grant.release(899)).isFalse();
		assertThat(grant.release(1)).isTrue();
		grant.raise();
		assertThat(grant.covers(SHARE - 100)).isTrue();
	}

	@Test
	void yieldedGrant_isReleased() {
		ReceiveWindow grant = open();
		grant.need(900_000);
		assertThat(grant.yield(grant.granted() + 1)).as("more than granted").isFalse();
		assertThat(grant.yield(-1)).isFalse();
		grant.takes(100);
		assertThat(grant.yield(grant.granted() - 100)).isTrue();
		assertThat(grant.owed() != 0).isFalse();
		assertThat(used()).as("all but what is here").isLessThanOrEqualTo(100);
		assertThat(grant.takes(SHARE)).isTrue();
		assertThat(grant.takes(1)).isFalse();
	}

	@Test
	void yield_keepsLease_whileItsNeedWaits() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 2_900_000);
		ReceiveWindow grant = open();
		grant.need(900_000);
		assertThat(grant.yield(grant.granted())).isTrue();
		this.account.release(Direction.INCOMING, 2_900_000);
		assertThat(grant.admit()).isTrue();
		assertThat(grant.owed() != 0).isTrue();
		assertThat(grant.yield(899_999)).isTrue();
		assertThat(grant.owed() != 0).as("nor does a part").isTrue();
		assertThat(grant.yield(1)).isTrue();
		assertThat(grant.owed() != 0).isFalse();
		assertThat(used()).isZero();
	}

	/** Third turn in three: it came before the last, but after others that wait. */
	@Test
	void sentBytes_earnTurnAndYieldedBytesDoNot() {
		MemoryBudget nothingKept = new MemoryBudget(4_000_000, 2_000_000);
		List<String> order = new ArrayList<>();
		ReceiveWindow known = named("known", nothingKept, order);
		ReceiveWindow generous = named("generous", nothingKept, order);
		for (int i = 0; i < 4; i++) {
			known.takes(SHARE);
			known.release(SHARE);
			known.raise();
			generous.yield(SHARE);
		}
		List<ReceiveWindow> line = List.of(named("first", nothingKept, order), named("second", nothingKept, order),
				generous, named("third", nothingKept, order), known, named("last", nothingKept, order));
		nothingKept.tryReserveAtOnce(Direction.INCOMING, 2_000_000);
		line.forEach((each) -> each.need(4 * SHARE));
		for (int i = 0; i < 4; i++) {
			nothingKept.release(Direction.INCOMING, 4 * SHARE);
		}
		assertThat(order).containsExactly("first", "last", "known", "second");
	}

	@Test
	void earnedConnection_passesNewConnection_whenBothWait() {
		List<String> order = new ArrayList<>();
		ReceiveWindow known = named("known", this.account, order);
		known.takes(20_000);
		known.release(20_000);
		known.raise();
		ReceiveWindow stranger = named("stranger", this.account, order);
		this.account.tryReserveAtOnce(Direction.INCOMING,
				this.account.mostOfOne() - this.account.parts.kept() - used());
		stranger.need(50_000);
		assertThat(order).isEmpty();
		known.need(15_000);
		assertThat(order).containsExactly("known");
	}

	@Test
	void pool_isFullAgain_afterBodyIsReleasedOrConnectionIsClosed() {
		List<String> order = new ArrayList<>();
		this.account.tryReserveAtOnce(Direction.INCOMING, this.account.mostOfOne() - this.account.parts.kept());
		ReceiveWindow first = named("first", this.account, order);
		first.need(500_000);
		for (int i = 0; i < 20; i++) {
			order.clear();
			ReceiveWindow known = named("known", this.account, order);
			for (int sent = 0; sent < 5; sent++) {
				known.takes(SHARE);
				known.release(SHARE);
				known.raise();
			}
			known.need(5 * SHARE);
			assertThat(order).as("connection %d", i).containsExactly("known");
			if (i % 2 == 0) {
				assertThat(known.admit()).isTrue();
				assertThat(known.takes(5 * SHARE)).isTrue();
				known.release(5 * SHARE);
				known.raise();
			}
			known.close();
		}
	}

	private ReceiveWindow named(String name, MemoryBudget from, List<String> order) {
		ReceiveWindow grant = new ReceiveWindow(from, MOST, () -> order.add(name));
		grant.open();
		return grant;
	}

	@Test
	void waitingConnection_leavesNoReservation_afterClose() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 3_000_000);
		ReceiveWindow waiting = open();
		waiting.need(100_000);
		waiting.close();
		this.account.release(Direction.INCOMING, 3_000_000);
		assertThat(used()).isZero();
		ReceiveWindow admitted = open();
		admitted.need(3_000_000);
		admitted.close();
		assertThat(used()).isZero();
		assertThat(admitted.admit()).as("the loop comes later").isFalse();
	}

	/**
	 * The law for one account: {@code granted - released <= SHARE + reserved}, always.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void unreleasedGrants_stayWithinReservedBytesAndShares(long seed) {
		Random random = new Random(seed);
		List<Model> connections = new ArrayList<>();
		for (int step = 0; step < 20_000; step++) {
			if (connections.size() < 8 && random.nextInt(20) == 0) {
				connections.add(new Model());
			}
			if (!connections.isEmpty()) {
				int index = random.nextInt(connections.size());
				if (random.nextInt(100) == 0) {
					connections.remove(index).grant.close();
				}
				else {
					connections.get(index).step(random);
				}
			}
			long mayBeThere = connections.stream().mapToLong((each) -> each.grant.granted() - each.released).sum();
			assertThat(mayBeThere).as("step %d of seed %d", step, seed)
				.isLessThanOrEqualTo(used() + (long) SHARE * connections.size());
			assertThat(used()).isLessThanOrEqualTo(this.account.mostOfOne());
		}
		connections.forEach((each) -> each.grant.close());
		assertThat(used()).isZero();
	}

	/** A connection whose peer does anything that it is allowed to do. */
	private final class Model {

		final ReceiveWindow grant = new ReceiveWindow(ReceiveWindowTests.this.account, MOST, () -> this.toAdmit++);

		int toAdmit;

		long released;

		Model() {
			this.grant.open();
		}

		void step(Random random) {
			switch (random.nextInt(6)) {
				case 0, 1 -> {
					int most = (int) Math.min(2_000_000, this.grant.granted() - this.grant.received());
					this.grant.takes(random.nextInt(most + 1));
				}
				case 2, 3 -> release(random);
				case 4 -> {
					int size = 1 + random.nextInt(random.nextBoolean() ? SHARE : 1_500_000);
					if (size <= SHARE || !this.grant.hasAsked()) {
						this.grant.need(size);
					}
				}
				default -> {
					if (random.nextInt(10) == 0) {
						long most = this.grant.granted() - this.grant.received();
						long bytes = (long) (most * random.nextDouble());
						this.grant.yield(bytes);
						this.released += bytes;
					}
				}
			}
			while (this.toAdmit > 0) {
				this.toAdmit--;
				this.grant.admit();
			}
		}

		private void release(Random random) {
			long bytes = (long) ((this.grant.received() - this.released) * random.nextDouble());
			this.released += bytes;
			if (this.grant.release(bytes)) {
				this.grant.raise();
			}
		}

	}

	private ReceiveWindow grant() {
		return new ReceiveWindow(this.account, MOST, () -> this.admissions++);
	}

	private ReceiveWindow open() {
		ReceiveWindow grant = grant();
		grant.open();
		return grant;
	}

	private long used() {
		return this.account.used(Direction.INCOMING);
	}

}
