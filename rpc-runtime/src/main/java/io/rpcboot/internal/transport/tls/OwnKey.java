package io.rpcboot.internal.transport.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

import org.jspecify.annotations.Nullable;

/** Finds the reason of failed handshakes in the own key: one of another certificate. */
final class OwnKey {

	private static final byte[] SIGNED = { 1, 2, 3 };

	private OwnKey() {
	}

	/**
	 * Returns false if a private key does not belong to its certificate. True if that is
	 * not known, for example of a key that stays in its device.
	 */
	static boolean fits(KeyManagerFactory keys) {
		for (KeyManager each : keys.getKeyManagers()) {
			if (each instanceof X509KeyManager manager && Stream.of("RSA", "EC", "EdDSA", "DSA", "RSASSA-PSS")
				.flatMap((type) -> aliases(manager, type))
				.anyMatch((alias) -> !fits(manager, alias))) {
				return false;
			}
		}
		return true;
	}

	private static Stream<String> aliases(X509KeyManager manager, String type) {
		String @Nullable [] aliases = manager.getServerAliases(type, null);
		return (aliases != null) ? Stream.of(aliases) : Stream.of();
	}

	private static boolean fits(X509KeyManager manager, String alias) {
		PrivateKey key = manager.getPrivateKey(alias);
		PublicKey certified = manager.getCertificateChain(alias)[0].getPublicKey();
		if (key == null || key.getEncoded() == null) {
			return true;
		}
		if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
			return false;
		}
		String algorithm = switch (key.getAlgorithm()) {
			case "RSA" -> "SHA256withRSA";
			case "EC" -> "SHA256withECDSA";
			case "DSA" -> "SHA256withDSA";
			case "RSASSA-PSS" -> "";
			default -> key.getAlgorithm();
		};
		if (algorithm.isEmpty()) {
			return true; // needs the parameters of the key
		}
		try {
			Signature signature = Signature.getInstance(algorithm);
			signature.initSign(key);
			signature.update(SIGNED);
			byte[] signed = signature.sign();
			signature.initVerify(certified);
			signature.update(SIGNED);
			return signature.verify(signed);
		}
		catch (GeneralSecurityException ex) {
			return !(ex instanceof SignatureException);
		}
	}

}
