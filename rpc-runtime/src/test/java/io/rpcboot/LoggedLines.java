package io.rpcboot;

import java.util.Arrays;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * What loggers write during a test on its thread, which goes nowhere else: threads that
 * another test has left may still write.
 */
public final class LoggedLines implements BeforeEachCallback, AfterEachCallback {

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {
		@Override
		protected void append(ILoggingEvent line) {
			if (Thread.currentThread() == LoggedLines.this.thread) {
				super.append(line);
			}
		}
	};

	private final Thread thread = Thread.currentThread();

	private final List<Logger> loggers;

	/** Listen to loggers. */
	public LoggedLines(String... names) {
		this.loggers = Arrays.stream(names).map((name) -> (Logger) LoggerFactory.getLogger(name)).toList();
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.lines.start();
		this.loggers.forEach((logger) -> {
			logger.setAdditive(false);
			logger.addAppender(this.lines);
		});
	}

	@Override
	public void afterEach(ExtensionContext context) {
		this.loggers.forEach((logger) -> {
			logger.detachAppender(this.lines);
			logger.setAdditive(true);
			logger.setLevel(null);
		});
	}

	/** Until the end of the test. */
	public void level(Level level) {
		this.loggers.forEach((logger) -> logger.setLevel(level));
	}

	/** The texts so far. */
	public List<String> messages() {
		return this.lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	/** The messages of what the lines so far were written with. */
	public List<String> causes() {
		return this.lines.list.stream().map((line) -> line.getThrowableProxy().getMessage()).toList();
	}

}
