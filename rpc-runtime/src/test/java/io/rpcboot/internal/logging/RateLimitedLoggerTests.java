package io.rpcboot.internal.logging;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.rpcboot.LoggedLines;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitedLoggerTests {

	private static final long SECOND = 1_000_000_000L;

	@RegisterExtension
	final LoggedLines lines = new LoggedLines(RateLimitedLoggerTests.class.getName());

	/** The clock of the machine may begin anywhere, below zero too. */
	private long now = Long.MAX_VALUE - SECOND / 2;

	private final RateLimitedLogger log = new RateLimitedLogger(RateLimitedLoggerTests.class.getName(), () -> this.now);

	@Test
	void logger_writesOneLinePerSecondAndCountsSuppressedLines() {
		assertThat(this.log.warn("Closed", "a")).isTrue();
		assertThat(this.log.warn("Closed", "b")).isFalse();
		this.now += SECOND - 1;
		assertThat(this.log.warn("Closed", "c")).isFalse();
		this.now += 1;
		assertThat(this.log.warn("Closed", "d")).isTrue();
		this.now += SECOND;
		assertThat(this.log.warn("Closed", "e")).isTrue();
		assertThat(this.lines.messages()).containsExactly("Closed: a", "Closed: d (2 more like it since the last line)",
				"Closed: e");
	}

	@Test
	void reasons_areLimitedSeparately() {
		assertThat(this.log.warn("Closed", "a")).isTrue();
		assertThat(this.log.warn("Refused", "a")).isTrue();
		assertThat(this.log.warn("Closed", "a")).isFalse();
		assertThat(this.lines.messages()).containsExactly("Closed: a", "Refused: a");
	}

	private boolean warn(String kind, String detail) {
		return this.log.warn("Undeclared", kind, () -> detail, null);
	}

	@Test
	void kinds_areLimitedSeparately() {
		assertThat(warn("a", "1")).isTrue();
		assertThat(warn("a", "2")).isFalse();
		assertThat(warn("b", "3")).isTrue();
		this.now += SECOND;
		assertThat(warn("b", "4")).isTrue();
		assertThat(warn("a", "5")).isTrue();
		assertThat(this.lines.messages()).containsExactly("Undeclared: 1", "Undeclared: 3", "Undeclared: 4",
				"Undeclared: 5 (1 more like it since the last line)");
	}

	@Test
	void manyKinds_shareLinesOfSecond_afterFirstOfEach() {
		for (int round = 0; round < 2; round++) {
			for (int kind = 0; kind < 50; kind++) {
				warn("kind " + kind, "round " + round);
			}
			this.now += SECOND;
		}
		assertThat(this.lines.messages().stream().filter("Undeclared: round 0"::equals)).hasSize(50);
		assertThat(this.lines.messages().stream().filter("Undeclared: round 1"::equals)).hasSize(20);
		assertThat(warn("kind 49", "later")).isTrue();
		assertThat(warn("new", "first")).isTrue();
		assertThat(this.lines.messages()).endsWith("Undeclared: later (1 more like it since the last line)",
				"Undeclared: first");
	}

	@Test
	void cause_isLogged_withStackTrace() {
		this.log.warn("Undeclared", "m", () -> "m {}", new IllegalStateException("why"));
		assertThat(this.lines.messages()).containsExactly("Undeclared: m {}");
		assertThat(this.lines.causes().get(0)).isEqualTo("why");
	}

}
