package io.rpcboot.benchmarks.sick;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what is made of the lines of the processes.
 */
class SickFiguresTests {

	@Test
	void aLineIsACall() {
		assertThat(Call.parse("w 7 1000000 3000000 OK"))
			.isEqualTo(new Call(true, 7, 1_000_000, 3_000_000, "OK", true, ""))
			.satisfies((call) -> assertThat(call.isFailed()).isFalse())
			.satisfies((call) -> assertThat(call.millis()).isEqualTo(2));
	}

	@Test
	void aFailureSaysWhere() {
		Call call = Call.parse("r 7 1 2 UNAVAILABLE false read at 127.0.0.1:5432: it did not execute");
		assertThat(call.isFailed()).isTrue();
		assertThat(call.mayHaveRun()).isFalse();
		assertThat(call.isFailedAt(5432)).isTrue();
		assertThat(call.isFailedAt(543)).isFalse();
	}

	@Test
	void oneInAHundredMayTakeLonger() {
		List<Call> calls = IntStream.rangeClosed(1, 100)
			.mapToObj((n) -> new Call(false, n, n, n + 1_000_000L * n, "OK", true, ""))
			.toList();
		assertThat(Percentiles.p99(calls)).isEqualTo(99);
		assertThat(Percentiles.p99(calls, 1, 11)).isEqualTo(10);
		assertThat(Percentiles.p99(List.of())).isNaN();
	}

	@Test
	void arrivalsAreCountedByTime() {
		Arrivals arrivals = new Arrivals();
		List.of("10 r 1", "20 w 2", "30 r 2").forEach(arrivals::add);
		assertThat(arrivals.count(10, 30)).isEqualTo(2);
		assertThat(arrivals.count(11, 31)).isEqualTo(2);
		assertThat(arrivals.first(11)).isEqualTo(20);
		assertThat(arrivals.first(31)).isZero();
		assertThat(arrivals.numbers()).containsExactly(1L, 2L, 2L);
	}

	@Test
	void theMedianIsJudgedAndZeroIsZero() {
		Table table = new Table("title");
		table.atMost("slow", "p99 ms", 20, "%.1f", 10, 20, 90);
		table.none("kill", "failed", 0, 10);
		assertThat(table.missed()).isEmpty();
		table.atMost("slow", "p99 ms", 20, "%.1f", 10, 20.1, 30);
		table.atMost("slow", "nothing was measured", 20, "%.1f");
		table.none("kill", "failed", 1, 10);
		table.broken("cold", new IllegalStateException("no process"));
		assertThat(table.missed()).hasSize(4);
		assertThat(table.missed().get(0)).isEqualTo("slow, p99 ms: 20.1 (10.0-30.0) (expected: at most 20.0)");
	}

	@Test
	void coldCallsAreCountedAndThenItIsAsIllAsItWasTold() {
		Illness illness = new Illness(1, 20);
		illness.become("slow 100".split(" "));
		assertThat(illness.nanos(2)).isEqualTo(40);
		assertThat(illness.nanos(2)).isEqualTo(200);
		illness.become("stall 1 50".split(" "));
		assertThat(illness.nanos(2)).isEqualTo(50_000_002);
		illness.become("fail 1 UNAVAILABLE".split(" "));
		assertThat(illness.failure()).isEqualTo("UNAVAILABLE");
		illness.become("healthy".split(" "));
		assertThat(illness.failure()).isEmpty();
		assertThat(illness.nanos(2)).isEqualTo(2);
	}

}
