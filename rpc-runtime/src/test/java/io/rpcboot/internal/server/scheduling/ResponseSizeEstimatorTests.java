package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseSizeEstimatorTests {

	private static final int SMALL = 64 * 1024;

	private final ResponseSizeEstimator sizes = new ResponseSizeEstimator(true);

	/** A little after the estimator was made. */
	private final long start = System.nanoTime();

	@Test
	void expectedSize_isZero_initially() {
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void smallResults_areNotExpected() {
		this.sizes.accept(SMALL);
		made(SMALL, 0);
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void growingResult_raisesExpectedSize_beforeItIsComplete() {
		this.sizes.accept(SMALL + 1);
		assertThat(this.sizes.expected).isEqualTo(SMALL + 1);
		this.sizes.accept(1_000_000);
		assertThat(this.sizes.expected).isEqualTo(1_000_000);
		this.sizes.accept(500_000);
		assertThat(this.sizes.expected).as("it may be larger in the end").isEqualTo(1_000_000);
	}

	@Test
	void largerResult_raisesExpectedSizeAtOnce() {
		made(100_000, 0);
		assertThat(this.sizes.expected).isEqualTo(100_000);
		made(8_000_000, 1);
		assertThat(this.sizes.expected).isEqualTo(8_000_000);
	}

	@Test
	void expectedSize_isLargestOfThisAndLastSecond() {
		for (int i = 0; i < 8; i++) { // the size is known then
			made(1_000_000, 0);
		}
		made(200_000, 500);
		assertThat(this.sizes.expected).isEqualTo(1_000_000);
		made(300_000, 1000);
		assertThat(this.sizes.expected).as("the first one is of the last second").isEqualTo(1_000_000);
		made(100_000, 1999);
		assertThat(this.sizes.expected).isEqualTo(1_000_000);
		made(100_000, 2000);
		assertThat(this.sizes.expected).isEqualTo(300_000);
		made(100, 3000);
		assertThat(this.sizes.expected).isEqualTo(100_000);
		made(100, 4000);
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void expectedSize_isKept_whileShortResultsAreMany() {
		made(7_000_000, 0);
		for (int i = 0; i < 100_000; i++) {
			made(100, i % 1000);
		}
		assertThat(this.sizes.expected).isEqualTo(7_000_000);
	}

	@Test
	void results_areSmall_untilOneIsCharged() {
		assertThat(this.sizes.areSmall()).isTrue();
		this.sizes.entered();
		assertThat(this.sizes.areSmall()).isFalse();
	}

	@Test
	void expectedSize_isKept_whileMemoryIsShort() {
		this.sizes.made(7_000_000, false, this.start);
		for (int second = 1; second < 100; second++) {
			this.sizes.made(100, false, this.start + TimeUnit.SECONDS.toNanos(second));
		}
		assertThat(this.sizes.expected).isEqualTo(7_000_000);
		this.sizes.made(8_000_000, false, this.start + TimeUnit.SECONDS.toNanos(100));
		assertThat(this.sizes.expected).isEqualTo(8_000_000);
	}

	@Test
	void sizeOfResults_isUnknown_untilEightCallsAreAnswered() {
		ResponseSizeEstimator unknown = new ResponseSizeEstimator(false);
		assertThat(unknown.expected).isEqualTo(SMALL);
		assertThat(unknown.begin(2)).isTrue();
		assertThat(unknown.begin(2)).isTrue();
		for (int i = 0; i < 8; i++) {
			assertThat(unknown.begin(2)).as("after %d answers", i).isFalse();
			unknown.made((i == 0) ? 100_000 : 0, true, this.start + TimeUnit.SECONDS.toNanos(i));
		}
		assertThat(unknown.begin(2)).isTrue();
		assertThat(unknown.expected).as("the largest of the eight").isEqualTo(100_000);
	}

	@Test
	void sizeOfShortResults_isZero_onceItIsKnown() {
		ResponseSizeEstimator unknown = new ResponseSizeEstimator(false);
		for (int i = 0; i < 8; i++) {
			unknown.made(1000, false, this.start);
		}
		assertThat(unknown.expected).isZero();
	}

	@Test
	void sizeOfResults_isUnknownAgain_afterOneOfMoreThanTwiceTheEstimate() {
		assertThat(this.sizes.begin(1)).as("one runs all the time").isTrue();
		this.sizes.accept(2 * SMALL);
		assertThat(begins()).isTrue();
		made(2 * SMALL, 0);
		this.sizes.accept(3 * SMALL);
		this.sizes.accept(4 * SMALL);
		assertThat(begins()).isTrue();
		this.sizes.accept(4 * SMALL + 2);
		assertThat(begins()).as("the next may be longer still").isFalse();
		for (int i = 0; i < 8; i++) {
			made(4 * SMALL + 2, 0);
		}
		assertThat(begins()).isTrue();
		this.sizes.accept(8 * SMALL + 4);
		assertThat(begins()).as("twice of that is no surprise").isTrue();
	}

	@Test
	void waitingCalls_leaveInOrder_oneForEachEndUntilSizeIsKnown() {
		ResponseSizeEstimator unknown = new ResponseSizeEstimator(false);
		ScheduledCall first = new HandDrivenServer(1 << 16, "x").newCall(Long.MAX_VALUE);
		ScheduledCall second = new HandDrivenServer(1 << 16, "x").newCall(Long.MAX_VALUE);
		ScheduledCall third = new HandDrivenServer(1 << 16, "x").newCall(Long.MAX_VALUE);
		assertThat(unknown.await(first, 1)).as("none runs").isFalse();
		assertThat(unknown.begin(1)).isTrue();
		assertThat(unknown.await(first, 1)).isTrue();
		assertThat(unknown.await(second, 1)).isTrue();
		assertThat(unknown.await(third, 1)).isTrue();
		assertThat(unknown.end()).containsExactly(first);
		assertThat(unknown.leave(first)).isFalse();
		assertThat(unknown.begin(1)).isTrue();
		for (int i = 0; i < 8; i++) {
			unknown.made(0, true, this.start);
		}
		assertThat(unknown.end()).containsExactly(second, third);
	}

	@ParameterizedTest
	@CsvSource({ "number, 0", "later, 0", "kind, 0", "nothing, 0", "elements, 0", "text, 65536", "laterText, 65536" })
	void resultType_tellsWhetherSizeIsKnown(String method, int expected) {
		MethodDescriptor descriptor = ServiceDescriptor.of(Shapes.class)
			.methods()
			.stream()
			.filter((each) -> each.name().equals(method))
			.findFirst()
			.orElseThrow();
		assertThat(ResponseSizeEstimator.of(descriptor).expected).isEqualTo(expected);
	}

	/** Results of all shapes. */
	public interface Shapes {

		long number();

		CompletableFuture<Integer> later();

		TimeUnit kind();

		void nothing();

		Flow.Publisher<String> elements();

		String text();

		CompletableFuture<String> laterText();

	}

	/** Returns true if a call begins beside another one of which nothing is known. */
	private boolean begins() {
		boolean begins = this.sizes.begin(1);
		if (begins) {
			this.sizes.end();
		}
		return begins;
	}

	private void made(int bytes, long millis) {
		this.sizes.made(bytes, true, this.start + TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
