package io.rpcboot.spring.autoconfigure.diagnostics;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.Version;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which versions of libraries are named at the start. */
@ExtendWith(OutputCaptureExtension.class)
class LibraryVersionCheckTests {

	/** Versions that do not change with the build. */
	private static final String EXPECTED = "expected-versions.properties";

	/** Versions that the starter is built with. */
	private final Map<String, String> expected = new TreeMap<>();

	@TempDir
	private Path directory;

	/** Reads the versions; where an IDE has copied the file, those of the build. */
	@BeforeEach
	void readExpected() throws IOException {
		String build = Files.readString(Path.of(System.getProperty("basedir", ".")).resolve("../pom.xml"));
		Properties versions = new Properties();
		try (InputStream in = LibraryVersionCheck.class.getResourceAsStream(LibraryVersionCheck.EXPECTED)) {
			versions.load(in);
		}
		for (String artifact : versions.stringPropertyNames()) {
			String version = versions.getProperty(artifact);
			Matcher property = Pattern.compile("\\$\\{(.+)}").matcher(version);
			this.expected.put(artifact,
					property.matches() ? build.replaceAll("(?s).*<" + property.group(1) + ">(.+?)<.*", "$1") : version);
		}
	}

	@Test
	void classPathOfBuild_hasExpectedVersions(CapturedOutput output) throws IOException {
		assertThat(this.expected).containsOnlyKeys("io.netty/netty-common", "io.protostuff/protostuff-runtime",
				"org.apache.curator/curator-recipes", "org.apache.zookeeper/zookeeper",
				"io.micrometer/micrometer-core");
		ClassLoader own = getClass().getClassLoader();
		for (Map.Entry<String, String> each : this.expected.entrySet()) {
			assertThat(each.getValue()).as(each.getKey())
				.isEqualTo(each.getKey().startsWith("io.micrometer")
						? MeterRegistry.class.getPackage().getImplementationVersion() : inJar(own, each.getKey()));
		}
		assertThat(Version.identify(own).get("netty-common").artifactVersion())
			.isEqualTo(this.expected.get("io.netty/netty-common"));
		new LibraryVersionCheck().setBeanClassLoader(own);
		assertThat(output).doesNotContain("Libraries of other versions");
	}

	private static String inJar(ClassLoader own, String artifact) throws IOException {
		Properties properties = new Properties();
		try (InputStream in = own.getResourceAsStream("META-INF/maven/" + artifact + "/pom.properties")) {
			properties.load(in);
		}
		return properties.getProperty("version");
	}

	@ParameterizedTest
	@CsvSource({ "4.2.17.Final", "4.2.18.Final", "4.2.100" })
	void laterVersion_isAsGood(String version, CapturedOutput output) throws IOException {
		check(classPath("io.netty/netty-common", version));
		assertThat(output).doesNotContain("Libraries of other versions");
	}

	@ParameterizedTest
	@CsvSource({ "4.2.16.Final", "4.1.130.Final", "4.3.0.Final", "5.2.17", "${revision}", "4.2.x" })
	void otherVersion_isNamedWithExpectedOne(String version, CapturedOutput output) throws IOException {
		check(classPath("io.netty/netty-common", version));
		assertThat(output).containsOnlyOnce("WARN")
			.containsOnlyOnce("Libraries of other versions than the starter is built with: io.netty:netty-common "
					+ version + " (expected: 4.2.17.Final or a later 4.2); remove their versions from the build");
	}

	@Test
	void severalVersions_areOneLine(CapturedOutput output) throws IOException {
		classPath("org.apache.curator/curator-recipes", "4.0.0");
		check(classPath("org.apache.zookeeper/zookeeper", "3.8.4"));
		assertThat(output).containsOnlyOnce("WARN")
			.contains(": org.apache.curator:curator-recipes 4.0.0 (expected: 5.9.0 or a later 5.9);"
					+ " org.apache.zookeeper:zookeeper 3.8.4 (expected: 3.9.5 or a later 3.9); remove");
	}

	@Test
	void versionInManifest_isRead_whenBuiltByGradle(CapturedOutput output) throws IOException {
		Path jar = this.directory.resolve("micrometer.jar");
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.14.2");
		String name = MeterRegistry.class.getName().replace('.', '/') + ".class";
		try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
				InputStream in = getClass().getClassLoader().getResourceAsStream(name)) {
			out.putNextEntry(new ZipEntry(name));
			in.transferTo(out);
		}
		check(jar.toUri().toURL());
		assertThat(output).containsOnlyOnce("WARN")
			.contains(": io.micrometer:micrometer-core 1.14.2 (expected: 1.17.1 or a later 1.17); remove");
	}

	@Test
	void start_goesOn_whenVersionsCannotBeRead(CapturedOutput output) throws IOException {
		try (URLClassLoader broken = new URLClassLoader(new URL[0], null) {
			@Override
			public InputStream getResourceAsStream(String name) {
				throw new IllegalStateException(name);
			}
		}) {
			LibraryVersionCheck.check(broken, EXPECTED);
		}
		check(classPath("io.netty/netty-common", ""));
		check(this.directory.resolve("none").toUri().toURL());
		assertThat(output.getOut()).containsOnlyOnce("WARN").contains("io.netty:netty-common  (expected");
	}

	private static void check(URL classPath) throws IOException {
		try (URLClassLoader classes = new URLClassLoader(new URL[] { classPath }, null)) {
			LibraryVersionCheck.check(classes, EXPECTED);
		}
	}

	private URL classPath(String artifact, String version) throws IOException {
		Path file = this.directory.resolve("META-INF/maven/" + artifact + "/pom.properties");
		Files.createDirectories(file.getParent());
		Files.writeString(file, "version=" + version + "\n");
		return this.directory.toUri().toURL();
	}

}
