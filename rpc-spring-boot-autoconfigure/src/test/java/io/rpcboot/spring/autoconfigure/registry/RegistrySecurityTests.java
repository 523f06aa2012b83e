package io.rpcboot.spring.autoconfigure.registry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.registry.Registry;
import io.rpcboot.registry.snapshot.SnapshotRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the properties for credentials, connection and snapshot of the registry. */
class RegistrySecurityTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	Path directory;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RpcRegistryAutoConfiguration.class))
		.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1", "spring.application.name=my shop");

	private static void assertFails(ApplicationContextRunner runner, String message) {
		runner.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	@Test
	void usernameAndPassword_areRejected_whenOneIsMissing() {
		assertFails(this.runner.withPropertyValues("rpc.registry.zookeeper.password=secret"),
				"rpc.registry.zookeeper.password: set (expected: none without a username)");
		assertFails(this.runner.withPropertyValues("rpc.registry.zookeeper.username=shop"),
				"rpc.registry.zookeeper.password: not set (expected: the password of the user shop)");
	}

	@Test
	void sasl_isRejected_withoutJaasSection() {
		assertFails(this.runner.withPropertyValues("rpc.registry.zookeeper.sasl.enabled=true"),
				"rpc.registry.zookeeper.sasl.login-context: Client (expected: a section of the JAAS configuration");
	}

	@Test
	void password_isAbsentFromText() {
		MapConfigurationPropertySource source = new MapConfigurationPropertySource();
		source.put("rpc.registry.zookeeper.username", "shop");
		source.put("rpc.registry.zookeeper.password", "secret");
		RpcRegistryProperties properties = new Binder(source).bindOrCreate("rpc.registry", RpcRegistryProperties.class);
		assertThat(properties.zookeeper().password()).isEqualTo("secret");
		assertThat(properties.toString()).contains("shop").doesNotContain("secret");
	}

	@Test
	void password_isMasked_whenWrittenIntoUsername() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("rpc.registry.zookeeper.username=rpc:s3cret"));
		assertThat(analysis.getDescription())
			.startsWith("rpc.registry.zookeeper.username: rpc:****** (expected: a name without a colon)")
			.doesNotContain("s3cret");
		assertThat(analysis.getAction()).doesNotContain("s3cret");
	}

	@Test
	void missingSslBundle_isRejected() {
		assertFails(this.runner.withPropertyValues("rpc.registry.zookeeper.ssl.bundle=zk"),
				"rpc.registry.zookeeper.ssl.bundle: zk (expected: the name of a bundle of spring.ssl.bundle)");
	}

	@Test
	void tls_isRejected_withEmbeddedServer() {
		assertFails(
				this.runner.withPropertyValues("rpc.registry.zookeeper.embedded.enabled=true",
						"rpc.registry.zookeeper.connect-string=", "rpc.registry.zookeeper.embedded.port=0",
						"rpc.registry.zookeeper.ssl.enabled=true"),
				"rpc.registry.zookeeper.ssl.enabled: true (expected: false with");
	}

	@Test
	void sslBundleFiles_areDeleted_whenContextCloses() throws Exception {
		Path key = generate("key");
		List<Path> before = temporary();
		this.runner
			.withPropertyValues("rpc.registry.zookeeper.ssl.bundle=zk",
					"spring.ssl.bundle.jks.zk.keystore.location=" + key.toUri(),
					"spring.ssl.bundle.jks.zk.keystore.password=" + PASSWORD)
			.run((context) -> {
				assertThat(context).hasSingleBean(ZooKeeperRegistry.class).hasSingleBean(SslBundleExporter.class);
				assertThat(temporary()).hasSize(before.size() + 1);
			});
		assertThat(temporary()).hasSameSizeAs(before);
		this.runner
			.withPropertyValues("rpc.registry.zookeeper.ssl.enabled=false", "rpc.registry.zookeeper.ssl.bundle=missing")
			.run((context) -> assertThat(context).hasSingleBean(ZooKeeperRegistry.class));
	}

	@Test
	void sslBundleFiles_areRewritten_whenBundleChanges() throws Exception {
		KeyStore first = KeyStore.getInstance(generate("first").toFile(), PASSWORD.toCharArray());
		KeyStore second = KeyStore.getInstance(generate("second").toFile(), PASSWORD.toCharArray());
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("zk", bundle(first));
		try (SslBundleExporter files = new SslBundleExporter("zk", bundles)) {
			byte[] before = Files.readAllBytes(files.directory().resolve("key.p12"));
			assertThat(new String(before, StandardCharsets.ISO_8859_1)).doesNotContain(PASSWORD);
			bundles.updateBundle("zk", bundle(second));
			assertThat(Files.readAllBytes(files.directory().resolve("key.p12"))).isNotEqualTo(before);
			try (Stream<Path> all = Files.list(files.directory())) {
				assertThat(all.map((path) -> path.getFileName().toString())).containsExactlyInAnyOrder("key.p12",
						"trust.p12");
			}
		}
	}

	private static SslBundle bundle(KeyStore key) throws Exception {
		KeyStore trust = KeyStore.getInstance("PKCS12");
		trust.load(null, null);
		trust.setCertificateEntry("zk", key.getCertificate("key"));
		return SslBundle.of(SslStoreBundle.of(key, PASSWORD, trust));
	}

	private Path generate(String name) throws Exception {
		Path file = this.directory.resolve(name + ".p12");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=test", "-storetype", "PKCS12",
				"-storepass", PASSWORD, "-keystore", file.toString())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		return file;
	}

	private static List<Path> temporary() throws IOException {
		try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
			return all.filter((path) -> path.getFileName().toString().startsWith("rpc-zookeeper-tls")).toList();
		}
	}

	@Test
	void snapshot_isEnabled_whenDirectoryIsSet() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(SnapshotRegistry.class));
		this.runner.withPropertyValues("rpc.registry.snapshot.directory=" + this.directory)
			.run((context) -> assertThat(context.getBean(Registry.class)).isInstanceOf(SnapshotRegistry.class)
				.extracting(Registry::description)
				.isEqualTo("zookeeper at localhost:1"));
		this.runner
			.withPropertyValues("rpc.registry.type=in-memory", "rpc.registry.snapshot.directory=" + this.directory)
			.run((context) -> assertThat(context).doesNotHaveBean(SnapshotRegistry.class));
	}

	@Test
	void snapshotDurations_areValidated() {
		ApplicationContextRunner kept = this.runner
			.withPropertyValues("rpc.registry.snapshot.directory=" + this.directory);
		assertFails(kept.withPropertyValues("rpc.registry.snapshot.max-age=1s"),
				"rpc.registry.snapshot.max-age: PT1S (expected: 1m or more)");
		assertFails(kept.withPropertyValues("rpc.registry.snapshot.wait-for-registry=2m"),
				"rpc.registry.snapshot.wait-for-registry: PT2M (expected: 0 to 1m)");
	}

	@Test
	void snapshotFileName_isDistinctPerApplicationAndRegistry() {
		String file = SnapshotRegistryDecorator.fileName("my shop/ä", "zookeeper at zk1:2181/rpc");
		assertThat(file).matches("my_shop__-[0-9a-f]{8}\\.snapshot")
			.isEqualTo(SnapshotRegistryDecorator.fileName("my shop/ä", "zookeeper at zk1:2181/rpc"))
			.isNotEqualTo(SnapshotRegistryDecorator.fileName("my shop/ö", "zookeeper at zk1:2181/rpc"))
			.isNotEqualTo(SnapshotRegistryDecorator.fileName("my shop/ä", "zookeeper at zk1:2181/test"));
		assertThat(SnapshotRegistryDecorator.fileName("", "zk")).startsWith("application-");
		assertThat(SnapshotRegistryDecorator.fileName("../" + "x".repeat(500), "zk")).startsWith(".._xxx")
			.hasSize(64 + 18);
		assertThatExceptionOfType(InvalidPropertyException.class)
			.isThrownBy(() -> SnapshotRegistryDecorator
				.check(new RpcRegistryProperties.Snapshot("a\0b", Duration.ofDays(1), Duration.ZERO)))
			.withMessageContaining("rpc.registry.snapshot.directory");
	}

}
