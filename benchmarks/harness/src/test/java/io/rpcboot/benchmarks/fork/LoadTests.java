package io.rpcboot.benchmarks.fork;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.PayloadEcho;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of every {@link Load}: what is counted, and that nothing wrong passes.
 */
class LoadTests {

	private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

	@BeforeAll
	static void prepareArguments() {
		BenchCall.ECHO.invoke(new FaultyService(0, 0), 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "blocking:3:0:0", "async:1:16:0", "async:4:16:0", "blocking:2:0:500", "async:2:8:500" })
	void everyAnsweredCallIsCountedOnce(String load) throws Exception {
		FaultyService service = new FaultyService(0, 0);
		Slice slice = run(load, service);
		assertThat(slice.calls()).isEqualTo(service.calls()).isPositive();
		assertThat(slice.elapsedNanos()).isPositive();
		assertThat(slice.latencies().p999Nanos()).isGreaterThanOrEqualTo(slice.latencies().p50Nanos());
	}

	@ParameterizedTest
	@ValueSource(strings = { "blocking:3:0:0", "async:4:16:0", "blocking:2:0:5000", "async:2:8:5000" })
	void aWrongAnswerFailsTheRun(String load) {
		assertThatIllegalStateException().isThrownBy(() -> run(load, new FaultyService(5, 0)))
			.withMessageContaining("echo")
			.withMessageContaining("wrong answer");
	}

	@ParameterizedTest
	@ValueSource(strings = { "blocking:3:0:0", "async:4:16:0" })
	void aFailedCallFailsTheRun(String load) {
		assertThatIllegalStateException().isThrownBy(() -> run(load, new FaultyService(0, 5)))
			.withMessageContaining("out of order");
	}

	@Test
	void aFixedRateIsKept() throws Exception {
		Slice slice = Load.of(LoadSpec.blocking(2).atRate(1_000))
			.run(List.of(new FaultyService(0, 0)), BenchCall.ECHO, TimeUnit.MILLISECONDS.toNanos(100));
		assertThat(slice.calls()).isEqualTo(100);
	}

	@Test
	void callersShareTheClients() throws Exception {
		FaultyService first = new FaultyService(0, 0);
		FaultyService second = new FaultyService(0, 0);
		Slice slice = Load.of(LoadSpec.blocking(4)).run(List.of(first, second), BenchCall.ECHO, SHORT);
		assertThat(first.calls()).isPositive();
		assertThat(second.calls()).isPositive();
		assertThat(slice.calls()).isEqualTo(first.calls() + second.calls());
	}

	@Test
	void aNumberOfCallsIsMadeExactly() throws Exception {
		FaultyService service = new FaultyService(0, 0);
		assertThat(new CountedLoad(3, 100).run(service, BenchCall.ECHO).calls()).isEqualTo(100);
		assertThat(service.calls()).isEqualTo(100);
	}

	@Test
	void aBurstCountsTheFastCallsOnly() throws Exception {
		FaultyService service = new FaultyService(0, 0);
		Slice slice = Load.of(LoadSpec.burst()).run(List.of(service), BenchCall.ECHO, 1);
		assertThat(slice.calls()).isEqualTo(BurstLoad.FAST);
		assertThat(service.calls()).isEqualTo(BurstLoad.FAST);
	}

	@Test
	void whatIsFiredIsAnsweredOrFailed() throws Exception {
		Fired fired = new FiringLoad(BenchCall.ECHO, TimeUnit.SECONDS.toNanos(1)).run(new FaultyService(3, 5), SHORT);
		assertThat(fired.failedEarly()).isEqualTo(2);
		assertThat(fired.failedLate()).isZero();
		assertThat(fired.sent()).isEqualTo(fired.answered() + 2);
	}

	@Test
	void aCallThatFailsAtItsDeadlineHasNotFailedBefore() throws Exception {
		Fired fired = new FiringLoad(BenchCall.ECHO, 0).run(new FaultyService(0, 5), SHORT);
		assertThat(fired.failedEarly()).isZero();
		assertThat(fired.failedLate()).isOne();
	}

	@Test
	void aSliceSurvivesTheWayToTheDriver() throws Exception {
		Slice slice = run("blocking:2:0:0", new FaultyService(0, 0));
		assertThat(Slice.parse(slice.toLine())).isEqualTo(slice);
		Fired fired = new Fired(4, 1, 2, 1);
		assertThat(Fired.parse(fired.toLine())).isEqualTo(fired);
	}

	@Test
	void aBodyOfAnySizeIsEchoed() throws Exception {
		FaultyService service = new FaultyService(0, 0);
		Slice slice = Load.of(LoadSpec.parse("blocking:2:0:0:65536"))
			.run(List.of(service), new PayloadEcho(65_536), SHORT);
		assertThat(slice.calls()).isEqualTo(service.calls()).isPositive();
		assertThatIllegalStateException()
			.isThrownBy(() -> Load.of(LoadSpec.blocking(2))
				.run(List.of(new FaultyService(5, 0)), new PayloadEcho(65_536), SHORT))
			.withMessageContaining("wrong answer");
	}

	private static Slice run(String load, FaultyService service) throws Exception {
		return Load.of(LoadSpec.parse(load)).run(List.of(service), BenchCall.ECHO, SHORT);
	}

}
