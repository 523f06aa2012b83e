package io.rpcboot.registry.zookeeper;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.fixture.Eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("jdk25")
class EmbeddedZooKeeperIntegrationTests {

	@TempDir
	Path directory;

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					metrics-core             | io.dropwizard.metrics:metrics-core:${dropwizard-metrics.version}
					snappy-java              | org.xerial.snappy:snappy-java:${snappy.version}
					metrics-core,snappy-java | io.dropwizard.metrics:metrics-core:${dropwizard-metrics.version}, org.xerial.snappy:snappy-java:${snappy.version}
					""")
	void missingJars_areNamedTogether(String jars, String coordinates) throws Exception {
		URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> Arrays.stream(jars.split(",")).noneMatch(entry::contains))
			.map(EmbeddedZooKeeperIntegrationTests::url)
			.toArray(URL[]::new);
		String expected = withVersions(coordinates);
		try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
			Class<?> type = loader.loadClass(EmbeddedZooKeeper.class.getName());
			assertThatExceptionOfType(InvocationTargetException.class)
				.isThrownBy(() -> type.getConstructor().newInstance())
				.satisfies((ex) -> assertThat(ex.getCause().getClass().getName())
					.isEqualTo(RpcConfigurationException.class.getName()))
				.satisfies((ex) -> assertThat(ex.getCause()).hasMessage("embedded ZooKeeper: not on the class path: "
						+ expected + " (expected: all that its server needs)"));
		}
	}

	private static String withVersions(String coordinates) throws IOException {
		String pom = Files.readString(Path.of("../pom.xml"));
		String result = coordinates;
		for (String name : List.of("dropwizard-metrics.version", "snappy.version")) {
			String version = pom.substring(pom.indexOf("<" + name + ">") + name.length() + 2,
					pom.indexOf("</" + name + ">"));
			result = result.replace("${" + name + "}", version);
		}
		return result;
	}

	@Test
	void takenPort_isRejected_withoutLeftoverThreads() throws IOException {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> new EmbeddedZooKeeper(taken.getLocalPort(), this.directory))
				.withMessageContaining("registry.zookeeper.embedded.port: " + taken.getLocalPort());
		}
		assertNoThreadsBut(before);
	}

	@Test
	void close_endsThreadsAndKeepsExceptionHandlerOfJvm() {
		Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		EmbeddedZooKeeper server = new EmbeddedZooKeeper();
		assertThat(server.connectString()).isEqualTo("127.0.0.1:" + server.port());
		assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(handler);
		server.close();
		server.close();
		assertNoThreadsBut(before);
	}

	@Test
	void directory_isRejected_whenItIsFile() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> new EmbeddedZooKeeper(0, file))
			.withMessageContaining("embedded ZooKeeper directory: " + file);
	}

	private static void assertNoThreadsBut(Set<Thread> before) {
		Eventually.until("threads end",
				() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.allMatch((thread) -> before.contains(thread) || thread.isDaemon()));
	}

	private static URL url(String entry) {
		try {
			return new File(entry).toURI().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(entry, ex);
		}
	}

}
