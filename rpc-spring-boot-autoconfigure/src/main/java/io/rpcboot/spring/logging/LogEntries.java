package io.rpcboot.spring.logging;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What the call that a thread serves has put into its MDC. What stood there before under
 * the same keys comes back at the end.
 */
final class LogEntries {

	private static final ThreadLocal<@Nullable LogEntries> CURRENT = new ThreadLocal<>();

	private final Map<String, String> values;

	/** By key; null for one that had no value. */
	private final Map<String, @Nullable String> replaced = new HashMap<>();

	private LogEntries(Map<String, String> values) {
		this.values = values;
	}

	/** What the calling thread has; null for nothing. */
	static @Nullable Map<String, String> current() {
		LogEntries entries = CURRENT.get();
		return (entries != null) ? entries.values : null;
	}

	/**
	 * Let the calling thread have other entries.
	 * @param values null for none
	 */
	static void set(@Nullable Map<String, String> values) {
		LogEntries before = CURRENT.get();
		if (before != null) {
			before.leave();
		}
		if (values == null || values.isEmpty()) {
			CURRENT.remove();
			return;
		}
		LogEntries entries = new LogEntries(values);
		CURRENT.set(entries);
		entries.enter();
	}

	private void enter() {
		this.values.forEach((key, value) -> {
			this.replaced.put(key, MDC.get(key));
			MDC.put(key, value);
		});
	}

	private void leave() {
		this.replaced.forEach((key, value) -> {
			if (value != null) {
				MDC.put(key, value);
			}
			else {
				MDC.remove(key);
			}
		});
	}

}
