package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.memory.MemoryAccount.Direction;
import io.rpcboot.internal.memory.MemoryAccount.Waiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class MemoryAccountTests {

	private final MemoryAccount account = new MemoryAccount(1000, 0);

	private final List<String> admitted = new ArrayList<>();

	@Test
	void eachDirectionHasThreeQuarters() {
		assertThat(this.account.tryReserve(Direction.INCOMING, 751)).isFalse();
		assertThat(this.account.tryReserve(Direction.INCOMING, 750)).isTrue();
		assertThat(this.account.tryReserve(Direction.OUTGOING, 251)).isFalse();
		assertThat(this.account.tryReserve(Direction.OUTGOING, 250)).isTrue();
		assertThat(this.account.tryReserve(Direction.OUTGOING, 1)).isFalse();
		this.account.release(Direction.INCOMING, 100);
		assertThat(this.account.tryReserve(Direction.OUTGOING, 100)).isTrue();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(350);
	}

	@Test
	void thoseThatWaitAreAdmittedInTheirTurn() {
		this.account.tryReserve(Direction.INCOMING, 700);
		waiter("large", 600);
		waiter("small", 10);
		assertThat(this.admitted).as("small fits, but large was first").isEmpty();
		assertThat(this.account.tryReserve(Direction.INCOMING, 10)).as("nobody overtakes").isFalse();
		assertThat(this.account.reserveAhead(10)).as("nor does anybody ahead of need").isZero();
		this.account.release(Direction.INCOMING, 500);
		assertThat(this.admitted).isEmpty();
		this.account.release(Direction.INCOMING, 100);
		assertThat(this.admitted).containsExactly("large", "small");
		assertThat(this.account.used(Direction.INCOMING)).isEqualTo(710);
	}

	@Test
	void oneThatGivesUpLetsOthersPass() {
		this.account.tryReserve(Direction.INCOMING, 700);
		Waiter large = waiter("large", 600);
		waiter("small", 10);
		assertThat(large.cancel()).isTrue();
		assertThat(this.admitted).containsExactly("small");
		assertThat(large.cancel()).as("twice").isFalse();
		assertThat(this.account.used(Direction.INCOMING)).isEqualTo(710);
	}

	@Test
	void oneThatIsAdmittedCannotGiveUp() {
		assertThat(waiter("now", 600).cancel()).isFalse();
		assertThat(this.account.used(Direction.INCOMING)).isEqualTo(600);
	}

	@Test
	void aheadOfNeedGoesHalfOfADirection() {
		assertThat(this.account.reserveAhead(300)).isEqualTo(300);
		assertThat(this.account.reserveAhead(300)).isEqualTo(75);
		assertThat(this.account.reserveAhead(300)).isZero();
		assertThat(this.account.tryReserve(Direction.INCOMING, 375)).as("who needs it has the rest").isTrue();
	}

	@Test
	void sharesBecomeSmallerWithTheConnections() {
		assertThat(this.account.fairShare()).isEqualTo(375);
		this.account.connections().incrementAndGet();
		this.account.connections().incrementAndGet();
		this.account.connections().incrementAndGet();
		assertThat(this.account.fairShare()).isEqualTo(125);
		this.account.connections().decrementAndGet();
		assertThat(this.account.fairShare()).isEqualTo(187);
	}

	@Test
	void aThreadWaitsUntilThereIsRoom() throws Exception {
		this.account.tryReserve(Direction.OUTGOING, 750);
		AtomicInteger shortages = new AtomicInteger();
		this.account.onShortage(shortages::incrementAndGet);
		CompletableFuture<Boolean> result = CompletableFuture
			.supplyAsync(() -> reserve(100, System.nanoTime() + TimeUnit.SECONDS.toNanos(20)));
		while (!this.account.isShort()) {
			Thread.onSpinWait();
		}
		this.account.release(Direction.OUTGOING, 100);
		assertThat(result.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(750);
		assertThat(shortages.get()).isLessThanOrEqualTo(1);
	}

	@Test
	void aThreadWaitsNoLongerThanItsDeadline() {
		this.account.tryReserve(Direction.OUTGOING, 750);
		assertThat(reserve(1, System.nanoTime())).isFalse();
		assertThat(this.account.isShort()).as("it waits no more").isFalse();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(750);
	}

	@Test
	void anInterruptedThreadGivesUp() {
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
	void overdrawingIsSeenUntilItIsOver() {
		AtomicInteger shortages = new AtomicInteger();
		this.account.onShortage(shortages::incrementAndGet);
		this.account.overdraw(Direction.OUTGOING, 1000);
		assertThat(this.account.isOverdrawn()).isFalse();
		assertThat(shortages).hasValue(0);
		this.account.overdraw(Direction.OUTGOING, 1);
		assertThat(this.account.isOverdrawn()).isTrue();
		assertThat(shortages).hasValue(1);
		this.account.release(Direction.OUTGOING, 1);
		assertThat(this.account.isOverdrawn()).isFalse();
	}

	@Test
	void whatIsPostponedIsDoneOnceItIsNotOverdrawn() {
		this.account.whenNotOverdrawn(() -> this.admitted.add("at once"));
		this.account.overdraw(Direction.OUTGOING, 1001);
		this.account.whenNotOverdrawn(() -> this.admitted.add("later"));
		waiter("large", 700);
		assertThat(this.admitted).containsExactly("at once");
		assertThat(this.account.isFarOverdrawn()).isFalse();
		this.account.overdraw(Direction.OUTGOING, 125);
		assertThat(this.account.isFarOverdrawn()).isTrue();
		this.account.release(Direction.OUTGOING, 126);
		assertThat(this.admitted).as("though others wait for room").containsExactly("at once", "later");
		this.account.release(Direction.OUTGOING, 500);
		assertThat(this.admitted).containsExactly("at once", "later");
		this.account.release(Direction.OUTGOING, 300);
		assertThat(this.admitted).containsExactly("at once", "later", "large");
	}

	@Test
	void onlyOneMayGoOnOverTheLimit() {
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
		assertThat(this.account.privilege().compareAndSet(false, true)).isFalse();
		this.account.privilege().set(false);
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
	}

	private Waiter waiter(String name, long bytes) {
		return this.account.reserveInTurn(Direction.INCOMING, bytes, () -> this.admitted.add(name));
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
