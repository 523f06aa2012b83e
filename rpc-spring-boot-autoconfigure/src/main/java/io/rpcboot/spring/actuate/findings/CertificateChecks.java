package io.rpcboot.spring.actuate.findings;

import java.time.Instant;
import java.util.List;

import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor.State;

/** Checks whether certificates are valid and SSL bundles can be used. */
final class CertificateChecks {

	private CertificateChecks() {
	}

	/** Finds bundles whose newest material is not used. */
	static List<Finding> unusedBundle(DiagnosticSnapshot situation) {
		return situation.tls()
			.stream()
			.filter((each) -> each.problem() != null)
			.map((each) -> Finding.error(
					"The SSL bundle '%s' of the %s: %s.".formatted(each.bundle(), each.side(), each.trouble()),
					property(each),
					"Connections keep the certificate before. Replace the files; they are tried again each minute."))
			.toList();
	}

	/** Finds certificates that have expired, or should have been replaced. */
	static List<Finding> expiring(DiagnosticSnapshot situation) {
		return situation.tls()
			.stream()
			.filter((each) -> each.state() == State.EXPIRED || each.state() == State.EXPIRING)
			.map(CertificateChecks::expiring)
			.toList();
	}

	private static Finding expiring(TlsDescriptor tls) {
		boolean expired = tls.state() == State.EXPIRED;
		String text = "The certificate '%s' of the %s %s at %s.".formatted(tls.subject(), tls.side(),
				expired ? "has expired" : "expires",
				Instant.ofEpochMilli((tls.notAfter() != null) ? tls.notAfter() : 0));
		String advice = "Put a new one into the SSL bundle '%s'; no restart is needed with reload-on-update."
			.formatted(tls.bundle());
		return expired ? Finding.error(text, property(tls), "Peers refuse new connections. " + advice)
				: Finding.warning(text, property(tls), advice);
	}

	private static String property(TlsDescriptor tls) {
		return "rpc.%s.ssl.bundle".formatted(tls.side());
	}

}
