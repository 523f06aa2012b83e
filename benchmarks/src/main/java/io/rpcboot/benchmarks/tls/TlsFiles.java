package io.rpcboot.benchmarks.tls;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

/**
 * Certificates of a run as PEM files in a folder: an authority, and a certificate of it
 * for this machine, which servers and clients share. The driver makes them; its processes
 * find the folder in a system property.
 */
public final class TlsFiles {

	/** System property with the folder. */
	public static final String PROPERTY = "bench.tls";

	private static final Path MADE = make();

	private TlsFiles() {
	}

	/**
	 * The folder of this process, which is made with the first use.
	 * @return the folder, deleted at the end of the process
	 */
	public static Path folder() {
		return MADE;
	}

	/**
	 * The folder that the system property names.
	 * @param name of a file: ca.pem, cert.pem or key.pem
	 * @return the file
	 */
	public static File file(String name) {
		return new File(System.getProperty(PROPERTY, ""), name);
	}

	private static Path make() {
		try {
			X509Bundle root = new CertificateBuilder().subject("CN=authority")
				.setIsCertificateAuthority(true)
				.buildSelfSigned();
			X509Bundle leaf = new CertificateBuilder().subject("CN=bench")
				.addSanIpAddress("127.0.0.1")
				.addSanDnsName("localhost")
				.buildIssuedBy(root);
			Path folder = Files.createTempDirectory("bench-tls");
			folder.toFile().deleteOnExit();
			write(folder.resolve("ca.pem"), root.getCertificatePEM());
			write(folder.resolve("cert.pem"), leaf.getCertificatePEM());
			write(folder.resolve("key.pem"), leaf.getPrivateKeyPEM());
			return folder;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void write(Path file, String text) throws IOException {
		Files.writeString(file, text).toFile().deleteOnExit();
	}

}
