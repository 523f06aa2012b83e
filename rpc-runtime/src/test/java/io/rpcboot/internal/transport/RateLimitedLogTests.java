package io.rpcboot.internal.transport;

import java.util.List;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitedLogTests {

	private static final long SECOND = 1_000_000_000L;

	private final Logger logger = (Logger) LoggerFactory.getLogger(RateLimitedLogTests.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	/** The clock of the machine may begin anywhere, below zero too. */
	private long now = Long.MAX_VALUE - SECOND / 2;

	private final RateLimitedLog log = new RateLimitedLog(RateLimitedLogTests.class, () -> this.now);

	@BeforeEach
	void listen() {
		this.logger.setAdditive(false);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void leave() {
		this.logger.detachAppender(this.lines);
		this.logger.setAdditive(true);
	}

	private List<String> messages() {
		return this.lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	@Test
	void writesOneLineASecondAndCountsTheRest() {
		assertThat(this.log.warn("Closed", "a")).isTrue();
		assertThat(this.log.warn("Closed", "b")).isFalse();
		this.now += SECOND - 1;
		assertThat(this.log.warn("Closed", "c")).isFalse();
		this.now += 1;
		assertThat(this.log.warn("Closed", "d")).isTrue();
		this.now += SECOND;
		assertThat(this.log.warn("Closed", "e")).isTrue();
		assertThat(messages()).containsExactly("Closed: a", "Closed: d (2 more like it since the last line)",
				"Closed: e");
	}

	@Test
	void reasonsDoNotDisturbEachOther() {
		assertThat(this.log.warn("Closed", "a")).isTrue();
		assertThat(this.log.warn("Refused", "a")).isTrue();
		assertThat(this.log.warn("Closed", "a")).isFalse();
		assertThat(messages()).containsExactly("Closed: a", "Refused: a");
	}

	private boolean warn(String kind, String detail) {
		return this.log.warn("Undeclared", kind, () -> detail, null);
	}

	@Test
	void kindsDoNotDisturbEachOther() {
		assertThat(warn("a", "1")).isTrue();
		assertThat(warn("a", "2")).isFalse();
		assertThat(warn("b", "3")).isTrue();
		this.now += SECOND;
		assertThat(warn("b", "4")).isTrue();
		assertThat(warn("a", "5")).isTrue();
		assertThat(messages()).containsExactly("Undeclared: 1", "Undeclared: 3", "Undeclared: 4",
				"Undeclared: 5 (1 more like it since the last line)");
	}

	@Test
	void manyKindsShareTheLinesOfASecondAfterTheFirstOfEach() {
		for (int round = 0; round < 2; round++) {
			for (int kind = 0; kind < 50; kind++) {
				warn("kind " + kind, "round " + round);
			}
			this.now += SECOND;
		}
		assertThat(messages().stream().filter("Undeclared: round 0"::equals)).hasSize(50);
		assertThat(messages().stream().filter("Undeclared: round 1"::equals)).hasSize(20);
		assertThat(warn("kind 49", "later")).isTrue();
		assertThat(warn("new", "first")).isTrue();
		assertThat(messages()).endsWith("Undeclared: later (1 more like it since the last line)", "Undeclared: first");
	}

	@Test
	void causeIsLoggedWithItsTrace() {
		this.log.warn("Undeclared", "m", () -> "m {}", new IllegalStateException("why"));
		assertThat(messages()).containsExactly("Undeclared: m {}");
		assertThat(this.lines.list.get(0).getThrowableProxy().getMessage()).isEqualTo("why");
	}

}
