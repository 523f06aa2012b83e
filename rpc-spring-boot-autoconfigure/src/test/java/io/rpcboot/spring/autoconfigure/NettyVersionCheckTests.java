package io.rpcboot.spring.autoconfigure;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import io.rpcboot.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NettyVersionCheckTests {

	@TempDir
	private Path directory;

	@Test
	void acceptsOneVersion() throws IOException {
		try (URLClassLoader classes = classPath("netty-common", "4.2.17.Final", "netty-handler", "4.2.17.Final")) {
			assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(classes)).doesNotThrowAnyException();
		}
	}

	@Test
	void acceptsThisClassPath() {
		assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(getClass().getClassLoader()))
			.doesNotThrowAnyException();
	}

	@Test
	void acceptsPartsWithVersionsOfTheirOwn() throws IOException {
		try (URLClassLoader classes = classPath("netty-common", "4.2.17.Final", "netty-tcnative-boringssl-static",
				"2.0.81.Final")) {
			assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(classes)).doesNotThrowAnyException();
		}
	}

	@Test
	void refusesTwoVersions() throws IOException {
		try (URLClassLoader classes = classPath("netty-common", "4.2.17.Final", "netty-handler", "4.1.100.Final")) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> new NettyVersionCheck().setBeanClassLoader(classes))
				.withMessage("Netty is on the class path in 2 versions: "
						+ "4.1.100.Final (netty-handler); 4.2.17.Final (netty-common)")
				.satisfies((ex) -> org.assertj.core.api.Assertions.assertThat(ex.action()).contains("netty.version"));
		}
	}

	private URLClassLoader classPath(String first, String firstVersion, String second, String secondVersion)
			throws IOException {
		return new URLClassLoader(new URL[] { jar(first, firstVersion), jar(second, secondVersion) }, null);
	}

	private URL jar(String artifact, String version) throws IOException {
		Path root = this.directory.resolve(artifact);
		Path file = root.resolve("META-INF/io.netty.versions.properties");
		Files.createDirectories(file.getParent());
		String prefix = artifact + ".";
		Files.writeString(file,
				prefix + "version=" + version + "\n" + prefix + "buildDate=2026-01-01 00\\:00\\:00 +0000\n" + prefix
						+ "commitDate=2026-01-01 00\\:00\\:00 +0000\n" + prefix + "shortCommitHash=0\n" + prefix
						+ "longCommitHash=0\n" + prefix + "repoStatus=clean\n");
		return root.toUri().toURL();
	}

}
