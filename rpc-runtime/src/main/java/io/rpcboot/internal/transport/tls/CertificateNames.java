package io.rpcboot.internal.transport.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

import io.rpcboot.internal.text.PrintableText;

/** Alternative names of certificates: hosts, addresses and URIs. */
final class CertificateNames {

	/** Kinds of names in RFC 5280: dNSName, uniformResourceIdentifier, iPAddress. */
	private static final Set<Object> KINDS = Set.of(2, 6, 7);

	private static final int MAX_TEXT = 500;

	private CertificateNames() {
	}

	/** Returns the names; empty also if they cannot be read. */
	static List<String> of(X509Certificate certificate) {
		try {
			Collection<List<?>> all = certificate.getSubjectAlternativeNames();
			return Stream.ofNullable(all)
				.flatMap(Collection::stream)
				.filter((each) -> KINDS.contains(each.get(0)))
				.map((each) -> String.valueOf(each.get(1)))
				.toList();
		}
		catch (CertificateParsingException ex) {
			return List.of();
		}
	}

	/** Returns true if a certificate is for a host, also by a wildcard. */
	static boolean isFor(String host, X509Certificate certificate) {
		String wildcard = "*" + host.substring(Math.max(host.indexOf('.'), 0));
		return of(certificate).stream()
			.anyMatch((each) -> each.equalsIgnoreCase(host) || each.equalsIgnoreCase(wildcard));
	}

	/**
	 * Checks that the certificate of a server names an application: a URI, a DNS name or
	 * the common name is equal to it.
	 * @throws ApplicationException if it does not
	 */
	static void requireApplication(String application, SSLSession session) throws ApplicationException {
		Set<String> names = TlsContext.identity(session).names();
		if (!names.contains(application)) {
			throw new ApplicationException(
					"the certificate of the server does not name the application '%s' of the registry: %s (expected: that name, by rpc.client.ssl.verify-application)"
						.formatted(application, PrintableText.of(String.join(", ", names), MAX_TEXT)));
		}
	}

	/** Thrown if a certificate does not name the application of an instance. */
	static final class ApplicationException extends SSLException {

		private static final long serialVersionUID = 1L;

		ApplicationException(String message) {
			super(message);
		}

	}

}
