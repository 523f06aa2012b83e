package io.rpcboot.samples.tracing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** Keeps the lines of a logger with what stands in their MDC. */
final class Recorder extends AppenderBase<ILoggingEvent> {

	private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

	private final Logger logger;

	Recorder(String name) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
		setContext(this.logger.getLoggerContext());
		start();
		this.logger.addAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		event.prepareForDeferredProcessing();
		this.events.add(event);
	}

	List<ILoggingEvent> events() {
		return List.copyOf(this.events);
	}

	/** The line with a message. */
	ILoggingEvent line(String message) {
		return this.events.stream()
			.filter((event) -> event.getFormattedMessage().equals(message))
			.findFirst()
			.orElseThrow(() -> new AssertionError("no line '" + message + "' in " + this.events));
	}

	void clear() {
		this.events.clear();
	}

	void close() {
		this.logger.detachAppender(this);
		stop();
	}

}
