package io.rpcboot.spring.logging;

import java.util.Map;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Propagates the MDC entries of a call to other threads with Micrometer's context
 * propagation. Found by the service loader.
 *
 * @since 0.1.0
 */
public final class LogEntriesAccessor implements ThreadLocalAccessor<Map<String, String>> {

	/** Key of the accessor. */
	public static final String KEY = "io.rpcboot.log";

	/** Creates an accessor. For the service loader. */
	public LogEntriesAccessor() {
	}

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public @Nullable Map<String, String> getValue() {
		return LogEntries.current();
	}

	@Override
	public void setValue(Map<String, String> values) {
		LogEntries.set(values);
	}

	@Override
	public void setValue() {
		LogEntries.set(null);
	}

}
