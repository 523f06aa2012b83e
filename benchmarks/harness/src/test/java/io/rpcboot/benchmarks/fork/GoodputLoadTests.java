package io.rpcboot.benchmarks.fork;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link GoodputLoad}, {@link EndCounter} and {@link Ends}.
 */
class GoodputLoadTests {

	private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	@BeforeAll
	static void prepareArguments() {
		BenchCall.ECHO.invoke(new FaultyService(0, 0), 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "blocking:3:0:0", "fire:2:0:0", "fire:2:0:2000" })
	void everyCallEndsOnceAndFailuresAreCountedByStatus(String load) throws Exception {
		FaultyService service = new FaultyService(3, 5);
		Ends ends = run(load, List.of(service));
		assertThat(ends.started()).isEqualTo(service.calls());
		assertThat(ends.failures()).isEqualTo(Map.of(EndCounter.WRONG, 1L, "IllegalStateException", 1L));
		assertThat(ends.inTime()).isEqualTo(ends.started() - 2);
		assertThat(ends.unended()).isZero();
		assertThat(ends.failed()).isEqualTo(2);
	}

	@Test
	void callersTakeOneClientAfterTheOther() throws Exception {
		List<FaultyService> services = List.of(new FaultyService(0, 0), new FaultyService(0, 0),
				new FaultyService(0, 0));
		Ends ends = run("fire:1:0:0", List.copyOf(services));
		assertThat(services).allMatch((service) -> service.calls() >= ends.started() / 3);
	}

	@Test
	void anOpenLoopKeepsItsRate() throws Exception {
		assertThat(run("fire:2:0:1000", List.of(new FaultyService(0, 0))).started()).isLessThanOrEqualTo(200);
	}

	@Test
	void otherLoadsAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> run("async:1:1:0", List.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> Load.of(LoadSpec.fire(1)));
	}

	private static Ends run(String load, List<BenchService> services) throws Exception {
		return new GoodputLoad(LoadSpec.parse(load), BenchCall.ECHO, TimeUnit.SECONDS.toNanos(10),
				(failure) -> failure.getClass().getSimpleName())
			.run(services, SHORT);
	}

	@Test
	void anEndAfterTheTimeoutIsLateWhateverItIs() {
		long now = System.nanoTime();
		EndCounter counter = counter(50 * MILLI, now + TimeUnit.MINUTES.toNanos(1));
		byte[] right = (byte[]) BenchCall.ECHO.invoke(new FaultyService(0, 0), 0);
		counter.end(0, System.nanoTime(), right, null);
		counter.end(1, now - 60 * MILLI, right, null);
		counter.end(2, now - 1_050 * MILLI, null, new CompletionException(new IllegalStateException()));
		counter.end(3, System.nanoTime(), null, new IllegalStateException());
		Ends ends = counter.ends(5, 7);
		assertThat(ends.inTime()).isOne();
		assertThat(ends.answeredLate()).isOne();
		assertThat(ends.failures()).isEqualTo(Map.of("IllegalStateException", 2L));
		assertThat(ends.late()).isEqualTo(2);
		assertThat(ends.veryLate()).isOne();
		assertThat(ends.lateMaxNanos()).isGreaterThanOrEqualTo(1_000 * MILLI);
		assertThat(ends.lateP999Nanos()).isGreaterThanOrEqualTo(980 * MILLI);
		assertThat(ends.unended()).isOne();
		assertThat(ends.longestPauseNanos()).isEqualTo(7);
	}

	@Test
	void anAnswerAfterTheLoadIsInTimeButNotInTheWindow() {
		EndCounter counter = counter(TimeUnit.MINUTES.toNanos(1), System.nanoTime());
		counter.end(0, System.nanoTime(), BenchCall.ECHO.invoke(new FaultyService(0, 0), 0), null);
		assertThat(counter.ends(1, 0).inTime()).isOne();
		assertThat(counter.ends(1, 0).inWindow()).isZero();
	}

	private static EndCounter counter(long timeout, long windowEnd) {
		return new EndCounter(BenchCall.ECHO, (failure) -> failure.getClass().getSimpleName(), timeout, windowEnd);
	}

	@Test
	void endsSurviveTheWayToTheDriverAndAddUp() {
		Ends ends = new Ends(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Map.of("A", 1L, "B", 2L));
		assertThat(Ends.parse(ends.toLine())).isEqualTo(ends);
		Ends none = new Ends(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of());
		assertThat(Ends.parse(none.toLine())).isEqualTo(none);
		assertThat(ends.and(new Ends(1, 1, 1, 1, 1, 1, 1, 80, 0, 11, Map.of("B", 1L))))
			.isEqualTo(new Ends(2, 3, 4, 5, 6, 7, 8, 80, 9, 11, Map.of("A", 1L, "B", 3L)));
	}

}
