package io.rpcboot.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SurvivedErrorLogTests {

	private final List<String> lines = new ArrayList<>();

	private long nanos;

	private boolean noMemory;

	private final SurvivedErrorLog log = new SurvivedErrorLog(() -> this.nanos, (where, failure, leftOut) -> {
		if (this.noMemory) {
			throw new OutOfMemoryError("no line either");
		}
		this.lines.add("%s: %s, %d left out".formatted(where, failure.getMessage(), leftOut));
	});

	private void laterBy(long millis) {
		this.nanos += TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@Test
	void fatalErrors_areLoggedOncePerKindAndSecond() {
		this.log.survived("loop", new OutOfMemoryError("a"));
		this.log.survived("loop", new OutOfMemoryError("b"));
		this.log.survived("loop", new StackOverflowError("c"));
		this.log.survived("loop", new NoClassDefFoundError("d"));
		this.log.survived("loop", new AssertionError("e"));
		this.log.survived("loop", new IllegalStateException("f"));
		laterBy(999);
		this.log.survived("loop", new OutOfMemoryError("g"));
		laterBy(1);
		this.log.survived("loop", new OutOfMemoryError("h"));
		assertThat(this.lines).containsExactly("loop: a, 0 left out", "loop: c, 0 left out", "loop: d, 0 left out",
				"loop: e, 0 left out", "loop: f, 0 left out", "loop: h, 2 left out");
	}

	@Test
	void errors_areLoggedOncePerPlaceAndClass() {
		this.log.survived("loop", new IllegalStateException("a"));
		this.log.survived("loop", new IllegalStateException("b"));
		this.log.survived("timer", new IllegalStateException("c"));
		this.log.survived("loop", new NullPointerException("d"));
		this.log.survived("timer", new OutOfMemoryError("e"));
		this.log.survived("loop", new OutOfMemoryError("f"));
		laterBy(1000);
		this.log.survived("loop", new IllegalStateException("g"));
		assertThat(this.lines).containsExactly("loop: a, 0 left out", "timer: c, 0 left out", "loop: d, 0 left out",
				"timer: e, 0 left out", "loop: g, 1 left out");
	}

	@Test
	void places_shareLogLine_beyondBound() {
		for (int i = 0; i < 260; i++) {
			this.log.survived("place " + i, new IllegalStateException("a"));
		}
		assertThat(this.lines).hasSize(257).endsWith("place 256: a, 0 left out");
		laterBy(1000);
		this.log.survived("place 300", new IllegalStateException("b"));
		assertThat(this.lines).endsWith("place 300: b, 3 left out");
	}

	@Test
	void unloggedError_isLogged_afterRetry() {
		this.noMemory = true;
		this.log.survived("loop", new OutOfMemoryError("first"));
		this.log.retry();
		assertThat(this.lines).isEmpty();
		laterBy(1000);
		this.log.retry();
		this.noMemory = false;
		laterBy(1000);
		this.log.retry();
		this.log.retry();
		assertThat(this.lines).containsExactly("Earlier, when it could not be logged: first, 0 left out");
	}

	@Test
	void unloggedError_isLogged_withNextError() {
		this.noMemory = true;
		this.log.survived("loop", new OutOfMemoryError("first"));
		this.noMemory = false;
		laterBy(1000);
		this.log.survived("acceptor", new StackOverflowError("second"));
		assertThat(this.lines).containsExactly("acceptor: second, 0 left out",
				"Earlier, when it could not be logged: first, 0 left out");
	}

}
