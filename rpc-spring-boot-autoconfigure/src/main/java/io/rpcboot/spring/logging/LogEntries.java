package io.rpcboot.spring.logging;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * MDC entries of the call that a thread serves. Previous values of the same keys are
 * restored at the end.
 */
final class LogEntries {

	private static final ThreadLocal<@Nullable LogEntries> CURRENT = new ThreadLocal<>();

	private final Map<String, String> values;

	/** Previous values by key; null for a key that had none. */
	private final Map<String, @Nullable String> replaced = new HashMap<>();

	private LogEntries(Map<String, String> values) {
		this.values = values;
	}

	/** Returns the entries of the calling thread; null for none. */
	static @Nullable Map<String, String> current() {
		LogEntries entries = CURRENT.get();
		return (entries != null) ? entries.values : null;
	}

	/**
	 * Replaces the entries of the calling thread.
	 * @param values the entries, null for none
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
