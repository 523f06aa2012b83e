package io.rpcboot.registry.zookeeper;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.rpcboot.internal.registry.zookeeper.node.NodeAcl;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ZooKeeperSecurityTests {

	private static final ZooKeeperSecurity NOBODY = ZooKeeperSecurity.defaults();

	@TempDir
	Path directory;

	private static ZooKeeperRegistryOptions with(ZooKeeperSecurity security) {
		return ZooKeeperRegistryOptions.defaults("127.0.0.1:1").withSecurity(security);
	}

	@Test
	void nodes_belongToCreator_whenLoginIsConfigured() {
		assertThat(NOBODY.nodeAcl()).isEqualTo(NodeAcl.OPEN);
		assertThat(NOBODY.withDigest("shop", "secret").nodeAcl()).isEqualTo(NodeAcl.parse("creator"));
		assertThat(NOBODY.withSasl(true).nodeAcl()).isEqualTo(NodeAcl.parse("creator"));
		assertThat(NOBODY.withSasl(null).nodeAcl()).as("nobody has asked for it").isEqualTo(NodeAcl.OPEN);
		assertThat(NOBODY.withDigest("shop", "secret").withAcl("open").nodeAcl()).isEqualTo(NodeAcl.OPEN);
	}

	@Test
	void userAndPassword_areRequiredTogether() {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> NOBODY.withDigest("shop", ""))
			.withMessage("registry.zookeeper.password: not set (expected: the password of the user shop)");
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> NOBODY.withDigest("", "secret"))
			.withMessageContaining("none without a username")
			.withMessageNotContaining("secret");
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> NOBODY.withDigest("a:s3cret", ""))
			.withMessageContaining("registry.zookeeper.username: a:****** (expected: a name without a colon)")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void requiredLogin_isRejected_withoutJaasSection() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> with(NOBODY.withSasl(true).withLoginContext("Nowhere")))
			.withMessageContaining("registry.zookeeper.sasl.login-context: Nowhere (expected: a section of the JAAS");
	}

	@Test
	void creatorAcl_isRejected_withoutIdentity() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> with(NOBODY.withSasl(false).withAcl("creator")))
			.withMessageContaining("registry.zookeeper.acl: creator (expected: open, or creator with");
		assertThat(with(NOBODY.withDigest("shop", "secret").withAcl("creator")).security().hasDigest()).isTrue();
	}

	@Test
	void passwords_areOmittedFromText() throws Exception {
		ZooKeeperTls tls = ZooKeeperTls.defaults().withTrustStore(store("secret"), "secret");
		ZooKeeperSecurity security = NOBODY.withDigest("shop", "secret").withTls(tls);
		assertThat(List.of(security.toString(), with(security).toString(), tls.toString(),
				String.valueOf(tls.trustStore()), security.identity()))
			.noneMatch((text) -> text.contains("secret"));
	}

	@Test
	void keyStore_isChecked_atConfiguration() throws Exception {
		Path file = store("right");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ZooKeeperTls.defaults().withTrustStore(file, "wrong"))
			.withMessageContaining("registry.zookeeper.ssl.trust-store: " + file + " cannot be opened")
			.withMessageNotContaining("wrong");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ZooKeeperTls.defaults().withTrustStore(this.directory.resolve("none"), "x"))
			.withMessageContaining("none (expected: a file that this process may read)");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ZooKeeperTls.defaults().withKeyStore(file, "right"))
			.withMessageContaining("registry.zookeeper.ssl.key-store: " + file)
			.withMessageContaining("with a key");
		Path text = Files.writeString(this.directory.resolve("text"), "no key store");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> ZooKeeperTls.defaults().withTrustStore(text, "x"))
			.withMessageContaining("registry.zookeeper.ssl.trust-store");
	}

	@Test
	void securityOptions_areSetForOwnClientOnly() throws Exception {
		ZooKeeperTls tls = ZooKeeperTls.defaults()
			.withTrustStore(store("right"), "right")
			.withProtocols(List.of("TLSv1.3", "TLSv1.2"))
			.withCiphers(List.of("TLS_AES_128_GCM_SHA256"));
		ZKClientConfig config = ClientConfigs
			.of(NOBODY.withSasl(true).withLoginContext("Mine").withServerPrincipal("zookeeper/zk1").withTls(tls));
		assertThat(config.getProperty("zookeeper.sasl.client")).isEqualTo("true");
		assertThat(config.getProperty("zookeeper.sasl.clientconfig")).isEqualTo("Mine");
		assertThat(config.getProperty("zookeeper.server.principal")).isEqualTo("zookeeper/zk1");
		assertThat(config.getProperty("zookeeper.client.secure")).isEqualTo("true");
		assertThat(config.getProperty("zookeeper.ssl.trustStore.type")).isEqualTo("PKCS12");
		assertThat(config.getProperty("zookeeper.ssl.enabledProtocols")).isEqualTo("TLSv1.3,TLSv1.2");
		assertThat(config.getProperty("zookeeper.ssl.ciphersuites")).isEqualTo("TLS_AES_128_GCM_SHA256");
		assertThat(ClientConfigs.of(NOBODY.withLoginContext("Mine")).getProperty("zookeeper.sasl.clientconfig"))
			.isEqualTo("Mine");
		ZKClientConfig untold = ClientConfigs.of(NOBODY);
		assertThat(untold.getProperty("zookeeper.sasl.clientconfig")).isNull();
		assertThat(untold.getProperty("zookeeper.client.secure")).isNull();
		assertThat(System.getProperties().stringPropertyNames()).doesNotContain("zookeeper.client.secure");
	}

	private Path store(String password) throws Exception {
		Path key = this.directory.resolve("key.p12");
		if (!Files.exists(key)) {
			Certificates.generate(key, "san=dns:zk1", "changeit");
		}
		Path file = this.directory.resolve("store.p12");
		Certificates.trust(file, Certificates.of(key, "changeit"), password);
		return file;
	}

}
