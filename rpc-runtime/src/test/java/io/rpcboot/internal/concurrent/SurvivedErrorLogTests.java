package io.rpcboot.internal.concurrent;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.engine.fixture.LogRecorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SurvivedErrorLogTests {

	private final LogRecorder recorder = new LogRecorder("rpc.engine");

	private long nanos;

	private final SurvivedErrorLog log = new SurvivedErrorLog(() -> this.nanos);

	@AfterEach
	void stop() {
		this.recorder.close();
	}

	private void laterBy(long millis) {
		this.nanos += TimeUnit.MILLISECONDS.toNanos(millis);
	}

	/** Lines without the thread: place, class, message, and the number left out. */
	private List<String> lines() {
		return this.recorder.messages()
			.stream()
			.map((line) -> line.replaceFirst(": thread .* goes on after java\\.lang\\.", ": "))
			.toList();
	}

	@Test
	void failures_areLoggedOncePerPlaceClassAndSecond() {
		this.log.survived("loop", new IllegalStateException("a"));
		this.log.survived("loop", new IllegalStateException("b"));
		this.log.survived("timer", new IllegalStateException("c"));
		this.log.survived("loop", new NullPointerException("d"));
		laterBy(999);
		this.log.survived("loop", new IllegalStateException("e"));
		laterBy(1);
		this.log.survived("loop", new IllegalStateException("f"));
		assertThat(lines()).containsExactly("loop: IllegalStateException: a", "timer: IllegalStateException: c",
				"loop: NullPointerException: d", "loop: IllegalStateException: f (2 more like it since the last line)");
	}

	@Test
	void places_shareLogLine_beyondBound() {
		for (int i = 0; i < 260; i++) {
			this.log.survived("place " + i, new IllegalStateException("a"));
		}
		assertThat(lines()).hasSize(257).endsWith("place 256: IllegalStateException: a");
		laterBy(1000);
		this.log.survived("place 300", new IllegalStateException("b"));
		assertThat(lines()).endsWith("place 300: IllegalStateException: b (3 more like it since the last line)");
	}

	@Test
	void unprintableFailure_isIgnored() {
		this.log.survived("loop", new IllegalStateException("a") {

			private static final long serialVersionUID = 1;

			@Override
			public String toString() {
				throw new StackOverflowError("no line");
			}

		});
		assertThat(lines()).isEmpty();
	}

}
