package io.rpcboot.registry.dns;

import java.security.Security;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long the JVM gives the same answer again without asking the name service. */
final class JvmCache {

	private static final Logger logger = LoggerFactory.getLogger("rpc.registry");

	private static final String SECURITY_PROPERTY = "networkaddress.cache.ttl";

	private static final String SYSTEM_PROPERTY = "sun.net.inetaddr.ttl";

	private static final int DEFAULT_SECONDS = 30;

	private JvmCache() {
	}

	/** In seconds, negative for as long as the process lives. */
	static int seconds() {
		String set = Security.getProperty(SECURITY_PROPERTY);
		try {
			return (set != null) ? Integer.parseInt(set.trim()) : Integer.getInteger(SYSTEM_PROPERTY, DEFAULT_SECONDS);
		}
		catch (NumberFormatException ex) {
			return DEFAULT_SECONDS;
		}
	}

	/** Say when answers are older than the interval makes believe. */
	static void tell(String host, Duration interval) {
		int seconds = seconds();
		if (seconds < 0) {
			logger.warn(
					"Host {} is looked up every {} s, but this JVM keeps the first answer for ever ({} is {}): "
							+ "start it with -D{}=10",
					host, interval.toSeconds(), SECURITY_PROPERTY, seconds, SYSTEM_PROPERTY);
		}
		else if (seconds > interval.toSeconds()) {
			logger.info(
					"Host {} is looked up every {} s, but this JVM keeps answers for {} s ({}): "
							+ "-D{}={} shows changes earlier",
					host, interval.toSeconds(), seconds, SECURITY_PROPERTY, SYSTEM_PROPERTY, interval.toSeconds());
		}
	}

}
