package io.rpcboot.samples.interop.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import com.connectrpc.conformance.v1.TLSCreds;
import io.rpcboot.transport.TlsOptions;

/** Certificate and key that the runner of the tests gives to a server. */
final class GivenCertificate {

	/** Version 0 and the algorithm {@code rsaEncryption} of a {@code PrivateKeyInfo}. */
	private static final byte[] RSA = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

	private static final int SEQUENCE = 0x30;

	private static final int OCTETS = 4;

	private GivenCertificate() {
	}

	/** Returns TLS with the certificate. */
	static TlsOptions tls(TLSCreds given) throws GeneralSecurityException, IOException {
		KeyStore store = store();
		store.setKeyEntry("given", key(given.getKey().toString(StandardCharsets.US_ASCII)), new char[0],
				new Certificate[] { certificate(given) });
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store, new char[0]);
		return TlsOptions.of(keys, null);
	}

	/** Returns the side of a client that trusts the certificate. */
	static SSLContext trusting(TLSCreds given) throws GeneralSecurityException, IOException {
		KeyStore store = store();
		store.setCertificateEntry("given", certificate(given));
		TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trusted.init(store);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trusted.getTrustManagers(), null);
		return context;
	}

	private static KeyStore store() throws GeneralSecurityException, IOException {
		KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
		store.load(null, null);
		return store;
	}

	private static Certificate certificate(TLSCreds given) throws GeneralSecurityException {
		return CertificateFactory.getInstance("X.509").generateCertificate(given.getCert().newInput());
	}

	/** Reads a key in PEM: that of PKCS #1 is the last part of one of PKCS #8. */
	private static PrivateKey key(String pem) throws GeneralSecurityException, IOException {
		byte[] bytes = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
		if (pem.contains("BEGIN RSA PRIVATE KEY")) {
			ByteArrayOutputStream info = new ByteArrayOutputStream();
			info.write(RSA);
			info.write(element(OCTETS, bytes));
			bytes = element(SEQUENCE, info.toByteArray());
		}
		return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(bytes));
	}

	/** Returns an element of DER, with its length in two bytes. */
	private static byte[] element(int tag, byte[] content) {
		byte[] element = new byte[content.length + 4];
		element[0] = (byte) tag;
		element[1] = (byte) 0x82;
		element[2] = (byte) (content.length >> 8);
		element[3] = (byte) content.length;
		System.arraycopy(content, 0, element, 4, content.length);
		return element;
	}

}
