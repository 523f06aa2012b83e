package io.rpcboot.registry.zookeeper;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Keys and certificates for a test, made by the JDK's own tool. */
final class Certificates {

	private Certificates() {
	}

	/** A key store with a key that has vouched for itself. */
	static void generate(Path file, String extension, String password) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=test", "-ext", extension, "-storetype",
				"PKCS12", "-storepass", password, "-keystore", file.toString())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
	}

	/** The certificate in such a file. */
	static Certificate of(Path file, String password) throws Exception {
		return KeyStore.getInstance(file.toFile(), password.toCharArray()).getCertificate("key");
	}

	/** Write a trust store with a certificate. */
	static void trust(Path file, Certificate certificate, String password) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		store.setCertificateEntry("trusted", certificate);
		try (OutputStream out = Files.newOutputStream(file)) {
			store.store(out, password.toCharArray());
		}
	}

}
