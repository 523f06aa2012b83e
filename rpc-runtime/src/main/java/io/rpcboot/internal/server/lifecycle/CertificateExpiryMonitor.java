package io.rpcboot.internal.server.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.rpcboot.transport.TlsInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each hour that the certificate of the server has expired, and each day before that
 * it should be renewed. Checks once a second, because a certificate may live for minutes.
 * One thread.
 */
public final class CertificateExpiryMonitor {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private static final long CHECK_SECONDS = 1;

	private static final Duration EXPIRED_PAUSE = Duration.ofHours(1);

	private static final Duration EXPIRING_PAUSE = Duration.ofDays(1);

	private final Supplier<TlsInfo> tls;

	private final InstantSource clock;

	/** End of validity that the last line told; null before the first line. */
	private @Nullable Instant told;

	private boolean toldExpired;

	private Instant tellAgain = Instant.MIN;

	public CertificateExpiryMonitor(Supplier<TlsInfo> tls, InstantSource clock) {
		this.tls = tls;
		this.clock = clock;
	}

	public void start(ScheduledExecutorService loop) {
		loop.scheduleWithFixedDelay(this::check, 0, CHECK_SECONDS, TimeUnit.SECONDS);
	}

	/** Checks once. */
	void check() {
		Instant now = this.clock.instant();
		TlsInfo info = this.tls.get();
		boolean expired = info.isExpired(now);
		if (info.notAfter() == null || !(expired || info.isExpiring(now))) {
			return;
		}
		boolean known = info.notAfter().equals(this.told) && expired == this.toldExpired;
		if (known && now.isBefore(this.tellAgain)) {
			return;
		}
		this.told = info.notAfter();
		this.toldExpired = expired;
		this.tellAgain = now.plus(expired ? EXPIRED_PAUSE : EXPIRING_PAUSE);
		if (expired) {
			logger.error(
					"The certificate '{}' of the server has expired at {}: clients refuse new connections"
							+ " (expected: a valid one in the SSL bundle '{}')",
					info.subject(), info.notAfter(), info.name());
		}
		else {
			logger.warn("The certificate '{}' of the server expires at {} (expected: a new one in the SSL bundle '{}')",
					info.subject(), info.notAfter(), info.name());
		}
	}

}
