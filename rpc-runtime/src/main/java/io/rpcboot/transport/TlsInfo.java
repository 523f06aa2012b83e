package io.rpcboot.transport;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * TLS of a server, or of the connections of a client with one bundle, for tools and
 * dashboards.
 *
 * @param name name as of {@link TlsOptions#withName}
 * @param mode {@code required}, {@code optional} or {@code registry}
 * @param engine implementation of TLS in use, never {@code AUTO}
 * @param subject subject of the own certificate; empty without one
 * @param names its alternative names: hosts, addresses and URIs, at most 20
 * @param notBefore begin of its validity; null if unknown
 * @param notAfter first end of a validity in its chain; null if unknown
 * @param clearText server: connections in clear text since the start, by application
 * @since 0.1.0
 */
public record TlsInfo(String name, String mode, TlsOptions.Engine engine, String subject, List<String> names,
		@Nullable Instant notBefore, @Nullable Instant notAfter, Map<String, Long> clearText) {

	private static final Duration MOST_EARLY = Duration.ofDays(14);

	/** A certificate is renewed before the last fifth of its life. */
	private static final int SHARE = 5;

	public TlsInfo {
		names = List.copyOf(names);
		clearText = Collections.unmodifiableMap(new TreeMap<>(clearText));
	}

	/**
	 * Returns true if the own certificate is not valid.
	 * @param now the time
	 * @return false also if its validity is unknown
	 */
	public boolean isExpired(Instant now) {
		return this.notAfter != null && !now.isBefore(this.notAfter);
	}

	/**
	 * Returns true if the own certificate should have been renewed: the last fifth of its
	 * life, at most 14 days, has begun.
	 * @param now the time
	 * @return false also if its validity is unknown
	 */
	public boolean isExpiring(Instant now) {
		if (this.notAfter == null || this.notBefore == null) {
			return false;
		}
		Duration early = Duration.between(this.notBefore, this.notAfter).dividedBy(SHARE);
		return !now.isBefore(this.notAfter.minus((early.compareTo(MOST_EARLY) < 0) ? early : MOST_EARLY));
	}

}
