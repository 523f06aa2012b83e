package io.rpcboot.samples.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Tests the show of the quickstart without its applications. */
class ShowTests {

	@Test
	void argument_selectsShow() {
		assertThat(Show.of("--x=1", "--quickstart.show=slow-method")).isEqualTo(Show.SLOW_METHOD);
		assertThat(Show.of("--quickstart.show-turn=1s")).isNull();
		assertThatIllegalArgumentException().isThrownBy(() -> Show.of("--quickstart.show=fireworks"))
			.withMessageStartingWith(
					"quickstart.show: fireworks (expected: one of slow-method, provider-comes-and-goes");
	}

	@Test
	void scene_alternates_whenStepFails() throws InterruptedException {
		AtomicInteger begun = new AtomicInteger();
		CountDownLatch ended = new CountDownLatch(2);
		CountDownLatch shopped = new CountDownLatch(1);
		Scene scene = new Scene(() -> {
			if (begun.incrementAndGet() == 1) {
				throw new IllegalStateException("no luck");
			}
		}, ended::countDown);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		Crowd shoppers = new Crowd(1, Duration.ofMillis(1), shopped::countDown);
		try (Stage stage = new Stage(new PrintStream(bytes, true, StandardCharsets.UTF_8), Show.BURST, scene,
				shoppers)) {
			stage.open(Duration.ofMillis(20));
			assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
			assertThat(shopped.await(20, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(begun.get()).isGreaterThanOrEqualTo(2);
		assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("no luck").contains("Show: they stop");
	}

	@Test
	void crowd_continuesUntilEnd_whenCallsFail() throws InterruptedException {
		CountDownLatch calls = new CountDownLatch(3);
		Crowd crowd = new Crowd(2, Duration.ZERO, () -> {
			calls.countDown();
			throw new IllegalStateException("no luck");
		});
		crowd.begin();
		assertThat(calls.await(20, TimeUnit.SECONDS)).isTrue();
		crowd.end();
		crowd.end();
	}

}
