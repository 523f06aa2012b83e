package io.rpcboot.registry.dns;

import java.security.Security;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of the JVM for addresses of hosts: compares its time to live with the interval of
 * look-ups.
 */
final class JvmCache {

	private static final Logger logger = LoggerFactory.getLogger("rpc.registry");

	private static final String SECURITY_PROPERTY = "networkaddress.cache.ttl";

	private static final String SYSTEM_PROPERTY = "sun.net.inetaddr.ttl";

	private static final int DEFAULT_SECONDS = 30;

	private JvmCache() {
	}

	/** Returns the time to live in seconds, negative for an unlimited one. */
	static int seconds() {
		String set = Security.getProperty(SECURITY_PROPERTY);
		try {
			return (set != null) ? Integer.parseInt(set.trim()) : Integer.getInteger(SYSTEM_PROPERTY, DEFAULT_SECONDS);
		}
		catch (NumberFormatException ex) {
			return DEFAULT_SECONDS;
		}
	}

	/** Logs a line if the cache answers for longer than the interval. */
	static void check(String host, Duration interval) {
		int seconds = seconds();
		if (seconds < 0) {
			logger.warn(
					"Host {} is looked up every {} s, but this JVM caches the first answer without a limit ({} is {}): "
							+ "start it with -D{}=10",
					host, interval.toSeconds(), SECURITY_PROPERTY, seconds, SYSTEM_PROPERTY);
		}
		else if (seconds > interval.toSeconds()) {
			logger.info(
					"Host {} is looked up every {} s, but this JVM caches answers for {} s ({}): "
							+ "-D{}={} shows changes earlier",
					host, interval.toSeconds(), seconds, SECURITY_PROPERTY, SYSTEM_PROPERTY, interval.toSeconds());
		}
	}

}
