package io.rpcboot.spring.autoconfigure.diagnostics;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import io.rpcboot.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NettyVersionCheckTests {

	@TempDir
	private Path directory;

	@Test
	void singleVersion_isAccepted() throws IOException {
		try (URLClassLoader classes = classPath("netty-common", "4.2.17.Final", "netty-handler", "4.2.17.Final")) {
			assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(classes)).doesNotThrowAnyException();
		}
	}

	@Test
	void currentClassPath_isAccepted() {
		assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(getClass().getClassLoader()))
			.doesNotThrowAnyException();
	}

	@Test
	void artifactsWithSeparateVersions_areAccepted() throws IOException {
		try (URLClassLoader classes = classPath("netty-common", "4.2.17.Final", "netty-tcnative-boringssl-static",
				"2.0.81.Final")) {
			assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(classes)).doesNotThrowAnyException();
		}
	}

	@Test
	void mixedVersions_areRejected() throws IOException {
		try (URLClassLoader classes = classPath("netty-common", "4.2.17.Final", "netty-handler", "4.1.100.Final")) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> new NettyVersionCheck().setBeanClassLoader(classes))
				.withMessage("Netty is on the class path in 2 versions: "
						+ "4.1.100.Final (netty-handler); 4.2.17.Final (netty-common)")
				.satisfies((ex) -> assertThat(ex.action()).contains("netty.version"));
		}
	}

	@Test
	void relocatedNetty_isIgnored() throws IOException {
		URL relocated = root("netty-codec", "4.1.100.Final", "com/other/netty/codec/Codec.class");
		URL jar = packed(root("netty-buffer", "4.1.99.Final", "com/other/netty/buffer/Buffer.class"));
		try (URLClassLoader classes = new URLClassLoader(
				new URL[] { root("netty-common", "4.2.17.Final"), relocated, jar }, null)) {
			assertThatCode(() -> new NettyVersionCheck().setBeanClassLoader(classes)).doesNotThrowAnyException();
		}
	}

	@Test
	void mixedVersions_areRejected_inJars() throws IOException {
		URL common = packed(root("netty-common", "4.2.17.Final"));
		URL handler = packed(root("netty-handler", "4.1.100.Final"));
		try (URLClassLoader classes = new URLClassLoader(new URL[] { common, handler }, null)) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> new NettyVersionCheck().setBeanClassLoader(classes))
				.withMessageEndingWith("4.1.100.Final (netty-handler); 4.2.17.Final (netty-common)");
			assertThat(classes.getResource("META-INF/io.netty.versions.properties")).isNotNull();
		}
	}

	private URLClassLoader classPath(String first, String firstVersion, String second, String secondVersion)
			throws IOException {
		return new URLClassLoader(new URL[] { root(first, firstVersion), root(second, secondVersion) }, null);
	}

	private URL root(String artifact, String version) throws IOException {
		return root(artifact, version, "io/netty/some/Part.class");
	}

	private URL root(String artifact, String version, String className) throws IOException {
		Path root = this.directory.resolve(artifact);
		Path file = root.resolve("META-INF/io.netty.versions.properties");
		Files.createDirectories(file.getParent());
		String prefix = artifact + ".";
		Files.writeString(file,
				prefix + "version=" + version + "\n" + prefix + "buildDate=2026-01-01 00\\:00\\:00 +0000\n" + prefix
						+ "commitDate=2026-01-01 00\\:00\\:00 +0000\n" + prefix + "shortCommitHash=0\n" + prefix
						+ "longCommitHash=0\n" + prefix + "repoStatus=clean\n");
		Files.createDirectories(root.resolve(className).getParent());
		Files.createFile(root.resolve(className));
		return root.toUri().toURL();
	}

	/** The same as a jar. */
	private URL packed(URL root) throws IOException {
		Path directory = Path.of(URI.create(root.toString()));
		Path jar = this.directory.resolve(directory.getFileName() + ".jar");
		try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
				Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				out.putNextEntry(new ZipEntry(directory.relativize(file).toString().replace('\\', '/')));
				Files.copy(file, out);
			}
		}
		return jar.toUri().toURL();
	}

}
