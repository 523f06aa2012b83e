package io.rpcboot.internal.transport.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trust in the certificates of peers, as far as trust managers of the JDK tell it. Trust
 * managers of an application decide for themselves.
 *
 * @param options the options that name it
 * @param managers trust managers of the options; none for the list of the JVM
 */
record Trust(TlsOptions options, List<X509TrustManager> managers) {

	/** System property that replaces the list of the JVM. */
	private static final String OF_JVM = "javax.net.ssl.trustStore";

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	/** Returns the trust of options. */
	static Trust of(TlsOptions options) {
		TrustManagerFactory trusted = options.trusted();
		return new Trust(options,
				(trusted == null) ? List.of()
						: Stream.of(trusted.getTrustManagers())
							.filter(X509TrustManager.class::isInstance)
							.map(X509TrustManager.class::cast)
							.toList());
	}

	/**
	 * Rejects a trust store without authorities, and the list of the JVM at a server that
	 * asks for certificates: everybody can have one of a public authority.
	 * @throws InvalidOptionException if a peer would be refused or trusted by mistake
	 */
	void require(boolean isServer) {
		try {
			requireAuthorities();
			if (isServer && this.options.clientAuth() != ClientAuth.NONE && isOfJvm()) {
				refuseListOfJvm();
			}
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException("The JVM has no trust managers", ex);
		}
	}

	private void requireAuthorities() throws GeneralSecurityException, IOException {
		if (this.managers.stream().allMatch((each) -> each.getAcceptedIssuers().length > 0)) {
			return;
		}
		KeyStore empty = KeyStore.getInstance(KeyStore.getDefaultType());
		empty.load(null, null);
		Class<?> ofJdk = managersOf(empty).get(0).getClass();
		if (this.managers.stream()
			.anyMatch((each) -> each.getClass() == ofJdk && each.getAcceptedIssuers().length == 0)) {
			throw InvalidOptionException.unusable("ssl.bundle", "the trust store has no certificate of an authority",
					"Set ssl.bundle to a bundle whose trust store has one: a PKCS12 file needs it as trusted certificate,"
							+ " such as 'keytool -importcert' writes it; a PEM file has it as it is.",
					null);
		}
	}

	/** Returns true if the certificates of all authorities that this JVM knows count. */
	private boolean isOfJvm() throws GeneralSecurityException {
		if (this.managers.isEmpty()) {
			return this.options.trusted() == null;
		}
		X509TrustManager ofJvm = managersOf(null).get(0);
		Set<X509Certificate> issuers = Set.copyOf(Arrays.asList(ofJvm.getAcceptedIssuers()));
		return this.managers.stream()
			.allMatch((each) -> each.getClass() == ofJvm.getClass()
					&& Set.copyOf(Arrays.asList(each.getAcceptedIssuers())).equals(issuers));
	}

	private void refuseListOfJvm() {
		String clientAuth = this.options.clientAuth().name().toLowerCase(Locale.ROOT);
		String chosen = System.getProperty(OF_JVM, "");
		if (chosen.isEmpty()) {
			throw InvalidOptionException.unusable("ssl.client-auth",
					"%s, but ssl.bundle has no trust store: a certificate of any authority that this JVM trusts would be accepted"
						.formatted(clientAuth),
					"Set ssl.bundle to a bundle whose trust store has the authorities of your clients; or set the system property %s."
						.formatted(OF_JVM),
					null);
		}
		logger.warn(
				"ssl.client-auth: {}, and the SSL bundle '{}' has no trust store: the authorities in {}={} decide which clients are accepted",
				clientAuth, this.options.name(), OF_JVM, chosen);
	}

	private static List<X509TrustManager> managersOf(@Nullable KeyStore store) throws GeneralSecurityException {
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init(store);
		return Stream.of(factory.getTrustManagers())
			.filter(X509TrustManager.class::isInstance)
			.map(X509TrustManager.class::cast)
			.toList();
	}

}
