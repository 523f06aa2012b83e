package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.Side;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.transport.TlsInfo;
import io.rpcboot.transport.TlsOptions.Engine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Tests findings about certificates and SSL bundles. */
class CertificateChecksTests {

	/** A certificate that lives for 90 days. */
	private static TlsDescriptor of(Side side, Duration left, @Nullable String problem) {
		return TlsDescriptor.of(side,
				new TlsInfo("web", "required", Engine.JDK, "CN=users", List.of(),
						DiagnosticSnapshots.NOW.plus(left).minus(Duration.ofDays(90)),
						DiagnosticSnapshots.NOW.plus(left), Map.of()),
				problem, DiagnosticSnapshots.NOW);
	}

	@Test
	void validCertificate_isNotFound() {
		assertThat(new DiagnosticSnapshots().tls(of(Side.SERVER, Duration.ofDays(15), null)).find()).isEmpty();
	}

	@Test
	void expiringCertificate_isAWarning() {
		assertThat(new DiagnosticSnapshots().tls(of(Side.SERVER, Duration.ofDays(10), null)).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.kind()).isEqualTo("EXPIRING_CERTIFICATE");
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text())
					.isEqualTo("The certificate 'CN=users' of the server expires at 2026-01-11T12:00:00Z.");
				assertThat(finding.property()).isEqualTo("rpc.server.ssl.bundle");
			});
	}

	@Test
	void expiredCertificate_isAnError() {
		assertThat(new DiagnosticSnapshots().tls(of(Side.CLIENT, Duration.ofDays(-1), null)).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.text())
					.isEqualTo("The certificate 'CN=users' of the client has expired at 2025-12-31T12:00:00Z.");
				assertThat(finding.property()).isEqualTo("rpc.client.ssl.bundle");
			});
	}

	@Test
	void unusedBundle_isAnError() {
		assertThat(new DiagnosticSnapshots().tls(of(Side.SERVER, Duration.ofDays(60), "ssl.bundle: has no key")).find())
			.extracting(Finding::kind, Finding::severity, Finding::text)
			.containsExactly(tuple("UNUSED_BUNDLE", Severity.ERROR,
					"The SSL bundle 'web' of the server: the changed bundle is not used: ssl.bundle: has no key."));
	}

}
