package io.rpcboot.context;

import java.security.Principal;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

import org.jspecify.annotations.Nullable;

/**
 * Identity that the other side of a call or connection has proved: by the certificate of
 * its TLS connection, by credentials that an authenticator of the server has accepted, or
 * by both. What a peer says of itself without a proof, such as
 * {@link RpcConnection#application()}, is not in it. Immutable.
 *
 * @since 0.1.0
 */
public final class CallerIdentity implements Principal {

	private static final CallerIdentity ANONYMOUS = new CallerIdentity("anonymous", Set.of(), List.of(), null,
			Instant.MAX);

	/** Types of subject alternative names, RFC 5280, section 4.2.1.6. */
	private static final int DNS_NAME = 2;

	private static final int URI = 6;

	private final String name;

	private final Set<String> names;

	private final List<X509Certificate> certificates;

	private final @Nullable Principal principal;

	private final Instant expiresAt;

	private CallerIdentity(String name, Set<String> names, List<X509Certificate> certificates,
			@Nullable Principal principal, Instant expiresAt) {
		this.name = name;
		this.names = names;
		this.certificates = certificates;
		this.principal = principal;
		this.expiresAt = expiresAt;
	}

	/**
	 * Returns the identity of a peer that has proved nothing.
	 * @return the identity, which is not authenticated
	 */
	public static CallerIdentity anonymous() {
		return ANONYMOUS;
	}

	/**
	 * Returns the identity of credentials.
	 * @param principal user or application that they belong to
	 * @param expiresAt time from which they are not valid, {@link Instant#MAX} for none
	 * @return the identity, without certificates
	 */
	public static CallerIdentity of(Principal principal, Instant expiresAt) {
		return ANONYMOUS.with(principal, expiresAt);
	}

	/**
	 * Returns the identity of a verified certificate.
	 * @param chain the certificate of the peer, then those of its issuers; not empty
	 * @return the identity; its name is the first URI, else the first DNS name, else the
	 * common name, else the subject
	 */
	public static CallerIdentity ofCertificates(List<X509Certificate> chain) {
		X509Certificate own = chain.get(0);
		Set<String> names = new LinkedHashSet<>(alternativeNames(own, URI));
		names.addAll(alternativeNames(own, DNS_NAME));
		String subject = own.getSubjectX500Principal().getName();
		String common = commonName(subject);
		if (!common.isEmpty()) {
			names.add(common);
		}
		String name = names.isEmpty() ? subject : names.iterator().next();
		return new CallerIdentity(name, Collections.unmodifiableSet(names), List.copyOf(chain), null,
				own.getNotAfter().toInstant());
	}

	private static Collection<String> alternativeNames(X509Certificate certificate, int type) {
		Collection<List<?>> all;
		try {
			all = certificate.getSubjectAlternativeNames();
		}
		catch (CertificateParsingException ex) {
			return List.of();
		}
		return (all == null) ? List.of()
				: all.stream().filter((each) -> each.get(0).equals(type)).map((each) -> (String) each.get(1)).toList();
	}

	private static String commonName(String subject) {
		try {
			for (Rdn each : new LdapName(subject).getRdns()) {
				if (each.getType().equalsIgnoreCase("CN") && each.getValue() instanceof String text) {
					return text;
				}
			}
		}
		catch (InvalidNameException ex) { // a name that only its issuer reads
			return "";
		}
		return "";
	}

	/**
	 * Returns this identity with that of credentials which the same peer has sent.
	 * @param user user or application that they belong to; its name is that of the
	 * identity
	 * @param until time from which they are not valid, {@link Instant#MAX} for none
	 * @return the identity, with the certificates of this one
	 */
	public CallerIdentity with(Principal user, Instant until) {
		return new CallerIdentity(user.getName(), this.names, this.certificates, user, until);
	}

	/**
	 * Returns the name for logs and rules.
	 * @return the name of the principal, else that of the certificate, else
	 * {@code anonymous}
	 */
	@Override
	public String getName() {
		return this.name;
	}

	/**
	 * Returns true if the peer has proved who it is.
	 * @return false for {@link #anonymous()}
	 */
	public boolean isAuthenticated() {
		return this.principal != null || !this.certificates.isEmpty();
	}

	/**
	 * Returns the names in the certificate: URIs such as SPIFFE ids, DNS names, the
	 * common name.
	 * @return the names, empty without a certificate
	 */
	public Set<String> names() {
		return this.names;
	}

	/**
	 * Returns the verified certificates.
	 * @return the certificate of the peer, then those of its issuers; empty without TLS
	 * and for a client without certificate
	 */
	public List<X509Certificate> certificates() {
		return this.certificates;
	}

	/**
	 * Returns what the authenticator has returned for the credentials, with Spring
	 * Security an {@code Authentication}.
	 * @return the principal, null without credentials
	 */
	public @Nullable Principal principal() {
		return this.principal;
	}

	/**
	 * Returns the time from which the proof is not valid: that of the credentials, else
	 * that of the certificate.
	 * @return the time, {@link Instant#MAX} for none
	 */
	public Instant expiresAt() {
		return this.expiresAt;
	}

	/**
	 * Returns true for identities with equal name, certificates and principal.
	 */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof CallerIdentity that && this.name.equals(that.name)
				&& this.certificates.equals(that.certificates) && Objects.equals(this.principal, that.principal);
	}

	@Override
	public int hashCode() {
		return this.name.hashCode();
	}

	/** Returns the name; nothing of the credentials. */
	@Override
	public String toString() {
		return this.name;
	}

}
