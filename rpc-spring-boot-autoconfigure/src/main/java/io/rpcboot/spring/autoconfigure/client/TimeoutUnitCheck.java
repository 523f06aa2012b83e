package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns about timeouts below 10 ms, whose unit was probably forgotten. */
final class TimeoutUnitCheck {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final Duration SHORT = Duration.ofMillis(10);

	private TimeoutUnitCheck() {
	}

	/**
	 * Logs a warning if a timeout is short.
	 * @param name the property, or the attribute and its location
	 * @param timeout the timeout, null if not set
	 */
	static void warnOf(String name, @Nullable Duration timeout) {
		if (timeout != null && timeout.compareTo(SHORT) < 0) {
			boolean millis = timeout.toNanos() % Duration.ofMillis(1).toNanos() == 0;
			logger.warn(
					"{}: {} is shorter than most calls take (a number without a unit is milliseconds);"
							+ " did you mean {}?",
					name, millis ? timeout.toMillis() + "ms" : timeout,
					millis ? timeout.toMillis() + "s" : "milliseconds");
		}
	}

}
