package io.rpcboot.internal.server.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.transport.TlsInfo;
import io.rpcboot.transport.TlsOptions.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what the log says about the certificate of a server, with a clock in hand. */
class CertificateExpiryMonitorTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final LogRecorder log = new LogRecorder("rpc.server");

	private Instant now = START;

	private TlsInfo tls = living(Duration.ofDays(90));

	private final CertificateExpiryMonitor monitor = new CertificateExpiryMonitor(() -> this.tls, () -> this.now);

	private TlsInfo living(Duration life) {
		return new TlsInfo("web", "required", Engine.JDK, "CN=users", List.of(), this.now, this.now.plus(life),
				Map.of());
	}

	/** Checks every ten minutes. */
	private List<String> messagesUntil(Instant end) {
		int before = this.log.messages().size();
		for (; this.now.isBefore(end); this.now = this.now.plus(Duration.ofMinutes(10))) {
			this.monitor.check();
		}
		return this.log.messages().subList(before, this.log.messages().size());
	}

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void expiredCertificate_isLoggedEachHour() {
		this.now = START.plus(Duration.ofDays(90));
		assertThat(messagesUntil(this.now.plus(Duration.ofHours(5)))).hasSize(5)
			.allMatch((line) -> line.startsWith("The certificate 'CN=users' of the server has expired at 2026-04-01"))
			.allMatch((line) -> line.contains("SSL bundle 'web'"));
	}

	@Test
	void expiringCertificate_isLoggedEachDay() {
		this.now = START.plus(Duration.ofDays(70));
		assertThat(messagesUntil(START.plus(Duration.ofDays(76)))).isEmpty();
		assertThat(messagesUntil(START.plus(Duration.ofDays(90)))).hasSize(14)
			.allMatch((line) -> line.startsWith("The certificate 'CN=users' of the server expires at 2026-04-01"));
	}

	@Test
	void newCertificate_isNotLogged_untilItExpires() {
		this.now = START.plus(Duration.ofDays(90));
		assertThat(messagesUntil(this.now.plus(Duration.ofMinutes(10)))).hasSize(1);
		this.tls = living(Duration.ofHours(24));
		assertThat(messagesUntil(this.now.plus(Duration.ofHours(19)))).isEmpty();
		assertThat(messagesUntil(this.now.plus(Duration.ofHours(5)))).singleElement()
			.asString()
			.contains(" expires at ");
	}

	/** A fifth of a life, at most 14 days. */
	@ParameterizedTest
	@CsvSource({ "PT10S, PT7S, false", "PT10S, PT8S, true", "PT1H, PT47M, false", "PT1H, PT48M, true",
			"P90D, P75D, false", "P90D, P76D, true", "P3650D, P3630D, false", "P3650D, P3636D, true" })
	void certificate_isExpiring_inLastPartOfItsLife(Duration life, Duration age, boolean expiring) {
		assertThat(living(life).isExpiring(START.plus(age))).isEqualTo(expiring);
		assertThat(living(life).isExpired(START.plus(age))).isFalse();
	}

	@Test
	void unknownCertificate_isNotLogged() {
		this.tls = new TlsInfo("web", "required", Engine.JDK, "", List.of(), null, null, Map.of());
		assertThat(messagesUntil(START.plus(Duration.ofDays(2)))).isEmpty();
	}

}
