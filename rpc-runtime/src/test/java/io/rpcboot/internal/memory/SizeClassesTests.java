package io.rpcboot.internal.memory;

import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which waiter is found, and the number of steps. */
class SizeClassesTests {

	private static final int WAITERS = 10_000;

	private final AtomicLong compared = new AtomicLong();

	private final Comparator<Waiter> counting = (one, two) -> {
		this.compared.incrementAndGet();
		return Long.compare(one.number, two.number);
	};

	private final SizeClasses classes = new SizeClasses(1 << 20, this.counting);

	private long added;

	private Waiter add(long bytes) {
		Waiter waiter = new Waiter(Direction.INCOMING, bytes, null, true, 0, (admitted) -> {
		});
		waiter.number = ++this.added;
		this.classes.add(waiter);
		return waiter;
	}

	@Test
	void firstWaiterThatFits_isFound() {
		add(4096);
		Waiter small = add(100);
		Waiter smaller = add(50);
		assertThat(this.classes.first(49)).isNull();
		assertThat(this.classes.first(99)).isSameAs(smaller);
		assertThat(this.classes.first(4095)).isSameAs(small);
		this.classes.remove(small);
		this.classes.remove(small);
		assertThat(this.classes.first(4095)).isSameAs(smaller);
	}

	@Test
	void waitersOfAllSizes_areFound() {
		for (long bytes : new long[] { 0, 1, 2, 3, 1 << 19, 1 << 20 }) {
			Waiter waiter = add(bytes);
			assertThat(this.classes.first(bytes)).isSameAs(waiter);
			assertThat(this.classes.first(bytes - 1)).isNull();
			this.classes.remove(waiter);
		}
	}

	@Test
	void unknownWaiter_isNotRemoved() {
		Waiter large = new Waiter(Direction.INCOMING, 1L << 40, null, true, 0, (admitted) -> {
		});
		this.classes.remove(large);
		assertThat(this.classes.first(Long.MAX_VALUE)).isNull();
	}

	@Test
	void fewWaiters_areCompared_howeverManyDoNotFit() {
		for (int i = 0; i < WAITERS; i++) {
			add(1000 + i);
		}
		Waiter last = add(500);
		this.compared.set(0);
		for (int i = 0; i < WAITERS; i++) {
			assertThat(this.classes.first(999)).isSameAs(last);
		}
		assertThat(this.compared).as("of %d steps", WAITERS).hasValueLessThan(21L * WAITERS);
	}

}
