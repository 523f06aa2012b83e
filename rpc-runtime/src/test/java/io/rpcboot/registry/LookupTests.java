package io.rpcboot.registry;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class LookupTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final HandDrivenLookups hands = new HandDrivenLookups();

	private final AtomicInteger asked = new AtomicInteger();

	private final List<String> answers = new ArrayList<>();

	private volatile Callable<String> question = () -> "answer " + this.asked.get();

	private final Lookup<String> lookup = new Lookup<>("the source", () -> {
		this.asked.incrementAndGet();
		return this.question.call();
	}, this.answers::add, INTERVAL, this.hands.threads());

	@Test
	void lookup_asksAtOnceThenAtEachInterval() {
		this.lookup.now();
		this.hands.pass(Duration.ZERO);
		assertThat(this.answers).containsExactly("answer 1");
		this.hands.pass(INTERVAL.minusMillis(1));
		assertThat(this.answers).hasSize(1);
		this.hands.pass(Duration.ofMillis(1));
		assertThat(this.answers).containsExactly("answer 1", "answer 2");
		this.hands.pass(INTERVAL.multipliedBy(10));
		assertThat(this.asked).hasValue(12);
	}

	@Test
	void lookup_asksOnRequestAtMostOncePerSecond() {
		this.lookup.now();
		this.hands.pass(Duration.ofSeconds(3));
		this.lookup.now();
		this.hands.pass(Duration.ZERO);
		assertThat(this.asked).hasValue(2);
		for (int i = 0; i < 100; i++) {
			this.lookup.now();
			this.hands.pass(Duration.ofMillis(10));
		}
		assertThat(this.asked).as("after a second").hasValue(3);
		this.hands.pass(INTERVAL.minusSeconds(1));
		assertThat(this.asked).as("requests leave nothing behind").hasValue(3);
		this.hands.pass(Duration.ofSeconds(1));
		assertThat(this.asked).hasValue(4);
	}

	@Test
	void failedQuestion_keepsLastAnswerAndIsRepeated() {
		this.lookup.now();
		this.hands.pass(Duration.ZERO);
		this.question = () -> {
			throw new IOException("nobody there");
		};
		this.hands.pass(INTERVAL);
		this.hands.pass(Duration.ofSeconds(5));
		assertThat(this.answers).containsExactly("answer 1");
		assertThat(this.lookup.problem()).isEqualTo("the source: IOException: nobody there, for 5 s");
		this.hands.pass(INTERVAL);
		assertThat(this.lookup.problem()).as("since the first failure").endsWith(", for 15 s");
		this.question = () -> "back";
		this.hands.pass(INTERVAL);
		assertThat(this.answers).containsExactly("answer 1", "back");
		assertThat(this.lookup.problem()).isEmpty();
	}

	@Test
	void lookup_continues_afterError() {
		this.question = () -> {
			throw new StackOverflowError();
		};
		this.lookup.now();
		this.hands.pass(INTERVAL);
		assertThat(this.asked).hasValue(2);
	}

	@Test
	void hangingQuestion_isNotAskedAgain_untilItEnds() {
		this.lookup.now();
		this.hands.passWithoutWorkers(Duration.ZERO);
		for (int i = 0; i < 100; i++) {
			this.lookup.now();
			this.hands.passWithoutWorkers(INTERVAL);
		}
		assertThat(this.hands.waiting()).isEqualTo(1);
		assertThat(this.hands.timers()).as("nothing piles up").isZero();
		assertThat(this.lookup.problem()).startsWith("the source: no answer, for ");
		this.hands.runWorkers();
		assertThat(this.answers).containsExactly("answer 1");
		this.hands.pass(Duration.ZERO);
		assertThat(this.answers).as("it was asked for meanwhile").containsExactly("answer 1", "answer 2");
	}

	@Test
	void hangingQuestion_isInterruptedAndAskedAgain() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		this.question = () -> {
			entered.countDown();
			new CountDownLatch(1).await();
			return "never";
		};
		AtomicReference<Boolean> left = new AtomicReference<>();
		this.lookup.now();
		this.hands.passWithoutWorkers(Duration.ZERO);
		Thread worker = new Thread(() -> {
			this.hands.runWorkers();
			left.set(Thread.currentThread().isInterrupted());
		});
		worker.start();
		assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
		this.hands.passWithoutWorkers(Duration.ofSeconds(30));
		worker.join();
		assertThat(left.get()).as("the interrupt was for the question alone").isFalse();
		assertThat(this.lookup.problem()).startsWith("the source: InterruptedException");
		this.question = () -> "at last";
		this.hands.pass(INTERVAL);
		assertThat(this.answers).containsExactly("at last");
	}

	@Test
	void lookup_asksAndReportsNothing_afterClose() {
		this.lookup.now();
		this.hands.passWithoutWorkers(Duration.ZERO);
		this.question = () -> {
			this.lookup.close();
			return "late";
		};
		this.hands.runWorkers();
		this.lookup.now();
		this.hands.pass(INTERVAL);
		assertThat(this.asked).hasValue(1);
		assertThat(this.answers).isEmpty();
		assertThat(this.hands.timers()).isZero();
	}

}
