package io.rpcboot.internal.transport.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Alternative names of certificates: hosts, addresses and URIs. */
final class CertificateNames {

	/** Kinds of names in RFC 5280: dNSName, uniformResourceIdentifier, iPAddress. */
	private static final Set<Object> KINDS = Set.of(2, 6, 7);

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

}
