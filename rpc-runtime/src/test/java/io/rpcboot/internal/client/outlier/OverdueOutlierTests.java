package io.rpcboot.internal.client.outlier;

import io.rpcboot.internal.client.outlier.InstanceOutlierStats.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that do not end. */
class OverdueOutlierTests extends AbstractOutlierDetectorTests {

	private static final int SECOND = 1000;

	/** As many are sent in each quarter of a second. */
	private static final int CALLS = 25;

	private int hanging;

	/** The first hangs, the others do not. */
	private void hang() {
		for (int i = 1; i < this.all.size(); i++) {
			end(i, 0, CALLS, 0, 2);
		}
		this.hanging += CALLS;
		overdue(0, 0, this.hanging, SECOND);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 5 })
	void hangingInstance_isEjected_beforeItsCallsEnd(int count) {
		instances(count);
		looksUntilEvent(20, () -> allGood(CALLS));
		assertThat(looksUntilEvent(4, this::hang)).isBetween(1, 3);
		assertThat(this.events).containsExactly("left 0");
		assertThat(phase(0)).isEqualTo(Phase.OUT);
		assertThat(this.all.get(0).why()).matches("1?[0-9] % of its calls fail or are overdue, elsewhere 0 %");
		assertThat(this.all.get(0).isOverdue(0)).isTrue();
		assertThat(this.all.get(0).isOverdue(1)).as("the other method").isFalse();
	}

	@Test
	void instance_isEjected_withoutAnyReply() {
		instances(3);
		looksUntilEvent(8, () -> {
			end(1, 0, CALLS, 0, 2);
			end(2, 0, CALLS, 0, 2);
		});
		assertThat(looksUntilEvent(1, this::hang)).isOne();
	}

	@Test
	void overdueCalls_areCountedOnce() {
		instances(3);
		assertThat(looksUntilEvent(100, () -> {
			allGood(CALLS);
			overdue(0, 0, 5, 10 * SECOND);
		})).as("five that never end, of hundreds").isNegative();
	}

	@Test
	void overdueCalls_ejectNoInstance_whenOverdueEverywhere() {
		instances(3);
		looksUntilEvent(20, () -> allGood(CALLS));
		assertThat(looksUntilEvent(20, () -> {
			this.hanging += CALLS;
			overdue(0, 0, this.hanging + 20, SECOND);
			overdue(1, 0, this.hanging, SECOND);
			overdue(2, 0, this.hanging - 20, SECOND);
		})).isNegative();
	}

	/** Others have no calls: they are in another zone. */
	@Test
	void hangingInstance_countsAsFailing_withoutInstancesToCompare() {
		instances(2);
		looksUntilEvent(8, () -> end(0, 0, CALLS, 0, 2));
		assertThat(OutlierDetector.areFailing(this.all)).isFalse();
		assertThat(looksUntilEvent(8, () -> {
			this.hanging += CALLS;
			overdue(0, 0, this.hanging, SECOND);
		})).as("nobody knows how others do").isNegative();
		assertThat(OutlierDetector.areFailing(this.all)).isTrue();
	}

	@Test
	void callsOfSlowMethod_areNotOverdue() {
		instances(3);
		looksUntilEvent(20, () -> {
			for (int i = 0; i < 3; i++) {
				end(i, 0, 1, 0, 5 * SECOND);
			}
		});
		assertThat(looksUntilEvent(4, () -> {
			overdue(0, 0, 50, 10 * SECOND);
			end(1, 0, 1, 0, 5 * SECOND);
			end(2, 0, 1, 0, 5 * SECOND);
		})).isNegative();
		assertThat(this.all.get(0).overdue()).isZero();
		assertThat(looksUntilEvent(4, () -> {
			overdue(0, 0, 50, 20 * SECOND);
			end(1, 0, 1, 0, 5 * SECOND);
			end(2, 0, 1, 0, 5 * SECOND);
		})).isPositive();
	}

	@Test
	void overdueProbe_fails() {
		eject();
		looksUntil(Phase.PROBING);
		InstanceOutlierStats sick = this.all.get(0);
		for (int i = 0; i < 4; i++) {
			overdue(0, 0, 3, 2 * SECOND);
			end(1, 0, CALLS, 0, 2);
			end(2, 0, CALLS, 0, 2);
			look();
		}
		sick.probed(this.now);
		for (int left = 3; left > 0; left--) {
			overdue(0, 0, left, 3 * SECOND);
			end(1, 0, CALLS, 0, 2);
			end(2, 0, CALLS, 0, 2);
			look();
			assertThat(phase(0)).as("those of before say nothing").isEqualTo(Phase.PROBING);
		}
		overdue(0, 0, 2, 2 * SECOND);
		end(1, 0, CALLS, 0, 2);
		end(2, 0, CALLS, 0, 2);
		look();
		assertThat(phase(0)).isEqualTo(Phase.OUT);
	}

	@Test
	void slowProbe_fails_afterInstanceHung() {
		instances(3);
		looksUntilEvent(20, () -> allGood(CALLS));
		assertThat(looksUntilEvent(4, this::hang)).isPositive();
		looksUntil(Phase.PROBING);
		probe(0, 200);
		assertThat(phase(0)).isEqualTo(Phase.OUT);
	}

	@Test
	void goodProbe_succeeds_whileOlderCallsHang() {
		eject();
		looksUntil(Phase.PROBING);
		for (int i = 0; i < 5; i++) {
			overdue(0, 0, 3, 2 * SECOND);
			end(1, 0, CALLS, 0, 2);
			end(2, 0, CALLS, 0, 2);
			look();
			overdue(0, 0, 3, 2 * SECOND);
			probe(0, 2);
		}
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
	}

}
