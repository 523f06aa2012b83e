package io.rpcboot.test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.stream.Stream;

import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/**
 * Writes certificates with the names of a caller, RFC 5280, in DER. They are signed by
 * their own key and hold until 9999, because nothing verifies them.
 */
final class TestCertificate {

	private static final int SEQUENCE = 0x30;

	private static final int OCTET_STRING = 0x04;

	private static final int BIT_STRING = 0x03;

	private static final int GENERALIZED_TIME = 0x18;

	private static final int DNS_NAME = 0x82;

	private static final int URI = 0x86;

	/** Version 3, and a serial number of 1. */
	private static final byte[] VERSION_AND_SERIAL = HexFormat.of().parseHex("a003020102020101");

	/** Algorithm ecdsa-with-SHA256, RFC 5758. */
	private static final byte[] ALGORITHM = HexFormat.of().parseHex("300a06082a8648ce3d040302");

	/** Object identifier of the subject alternative name. */
	private static final byte[] ALTERNATIVE_NAME = HexFormat.of().parseHex("0603551d11");

	private TestCertificate() {
	}

	/**
	 * Returns a certificate.
	 * @param name a URI, or else the common name
	 * @param more further URIs and names of hosts
	 */
	static X509Certificate of(String name, String... more) {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
			generator.initialize(256);
			KeyPair key = generator.generateKeyPair();
			byte[] content = content(name, more, key.getPublic().getEncoded());
			Signature signature = Signature.getInstance("SHA256withECDSA");
			signature.initSign(key.getPrivate());
			signature.update(content);
			byte[] whole = der(SEQUENCE, content, ALGORITHM, der(BIT_STRING, new byte[1], signature.sign()));
			return (X509Certificate) CertificateFactory.getInstance("X.509")
				.generateCertificate(new ByteArrayInputStream(whole));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalArgumentException("name: '%s' (expected: a URI or a common name)".formatted(name), ex);
		}
	}

	private static byte[] content(String name, String[] more, byte[] publicKey) {
		byte[] subject = new X500Principal("CN=" + Rdn.escapeValue(name)).getEncoded();
		byte[] names = join(Stream.concat(Stream.of(name).filter(TestCertificate::isUri), Stream.of(more))
			.map((each) -> der(isUri(each) ? URI : DNS_NAME, each.getBytes(StandardCharsets.US_ASCII)))
			.toArray(byte[][]::new));
		byte[] extension = der(SEQUENCE, ALTERNATIVE_NAME, der(OCTET_STRING, der(SEQUENCE, names)));
		byte[] extensions = (names.length > 0) ? der(0xa3, der(SEQUENCE, extension)) : names;
		byte[] validity = der(SEQUENCE, time("20000101000000Z"), time("99991231235959Z"));
		return der(SEQUENCE, VERSION_AND_SERIAL, ALGORITHM, subject, validity, subject, publicKey, extensions);
	}

	private static boolean isUri(String name) {
		return name.contains("://");
	}

	private static byte[] time(String text) {
		return der(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
	}

	/** Returns a value of DER: tag, length, content. */
	private static byte[] der(int tag, byte[]... parts) {
		byte[] content = join(parts);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(tag);
		if (content.length < 0x80) {
			out.write(content.length);
		}
		else {
			out.write(0x83);
			out.write(content.length >> 16);
			out.write(content.length >> 8);
			out.write(content.length);
		}
		out.writeBytes(content);
		return out.toByteArray();
	}

	private static byte[] join(byte[]... parts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] each : parts) {
			out.writeBytes(each);
		}
		return out.toByteArray();
	}

}
