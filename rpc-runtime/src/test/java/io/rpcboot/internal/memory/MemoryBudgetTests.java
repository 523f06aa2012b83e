package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.fixture.Eventually;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
@Tag("races")
class MemoryBudgetTests {

	private final MemoryBudget account = new MemoryBudget(1000, 0);

	private final List<String> admitted = new ArrayList<>();

	@Test
	void direction_isLimitedToThreeQuarters() {
		assertThat(this.account.tryReserveAtOnce(Direction.INCOMING, 751)).isFalse();
		assertThat(this.account.tryReserveAtOnce(Direction.INCOMING, 750)).isTrue();
		assertThat(this.account.tryReserve(Direction.OUTGOING, 251)).isFalse();
		assertThat(this.account.tryReserve(Direction.OUTGOING, 250)).isTrue();
		assertThat(this.account.tryReserve(Direction.OUTGOING, 1)).isFalse();
		this.account.release(Direction.INCOMING, 100);
		assertThat(this.account.tryReserve(Direction.OUTGOING, 100)).isTrue();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(350);
	}

	@Test
	void waiters_areAdmittedInTurn() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 650);
		waiter("large", 600);
		waiter("small", 12);
		assertThat(this.admitted).as("small fits, but large was first").isEmpty();
		assertThat(this.account.tryReserve(Direction.INCOMING, 10)).as("nobody overtakes").isFalse();
		assertThat(this.account.reserveAhead(10)).as("nor does anybody ahead of need").isZero();
		this.account.release(Direction.INCOMING, 500);
		assertThat(this.admitted).isEmpty();
		this.account.release(Direction.INCOMING, 100);
		assertThat(this.admitted).as("the pool stays free").containsExactly("large");
		this.account.release(Direction.INCOMING, 50);
		assertThat(this.admitted).containsExactly("large", "small");
		assertThat(this.account.used(Direction.INCOMING)).isEqualTo(612);
	}

	@Test
	void failingCallback_leavesOtherWaitersUnaffected() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 650);
		this.account.reserveInTurn(Direction.INCOMING, 200, () -> {
			throw new IllegalStateException("on purpose");
		});
		waiter("next", 200);
		this.account.release(Direction.INCOMING, 650);
		assertThat(this.admitted).containsExactly("next");
		assertThat(this.account.waiting()).isZero();
	}

	@Test
	void cancelledWaiter_letsOthersPass() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 640);
		Waiter large = waiter("large", 600);
		waiter("small", 10);
		assertThat(this.account.cancel(large)).isTrue();
		assertThat(this.admitted).containsExactly("small");
		assertThat(this.account.cancel(large)).as("twice").isFalse();
		assertThat(this.account.used(Direction.INCOMING)).isEqualTo(650);
	}

	/**
	 * A thousand that never send have one lease each; who comes after them waits for two.
	 */
	@Test
	void newcomer_waitsForFewTurns_withManyWaitersAhead() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 650);
		for (int i = 0; i < 1000; i++) {
			waiter("idle", 650);
		}
		waiter("newcomer", 650);
		releaseUntil("newcomer");
		assertThat(this.admitted).hasSizeLessThanOrEqualTo(3);
	}

	/** Who comes last again and again is not who has sent something. */
	@Test
	void earnedWaiter_waitsForFewTurns_withManyUnearnedWaiters() {
		this.account.tryReserveAtOnce(Direction.INCOMING, 650);
		for (int i = 0; i < 1000; i++) {
			waiter("idle", 650);
		}
		earned("honest", 650);
		for (int i = 0; i < 5 && !this.admitted.contains("honest"); i++) {
			waiter("again", 650);
			this.account.release(Direction.INCOMING, 650);
		}
		assertThat(this.admitted).contains("honest").hasSizeLessThanOrEqualTo(4);
	}

	@Test
	void largestBody_fits_withReservedPart() {
		for (long largest : new long[] { 10, 100, 250, 300, 400, 499, 500 }) {
			MemoryBudget other = new MemoryBudget(1000, largest);
			other.reserveAhead(1000);
			other.reserveInTurn(Direction.INCOMING, largest, () -> this.admitted.add("body of " + largest));
			assertThat(this.admitted).contains("body of " + largest);
		}
	}

	@Test
	void incomingMemory_isShort_whenWaitersExistOrLittleIsLeft() {
		assertThat(this.account.isIncomingShort()).isFalse();
		this.account.tryReserveAtOnce(Direction.INCOMING, 650);
		assertThat(this.account.isIncomingShort()).isFalse();
		Waiter waiter = waiter("waits", 200);
		assertThat(this.account.isIncomingShort()).isTrue();
		this.account.cancel(waiter);
		assertThat(this.account.isIncomingShort()).isFalse();
		this.account.tryReserveAtOnce(Direction.INCOMING, 10);
		assertThat(this.account.isIncomingShort()).as("90 of 750 are left").isTrue();
		this.account.release(Direction.INCOMING, 660);
		this.account.tryReserve(Direction.OUTGOING, 750);
		assertThat(this.account.isIncomingShort()).as("250 are left").isFalse();
		this.account.reserveInTurn(Direction.OUTGOING, 10, () -> {
		});
		assertThat(this.account.isIncomingShort()).as("somebody waits for the other direction").isTrue();
	}

	@Test
	void outgoingWaiters_areAdmittedInFifoOrder() {
		this.account.tryReserve(Direction.OUTGOING, 700);
		for (int i = 0; i < 5; i++) {
			String name = "number " + i;
			this.account.reserveInTurnOf(this, Direction.OUTGOING, 700, false, (waiter) -> this.admitted.add(name));
		}
		for (int i = 0; i < 5; i++) {
			this.account.release(Direction.OUTGOING, 700);
		}
		assertThat(this.admitted).containsExactly("number 0", "number 1", "number 2", "number 3", "number 4");
	}

	/**
	 * Against a plain list: whoever gives up is gone, everybody else is admitted once.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void waiters_areAdmittedOnce_unlessCancelled(long seed) {
		Random random = new Random(seed);
		List<Waiter> waiters = new ArrayList<>();
		long gaveUp = 0;
		for (int i = 0; i < 5_000; i++) {
			int number = waiters.size();
			switch (random.nextInt(3)) {
				case 0 -> waiters
					.add(this.account.reserveInTurnOf(random.nextInt(20), Direction.INCOMING, 1 + random.nextInt(650),
							random.nextBoolean(), (waiter) -> this.admitted.add("number " + number)));
				case 1 ->
					gaveUp += !waiters.isEmpty() && this.account.cancel(waiters.get(random.nextInt(number))) ? 1 : 0;
				default -> this.account.release(Direction.INCOMING,
						(long) (this.account.used(Direction.INCOMING) * random.nextDouble()));
			}
			assertThat(this.account.used(Direction.INCOMING)).isLessThanOrEqualTo(this.account.mostOfOne());
		}
		while (this.account.isIncomingShort()) {
			this.account.release(Direction.INCOMING, this.account.used(Direction.INCOMING));
		}
		assertThat(this.admitted).doesNotHaveDuplicates().hasSize((int) (waiters.size() - gaveUp));
	}

	@Test
	void admittedWaiter_cannotCancel() {
		assertThat(this.account.cancel(waiter("now", 600))).isFalse();
		assertThat(this.account.used(Direction.INCOMING)).isEqualTo(600);
	}

	@Test
	void reservationAhead_usesOnlyMemoryOutsideOtherDirection() {
		assertThat(this.account.reserveAhead(200)).isEqualTo(200);
		assertThat(this.account.reserveAhead(200)).isEqualTo(50);
		assertThat(this.account.reserveAhead(200)).isZero();
		assertThat(this.account.tryReserveAtOnce(Direction.INCOMING, 500)).as("who needs it has the rest").isTrue();
	}

	@Test
	void fairShare_shrinks_withConnections() {
		assertThat(this.account.fairShare()).isEqualTo(250);
		this.account.connections().incrementAndGet();
		this.account.connections().incrementAndGet();
		this.account.connections().incrementAndGet();
		assertThat(this.account.fairShare()).isEqualTo(83);
		this.account.connections().decrementAndGet();
		assertThat(this.account.fairShare()).isEqualTo(125);
	}

	@Test
	void thread_waits_untilMemoryIsReleased() throws Exception {
		this.account.tryReserve(Direction.OUTGOING, 750);
		AtomicInteger shortages = new AtomicInteger();
		this.account.onShortage(shortages::incrementAndGet);
		CompletableFuture<Boolean> result = CompletableFuture
			.supplyAsync(() -> reserve(100, System.nanoTime() + TimeUnit.SECONDS.toNanos(20)));
		Eventually.until("the account is short", this.account::isShort);
		this.account.release(Direction.OUTGOING, 100);
		assertThat(result.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(750);
		assertThat(shortages.get()).isLessThanOrEqualTo(1);
	}

	@Test
	void waitingThread_stops_atDeadline() {
		this.account.tryReserve(Direction.OUTGOING, 750);
		assertThat(reserve(1, System.nanoTime())).isFalse();
		assertThat(this.account.isShort()).as("it waits no more").isFalse();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(750);
	}

	@Test
	void interruptedThread_stopsWaiting() {
		this.account.tryReserve(Direction.OUTGOING, 750);
		Thread.currentThread().interrupt();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		try {
			this.account.reserve(Direction.OUTGOING, 1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
			throw new AssertionError("it did not give up");
		}
		catch (InterruptedException ex) {
			assertThat(this.account.isShort()).isFalse();
		}
	}

	@Test
	void overdraft_isReported_untilReleased() {
		AtomicInteger shortages = new AtomicInteger();
		this.account.onShortage(shortages::incrementAndGet);
		this.account.overdraw(Direction.OUTGOING, 750);
		assertThat(shortages).as("there was room").hasValue(0);
		this.account.overdraw(Direction.OUTGOING, 250);
		assertThat(this.account.isOverdrawn()).isFalse();
		assertThat(shortages).as("there was none, long before all is overdrawn").hasValue(1);
		this.account.overdraw(Direction.OUTGOING, 1);
		assertThat(this.account.isOverdrawn()).isTrue();
		assertThat(shortages).hasValue(2);
		this.account.release(Direction.OUTGOING, 1);
		assertThat(this.account.isOverdrawn()).isFalse();
	}

	@Test
	void outgoingMemory_isShort_whenWaitersExistOrLittleIsLeft() {
		this.account.tryReserve(Direction.OUTGOING, 656);
		assertThat(this.account.isOutgoingShort()).as("94 of 750 are left").isFalse();
		this.account.tryReserve(Direction.OUTGOING, 2);
		assertThat(this.account.isOutgoingShort()).isTrue();
		this.account.release(Direction.OUTGOING, 58);
		Waiter waiter = this.account.reserveInTurn(Direction.OUTGOING, 200, () -> {
		});
		assertThat(this.account.isOutgoingShort()).as("somebody waits").isTrue();
		this.account.cancel(waiter);
		assertThat(this.account.isOutgoingShort()).isFalse();
	}

	@Test
	void privilege_isHeldByOneOwner() {
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
		assertThat(this.account.privilege().compareAndSet(false, true)).isFalse();
		this.account.privilege().set(false);
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
	}

	/** Everybody uses the room and gives it back. */
	private void releaseUntil(String name) {
		while (!this.admitted.contains(name)) {
			this.account.release(Direction.INCOMING, 700);
		}
	}

	private Waiter waiter(String name, long bytes) {
		return this.account.reserveInTurn(Direction.INCOMING, bytes, () -> this.admitted.add(name));
	}

	private Waiter earned(String name, long bytes) {
		return this.account.reserveInTurnOf(new Object(), Direction.INCOMING, bytes, true,
				(waiter) -> this.admitted.add(name));
	}

	private boolean reserve(long bytes, long deadlineNanos) {
		try {
			return this.account.reserve(Direction.OUTGOING, bytes, deadlineNanos);
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
