package io.rpcboot.benchmarks.workload;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link CapacityService} and {@link SleepCall}.
 */
class CapacityServiceTests {

	@ParameterizedTest
	@ValueSource(strings = { CapacityService.UNLIMITED, CapacityService.BURN, "permits:2" })
	void everyExecutionIsCounted(String word) {
		CapacityService service = CapacityService.of(word);
		SleepCall call = new SleepCall(1);
		assertThat(call.isRight(0, call.invoke(service, 0))).isTrue();
		assertThat(call.isRight(1, call.invokeAsync(service, 1).join())).isTrue();
		assertThat(call.isRight(1, 2)).isFalse();
		assertThat(service.executed()).isEqualTo(2);
		assertThat(service.running()).isZero();
	}

	@Test
	void noMoreSleepAtATimeThanThereArePermits() {
		CapacityService service = CapacityService.of(CapacityService.permits(2));
		long start = System.nanoTime();
		List<CompletableFuture<Integer>> calls = Stream
			.generate(() -> CompletableFuture.supplyAsync(() -> service.sleep(20), (task) -> new Thread(task).start()))
			.limit(6)
			.toList();
		calls.forEach(CompletableFuture::join);
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
	}

	@Test
	void aHandlerThatBurnsTakesProcessorTime() {
		long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
		CapacityService.of(CapacityService.BURN).sleep(5);
		assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before)
			.isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
	}

	@Test
	void anotherWordIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> CapacityService.of("fast"))
			.withMessageStartingWith("capacity: fast");
	}

}
