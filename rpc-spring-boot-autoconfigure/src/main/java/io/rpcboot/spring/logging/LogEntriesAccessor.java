package io.rpcboot.spring.logging;

import java.util.Map;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Takes the attachments that a call has in the lines of its log along to other threads,
 * wherever Micrometer's context propagation is used. Found by that library.
 */
public final class LogEntriesAccessor implements ThreadLocalAccessor<Map<String, String>> {

	/** Under what it is known. */
	public static final String KEY = "io.rpcboot.log";

	/** Create an accessor. For the service loader. */
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
