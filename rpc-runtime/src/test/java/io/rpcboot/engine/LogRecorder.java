package io.rpcboot.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** Keeps what is logged from WARN up. */
public final class LogRecorder extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

	private final Logger logger;

	/**
	 * Start recording.
	 * @param name the logger, with those below it
	 */
	public LogRecorder(String name) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
		setContext(this.logger.getLoggerContext());
		start();
		this.logger.addAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
			this.events.add(event);
		}
	}

	List<ILoggingEvent> events() {
		return List.copyOf(this.events);
	}

	/**
	 * What was logged.
	 * @return the messages
	 */
	public List<String> messages() {
		return this.events.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		stop();
	}

}
