package io.rpcboot.registry.zookeeper;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** What registries write on threads of their own, until this is closed. */
final class RegistryLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger("rpc.registry.zookeeper");

	RegistryLog() {
		start();
		this.logger.addAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		this.lines.add(event.getFormattedMessage());
	}

	/** Those that contain this. */
	List<String> lines(String part) {
		return this.lines.stream().filter((line) -> line.contains(part)).toList();
	}

	boolean said(String part) {
		return !lines(part).isEmpty();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
	}

}
