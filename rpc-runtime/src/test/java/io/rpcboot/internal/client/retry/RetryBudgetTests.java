package io.rpcboot.internal.client.retry;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryBudgetTests {

	private final AtomicLong clock = new AtomicLong(-5);

	private final RetryBudget budget = new RetryBudget(0.2, this.clock::get);

	private void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	private int takeAll() {
		int taken = 0;
		while (this.budget.take()) {
			taken++;
		}
		return taken;
	}

	private void calls(int calls) {
		for (int i = 0; i < calls; i++) {
			this.budget.succeeded();
		}
	}

	@Test
	void budget_startsWithFiveRetries() {
		assertThat(takeAll()).isEqualTo(5);
		pass(60_000);
		assertThat(takeAll()).as("nothing was earned").isZero();
	}

	@Test
	void budget_earnsFifthOfCalls() {
		takeAll();
		for (int i = 0; i < 100; i++) {
			calls(100);
			pass(1000);
		}
		assertThat(takeAll()).as("of five seconds, and five").isEqualTo(105);
	}

	@Test
	void retries_areLimitedToFifthOfCalls() {
		int taken = 0;
		for (int i = 0; i < 100; i++) {
			calls(37);
			pass(130);
			taken += takeAll();
		}
		assertThat(taken).isBetween(725, 745);
	}

	@Test
	void budget_isKept_duringShortIdlePeriod() {
		calls(10_000);
		pass(10_000);
		assertThat(this.budget.take()).isTrue();
		for (int i = 0; i < 10; i++) {
			pass(200);
			this.budget.refund();
			assertThat(this.budget.take()).isTrue();
		}
		assertThat(takeAll()).isGreaterThan(600);
	}

	@Test
	void remainingBudget_fallsAndRecovers() {
		assertThat(this.budget.left()).isEqualTo(5);
		assertThat(this.budget.most()).isEqualTo(5);
		assertThat(this.budget.take()).isTrue();
		assertThat(this.budget.left()).isEqualTo(4);
		takeAll();
		assertThat(this.budget.left()).isZero();
		assertThat(this.budget.most()).isEqualTo(5);
		calls(10);
		assertThat(this.budget.left()).isEqualTo(2);
		pass(1000);
		assertThat(this.budget.left()).isEqualTo(2);
		assertThat(this.budget.most()).isEqualTo(7);
	}

	/** Dashboards that look each second, or never, find the same. */
	@Test
	void budget_isUnchangedByReading() {
		RetryBudget unseen = new RetryBudget(0.2, this.clock::get);
		for (int i = 0; i < 200; i++) {
			for (int j = 0; j < i % 50; j++) {
				this.budget.succeeded();
				unseen.succeeded();
			}
			pass(50);
			assertThat(this.budget.left()).isBetween(0.0, this.budget.most());
			if (i % 7 == 0) {
				assertThat(this.budget.take()).isEqualTo(unseen.take());
			}
		}
		assertThat(this.budget.left()).isEqualTo(unseen.left());
	}

	@Test
	void budget_isEmpty_withZeroRatio() {
		RetryBudget none = new RetryBudget(0, this.clock::get);
		for (int i = 0; i < 1000; i++) {
			none.succeeded();
		}
		pass(1000);
		assertThat(none.take()).isFalse();
	}

}
