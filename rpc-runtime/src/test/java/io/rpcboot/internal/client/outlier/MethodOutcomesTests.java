package io.rpcboot.internal.client.outlier;

import io.rpcboot.internal.client.outlier.MethodOutcomes.Tally;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MethodOutcomesTests {

	private final MethodOutcomes tallies = new MethodOutcomes();

	@Test
	void calls_areCountedByMethod() {
		this.tallies.ended(3, false, 1024);
		this.tallies.ended(3, true, 0);
		this.tallies.ended(70, true, 2048);
		assertThat(this.tallies.of(0)).isNull();
		assertThat(this.tallies.of(1000)).isNull();
		Tally third = this.tallies.of(3);
		assertThat(third.calls()).isEqualTo(2);
		assertThat(third.failures()).isOne();
		assertThat(third.timed()).as("one says nothing of its time").isOne();
		assertThat(third.logarithms()).isEqualTo(10 * FixedPointLog2.ONE);
		assertThat(this.tallies.of(70).logarithms()).isEqualTo(11 * FixedPointLog2.ONE);
	}

	@Test
	void success_endsFailureStreak() {
		this.tallies.ended(0, true, 0);
		this.tallies.ended(0, true, 0);
		assertThat(this.tallies.of(0).inARow()).isEqualTo(2);
		this.tallies.ended(0, false, 0);
		assertThat(this.tallies.of(0).inARow()).isZero();
		assertThat(this.tallies.of(0).failures()).isEqualTo(2);
	}

	@Test
	void callsAnsweredElsewhere_contributeLatencyOnly() {
		this.tallies.ended(1, true, 0);
		this.tallies.answeredElsewhere(1, 1024);
		Tally first = this.tallies.of(1);
		assertThat(first.timed()).isOne();
		assertThat(first.logarithms()).isEqualTo(10 * FixedPointLog2.ONE);
		assertThat(first.calls()).isOne();
		assertThat(first.inARow()).isOne();
	}

	@Test
	void overdueCalls_areCountedForLatestCheckOnly() {
		this.tallies.noneOverdue();
		this.tallies.overdue(7, 1 << 30);
		this.tallies.overdue(7, 1 << 29);
		Tally seventh = this.tallies.of(7);
		assertThat(seventh.overdue()).isEqualTo(2);
		assertThat(seventh.overdueLogarithms()).isEqualTo(59 * FixedPointLog2.ONE);
		assertThat(seventh.calls()).as("none has ended").isZero();
		this.tallies.noneOverdue();
		assertThat(seventh.overdue()).isZero();
		assertThat(seventh.overdueLogarithms()).isZero();
	}

}
