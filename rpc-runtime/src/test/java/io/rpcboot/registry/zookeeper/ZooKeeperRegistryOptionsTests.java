package io.rpcboot.registry.zookeeper;

import java.time.Duration;
import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import io.rpcboot.registry.ServiceInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ZooKeeperRegistryOptionsTests {

	@Test
	void defaults_areDocumentedValues() {
		ZooKeeperRegistryOptions options = ZooKeeperRegistryOptions.defaults("zoo:2181");
		assertThat(options.rootPath()).isEqualTo("/rpc");
		assertThat(options.sessionTimeout()).hasSeconds(15);
		assertThat(options.connectionTimeout()).hasSeconds(5);
		assertThat(options.graceTime()).hasSeconds(3);
		assertThat(options.retryBackoff()).hasMillis(500);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ' ', value = { "zoo:2181 zoo:2181", "zoo zoo:2181", "a:1,b:2/chroot a:1,b:2/chroot",
			"10.0.0.1:2181/a/b 10.0.0.1:2181/a/b", "[::1]:2181 [::1]:2181", "[::1] [::1]:2181", "a:1/ a:1" })
	void connectString_isParsed(String text, String understood) {
		assertThat(ConnectString.parse(text)).hasToString(understood);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ",", "a:1,", "a:1,,b:2", ":2181", "a:", "a:0", "a:65536", "a:x", "a b:1", "::1",
			"a:1/x/", "a:1//x", "a:1/..", "http://a:1", "zookeeper://a:2181" })
	void invalidConnectString_isRejected_withItsText(String text) {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ZooKeeperRegistryOptions.defaults(text))
			.withMessage("registry.zookeeper.connect-string: '%s' (expected: host:port[,host:port...][/path])", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "LOCALHOST:1", "127.0.0.1:1,127.1.2.3:4", "[::1]:1", "zoo.localhost/x" })
	void loopbackAddress_isLocal(String text) {
		assertThat(ConnectString.parse(text).isLoopback()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "zoo", "127.0.0.1,10.0.0.1", "localhost.example.com", "127.example.com", "[fe80::1]:1" })
	void otherAddress_isNotLocal(String text) {
		assertThat(ConnectString.parse(text).isLoopback()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "rpc", "/", "/rpc/", "//rpc", "/a/../b", "/a/./b", "/a\u0000b" })
	void invalidRootPath_isRejected_withItsText(String path) {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> options(path, Duration.ofSeconds(1), Duration.ZERO))
			.withMessageContaining("registry.zookeeper.root-path: " + path);
	}

	@Test
	void durations_areRejected_outsideBounds() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> options("/rpc", Duration.ofMillis(499), Duration.ZERO))
			.withMessageContaining("registry.zookeeper.session-timeout: PT0.499S (expected: 500ms to 1h)");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> options("/rpc", Duration.ofSeconds(1), Duration.ofMillis(-1)))
			.withMessageContaining("registry.zookeeper.grace-time");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "a/b", "a\nb" })
	void application_isRejected_whenItIsNoNodeName(String application) {
		try (ZooKeeperRegistry registry = new ZooKeeperRegistry(ZooKeeperRegistryOptions.defaults("127.0.0.1:1"))) {
			ServiceInstance instance = new ServiceInstance("id", application, new Endpoint("h", 1), 1, 0, Set.of());
			assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> registry.register(instance))
				.withMessageContaining("application: '%s'", application);
		}
	}

	private static ZooKeeperRegistryOptions options(String root, Duration session, Duration grace) {
		return ZooKeeperRegistryOptions.defaults("zoo:2181")
			.withRootPath(root)
			.withSessionTimeout(session)
			.withConnectionTimeout(Duration.ofSeconds(1))
			.withGraceTime(grace)
			.withRetryBackoff(Duration.ofMillis(50));
	}

}
