package io.rpcboot.spring.actuate.descriptor;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.Side;
import io.rpcboot.transport.TlsInfo;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the server, or of the client with one bundle.
 *
 * @param side {@code server} or {@code client}
 * @param bundle name of the SSL bundle, {@code default} without one
 * @param mode {@code required}, {@code optional} or {@code registry}
 * @param engine {@code jdk} or {@code openssl}
 * @param subject subject of the own certificate, empty without one
 * @param names alternative names of the certificate
 * @param notAfter end of its validity in milliseconds since 1970, null if unknown
 * @param state state of the certificate, null if unknown
 * @param problem why the newest material of the bundle is not used, null if it is
 * @param clearTextConnections server: connections in clear text since the start, by
 * application
 * @since 0.1.0
 */
public record TlsDescriptor(String side, String bundle, String mode, String engine, String subject, List<String> names,
		@Nullable Long notAfter, @Nullable State state, @Nullable String problem,
		Map<String, Long> clearTextConnections) {

	/** State of a certificate. */
	public enum State {

		/** It is valid. */
		VALID,

		/** It is valid, and should have been replaced. */
		EXPIRING,

		/** It is not valid. */
		EXPIRED

	}

	/** Returns a description; the state is that at a time. */
	public static TlsDescriptor of(Side side, TlsInfo tls, @Nullable String problem, Instant now) {
		Instant end = tls.notAfter();
		State state = tls.isExpired(now) ? State.EXPIRED : tls.isExpiring(now) ? State.EXPIRING : State.VALID;
		return new TlsDescriptor(MethodStatsDescriptor.name(side), tls.name(), tls.mode(),
				tls.engine().name().toLowerCase(Locale.ROOT), tls.subject(), tls.names(),
				(end != null) ? end.toEpochMilli() : null, (end != null) ? state : null, problem, tls.clearText());
	}

	/** Returns what is wrong; null for nothing. */
	public @Nullable String trouble() {
		if (this.problem != null) {
			return "the changed bundle is not used: " + Formats.shortened(this.problem);
		}
		return (this.state == State.EXPIRED && this.notAfter != null)
				? "the certificate has expired at " + Instant.ofEpochMilli(this.notAfter) : null;
	}

}
