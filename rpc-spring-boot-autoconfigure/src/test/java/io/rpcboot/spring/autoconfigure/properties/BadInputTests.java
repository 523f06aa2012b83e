package io.rpcboot.spring.autoconfigure.properties;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static io.rpcboot.spring.autoconfigure.fixture.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the start-up failures of frequent mistakes. */
class BadInputTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
				RpcServerAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rpc.client.timeout | 0 | PT0S | a positive duration such as 3s
					rpc.client.timeout | -1 | PT-0.001S | a positive duration such as 3s
					rpc.client.connections-per-endpoint | 65 | 65 | 1 to 64
					rpc.client.max-pending-calls | 0 | 0 | 1 or more
					rpc.client.max-frame-size | 1B | 1 | 1024 (1KB) or more bytes
					rpc.client.max-attachments-size | 64KB | 65536 | 0 (none) to 65535 bytes
					rpc.client.forward-attachments | a b | 'a b' | names of 1 to 64 letters, digits, '.', '_' and '-', which do not begin with 'rpc-'
					rpc.client.forward-attachments | rpc-trace | 'rpc-trace' | names of 1 to 64 letters, digits, '.', '_' and '-', which do not begin with 'rpc-'
					rpc.client.max-frame-size | 3GB | 3221225472B | less than 2GB
					rpc.client.memory.limit | 1MB | 1048576 | 0 (a quarter of the heap) or at least 25165824 bytes, three times max-frame-size
					rpc.client.memory.limit | -1B | -1 | 0 (a quarter of the heap) or more bytes
					rpc.client.memory.least-rate | -1B | -1 | 0 (any rate) or more bytes in a second
					rpc.client.callback-threads | -1 | -1 | 0 (automatic) or more
					rpc.client.connect-timeout | 0 | PT0S | a positive duration such as 3s
					rpc.client.keep-alive.interval | 0 | PT0S | 10ms or more
					rpc.client.keep-alive.timeout | 0 | PT0S | 10ms or more
					rpc.client.backoff.min | 0 | PT0S | a positive duration such as 3s
					rpc.client.backoff.max | 1ms | PT0.001S | at least backoff.min, which is PT0.1S
					rpc.client.batching.max-messages | 0 | 0 | 1 or more
					rpc.client.batching.max-bytes | 1B | 1 | 1024 (1KB) or more
					rpc.client.batching.max-delay | 1s | PT1S | more than 0 and at most 100ms
					rpc.client.event-loop.threads | -1 | -1 | 0 (automatic) or more
					rpc.client.socket.send-buffer | -1B | -1 | 0 (the system's own) or more bytes
					rpc.client.socket.receive-buffer | -1B | -1 | 0 (the system's own) or more bytes
					rpc.client.socket.low-water-mark | 0 | 0 | 1 byte or more
					rpc.client.socket.high-water-mark | 1KB | 1024 | at least socket.low-water-mark, which is 262144
					rpc.client.references.users.timeout | 0 | PT0S | a positive duration such as 3s
					rpc.client.references.users.group | '' | '' | letters, digits, '_', '.' or '-'; leave the property out for none
					rpc.client.references.users.version | a b | 'a b' | letters, digits, '_', '.' or '-'; leave the property out for none
					rpc.client.references.users.addresses | localhost | 'localhost' | host:port, [ipv6]:port or dns:host:port, several separated by commas
					rpc.client.references.users.addresses | dns:users | 'dns:users' | host:port, [ipv6]:port or dns:host:port, several separated by commas
					rpc.client.dns.interval | 10 | PT0.01S | 1s or more
					rpc.client.references.users.serializer | xml | 'xml' | one of protostuff, json
					rpc.client.references.users.batching.max-messages | 0 | 0 | 1 or more
					rpc.client.references.users.batching.max-bytes | 1B | 1 | 1024 (1KB) or more
					rpc.client.references.users.batching.max-delay | 1s | PT1S | more than 0 and at most 100ms
					rpc.client.serializer | hessian | 'hessian' | one of protostuff, json
					rpc.server.serializers | protostuff,xml | 'xml' | one of protostuff, json
					rpc.server.protocols | '' | none | native, grpc, connect, grpc-web, or several with commas between
					rpc.server.port | 65536 | 65536 | 0 (any free port) to 65535
					rpc.server.advertised-port | -1 | -1 | 0 (the port it listens on) to 65535
					rpc.server.preferred-networks | 10.0.0.0/33 | '10.0.0.0/33' | ranges such as 10.0.0.0/8 or fd00::/8, or names of network interfaces such as eth0
					rpc.server.address-filter.allow | 10.0.0.0/33 | '10.0.0.0/33' | addresses or ranges such as 10.1.2.3, 10.0.0.0/8 or fd00::/8
					rpc.server.address-filter.allow | eth0 | 'eth0' | addresses or ranges such as 10.1.2.3, 10.0.0.0/8 or fd00::/8
					rpc.server.address-filter.deny | localhost/8 | 'localhost/8' | addresses or ranges such as 10.1.2.3, 10.0.0.0/8 or fd00::/8
					rpc.server.address-filter.deny | 10.1.2 | '10.1.2' | addresses or ranges such as 10.1.2.3, 10.0.0.0/8 or fd00::/8
					rpc.server.proxy-protocol.from | 10.0.0.0/ | '10.0.0.0/' | addresses or ranges such as 10.1.2.3, 10.0.0.0/8 or fd00::/8
					rpc.server.weight | 0 | 0 | 1 to 10000
					rpc.server.zone | eu west | 'eu west' | at most 64 letters, digits, '.', '_' and '-'
					rpc.server.tag | a/b | 'a/b' | at most 64 letters, digits, '.', '_' and '-'
					rpc.server.max-attachments-size | -1B | -1 | 0 (none) to 65535 bytes
					rpc.server.max-frame-size | 1B | 1 | 1024 (1KB) or more bytes
					rpc.server.handshake-timeout | 0 | PT0S | a positive duration such as 3s
					rpc.server.idle-timeout | 0 | PT0S | 10ms or more
					rpc.server.connection-max-age | 100ms | PT0.1S | 0 (for ever) or 200ms or more
					rpc.server.connection-max-age-grace | 0 | PT0S | a positive duration such as 3s
					rpc.server.pool.max-threads | 0 | 0 | 1 or more
					rpc.server.services.Greeter.max-threads | 0 | 0 | 1 or more
					rpc.server.services.Greeter.max-streams | 0 | 0 | 1 or more
					rpc.server.services.Greeter.methods.greet.max-threads | -1 | -1 | 1 or more
					rpc.server.limits.connections | 0 | 0 | 1 or more
					rpc.server.limits.connections-per-address | -1 | -1 | 0 (no limit) or more
					rpc.server.limits.tls-handshakes | 0 | 0 | 1 or more
					rpc.server.limits.in-flight-calls | 0 | 0 | 1 or more
					rpc.server.limits.calls-per-connection | 0 | 0 | 1 or more
					rpc.server.limits.streams | 0 | 0 | 1 or more
					rpc.server.limits.streams-per-connection | -1 | -1 | 1 or more
					rpc.server.memory.limit | 1MB | 1048576 | 0 (a quarter of the heap) or at least 25165824 bytes, three times max-frame-size
					rpc.server.memory.limit | -1B | -1 | 0 (a quarter of the heap) or more bytes
					rpc.server.memory.least-rate | -1B | -1 | 0 (any rate) or more bytes in a second
					rpc.server.shutdown.grace-period | -1s | PT-1S | 0 (cut calls in flight) or more
					rpc.client.shutdown.grace-period | -1s | PT-1S | 0 or more
					rpc.client.warm-up | -1s | PT-1S | 0 (do not wait) or more
					rpc.server.batching.max-messages | 0 | 0 | 1 or more
					rpc.server.event-loop.acceptor-threads | 0 | 0 | 1 or more
					rpc.server.socket.backlog | 0 | 0 | 1 or more
					rpc.registry.zookeeper.connect-string | a b:1 | 'a b:1' | host:port[,host:port...][/path]
					rpc.registry.zookeeper.root-path | rpc | rpc | an absolute path such as /rpc, without a slash at its end
					rpc.registry.zookeeper.session-timeout | 0 | PT0S | 500ms to 1h
					rpc.registry.zookeeper.connection-timeout | 0 | PT0S | 100ms to 1h
					rpc.registry.zookeeper.grace-time | -1 | PT-0.001S | 0 to 1h
					rpc.registry.zookeeper.retry-backoff | 0 | PT0S | 10ms to 1m
					rpc.registry.zookeeper.username | a:b | a:****** | a name without a colon
					rpc.registry.zookeeper.acl | closed | 'closed' | open, or creator and scheme:id:permissions with commas between, such as creator,sasl:monitor:r
					rpc.registry.zookeeper.sasl.login-context | '' | '' | the name of a section of the JAAS configuration
					rpc.registry.zookeeper.connect-string | localhost:abc | 'localhost:abc' | host:port[,host:port...][/path]
					spring.application.name | a/b | 'a/b' | a name without '/' and control characters, not '.' or '..'
					""",
			quoteCharacter = '`')
	void invalidValue_isRejectedWithPropertyRuleAndOrigin(String property, String value, String shown, String rule) {
		String given = value.equals("''") ? "" : value;
		ApplicationContextRunner runner = property.startsWith("rpc.registry.zookeeper")
				&& !property.endsWith("connect-string")
						? this.runner.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1",
								"spring.application.name=app")
						: property.startsWith("rpc.client") ? this.runner.withBean(Caller.class) : this.runner;
		runner.withBean(GreeterService.class).withPropertyValues(property + "=" + given).run((context) -> {
			FailureAnalysis analysis = analyze(context, property, given);
			assertThat(analysis.getDescription()).startsWith("%s: %s (expected: %s)".formatted(property, shown, rule))
				.contains("Set in: ");
			assertThat(analysis.getAction()).isEqualTo("Set %s to %s.".formatted(property, rule));
		});
	}

	@Test
	void serviceProperties_areRejected_withoutMatchingService() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.services.Greter.serializers=protostuff")
			.run((context) -> assertThat(analyze(context).getDescription()).startsWith(
					"rpc.server.services: 'Greter' (expected: the simple name of an offered interface: " + "Greeter)"));
	}

	@Test
	void methodProperties_areRejected_withoutMatchingMethod() {
		String property = "rpc.server.services.Greeter.methods";
		this.runner.withBean(GreeterService.class)
			.withPropertyValues(property + ".gret.dispatch=event-loop")
			.run((context) -> assertThat(analyze(context).getDescription())
				.startsWith(property + ": 'gret' (expected: a method of the interface: greet)"));
	}

	@Test
	void methodThreadLimit_isRejected_withoutMatchingMethod() {
		String property = "rpc.server.services.Greeter.methods";
		this.runner.withBean(GreeterService.class)
			.withPropertyValues(property + ".gret.max-threads=2")
			.run((context) -> assertThat(analyze(context).getDescription())
				.startsWith(property + ": 'gret' (expected: a method of the interface: greet)"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Greeter.max-threads", "Greeter.methods.greet.max-threads",
			"[io.rpcboot.spring.Greeter].max-threads" })
	void threadLimit_isRejected_onEventLoop(String name) {
		String property = "rpc.server.services" + (name.startsWith("[") ? "" : ".") + name;
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.dispatch=event-loop", property + "=2")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context, property, "2");
				assertThat(analysis.getDescription())
					.startsWith(property
							+ ": 2 (expected: none with dispatch event-loop, because it limits threads of the pool)")
					.contains("Set in: ");
				assertThat(analysis.getAction()).isEqualTo("Set " + property
						+ " only for calls on the pool: choose dispatch pool for them, or remove the limit.");
			});
	}

	@Test
	@Tag("jdk25")
	@EnabledForJreRange(min = JRE.JAVA_21)
	void threadLimit_isRejected_withVirtualThreads() {
		String property = "rpc.server.services.Greeter.max-threads";
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("spring.threads.virtual.enabled=true", property + "=2")
			.run((context) -> assertThat(analyze(context, property, "2").getDescription())
				.startsWith(property + ": 2 (expected: none with dispatch virtual"));
	}

	@Test
	void serviceFailure_namesOriginOfProperty() {
		String property = "rpc.server.services.Greeter.serializers";
		this.runner.withBean(GreeterService.class)
			.withPropertyValues(property + "=xml")
			.run((context) -> assertThat(analyze(context, property, "xml").getDescription())
				.startsWith(property + ": 'xml' (expected: one of protostuff, json)")
				.contains("Set in: "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.client", "rpc.server" })
	@DisabledOnOs({ OS.MAC, OS.FREEBSD, OS.OPENBSD })
	void unsupportedTransport_isRejected(String side) {
		String property = side + ".event-loop.transport";
		this.runner.withBean(GreeterService.class)
			.withBean(Caller.class)
			.withPropertyValues(property + "=kqueue")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context, property, "kqueue");
				assertThat(analysis.getDescription())
					.startsWith(property + ": kqueue (expected: a transport that works here; kqueue does not: ")
					.contains("Set in: ");
				assertThat(analysis.getAction()).startsWith("Set " + property
						+ " to auto or nio, or add io.netty:netty-transport-native-kqueue of version 4.");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.server.dispatch", "rpc.server.services.Greeter.dispatch",
			"rpc.server.services.Greeter.methods.greet.dispatch" })
	@EnabledForJreRange(max = JRE.JAVA_20)
	void virtualDispatch_isRejected_beforeJava21(String property) {
		this.runner.withBean(GreeterService.class).withPropertyValues(property + "=virtual").run((context) -> {
			FailureAnalysis analysis = analyze(context, property, "virtual");
			assertThat(analysis.getDescription())
				.startsWith(property + ": virtual (expected: pool or event-loop, because virtual needs Java 21")
				.contains("Set in: ");
			assertThat(analysis.getAction()).startsWith("Set " + property + " to pool or event-loop");
		});
	}

	@Test
	void port_isRejected_whenInUse() throws IOException {
		try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.runner.withBean(GreeterService.class)
				.withPropertyValues("rpc.server.bind-address=127.0.0.1", "rpc.server.port=" + other.getLocalPort())
				.run((context) -> {
					FailureAnalysis analysis = analyze(context, "rpc.server.port", "" + other.getLocalPort());
					assertThat(analysis.getDescription())
						.startsWith("rpc.server.port: " + other.getLocalPort() + " is in use")
						.contains("Set in: ");
					assertThat(analysis.getAction()).startsWith("Set rpc.server.port to another port");
				});
		}
	}

	@Test
	void applicationName_isRequired_withZooKeeperAndServices() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context);
				assertThat(analysis.getDescription()).startsWith("spring.application.name is not set")
					.contains("zookeeper at localhost:1");
				assertThat(analysis.getAction()).contains("spring.application.name=user-service");
			});
	}

	@Test
	void applicationName_isOptional_withoutServices() {
		this.runner.withPropertyValues("rpc.registry.zookeeper.connect-string=localhost:1")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RpcClient.class));
	}

	@ParameterizedTest
	@CsvSource({ "127.0.0.1, a loopback address", "localhost, a loopback address", "0.0.0.0, a wildcard" })
	void unreachableAdvertisedAddress_isRejected(String address, String what) {
		this.runner.withBean(GreeterService.class)
			.withBean(Registry.class, RemoteRegistry::new)
			.withPropertyValues("spring.application.name=users", "rpc.server.advertised-address=" + address)
			.run((context) -> {
				FailureAnalysis analysis = analyze(context, "rpc.server.advertised-address", address);
				assertThat(analysis.getDescription()).startsWith("rpc.server.advertised-address: '" + address + "'")
					.contains(what, "registry elsewhere", "Set in: ");
				assertThat(analysis.getAction()).startsWith("Set rpc.server.advertised-address to ");
			});
	}

	@Test
	void loopbackBindAddress_isRejected_withRemoteRegistry() {
		this.runner.withBean(GreeterService.class)
			.withBean(Registry.class, RemoteRegistry::new)
			.withPropertyValues("spring.application.name=users", "rpc.server.bind-address=127.0.0.1")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context);
				assertThat(analysis.getDescription()).startsWith("rpc.server.bind-address: '127.0.0.1' is a loopback");
				assertThat(analysis.getAction()).startsWith("Set rpc.server.advertised-address to ");
			});
	}

	@Test
	void connectString_isRequired_withZooKeeper() {
		this.runner.withPropertyValues("rpc.registry.type=zookeeper")
			.run((context) -> assertThat(analyze(context).getDescription())
				.startsWith("rpc.registry.zookeeper.connect-string: '' (expected: host:port"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rpc.client.timeuot", "rpc.server.shutdown.grace", "rpc.registry.zookeper.root-path",
			"rpc.client.references.users.adresses" })
	void misspelledProperty_failsStartup(String property) {
		this.runner.withBean(GreeterService.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("application", Map.of(property, "1s"))))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(UnboundConfigurationPropertiesException.class)
				.hasMessageContaining(property));
	}

	@Test
	void service_isRejected_withoutInterface() {
		this.runner.withBean(NoInterface.class).run((context) -> {
			FailureAnalysis analysis = analyze(context);
			assertThat(analysis.getDescription()).contains(NoInterface.class.getName(), "implements no interface");
			assertThat(analysis.getAction()).contains("implement the interface");
		});
	}

	@Test
	void service_isRejected_whenTwoBeansOfferIt() {
		this.runner.withBean("one", GreeterService.class)
			.withBean("two", GreeterService.class)
			.run((context) -> assertThat(analyze(context).getDescription()).contains("'one' and 'two'"));
	}

	@Test
	void reference_isRejected_whenTypeIsClass() {
		this.runner.withBean(ClassUser.class).run((context) -> {
			FailureAnalysis analysis = analyze(context);
			assertThat(analysis.getDescription()).contains(GreeterService.class.getName(), "is not an interface",
					"ClassUser");
			assertThat(analysis.getAction()).contains(Greeter.class.getName());
		});
	}

	@Test
	void failedStartup_leavesNoThreadRunning() {
		this.runner.withBean(GreeterService.class)
			.withBean(ClassUser.class)
			.run((context) -> assertThat(context).hasFailed());
		assertThat(Thread.getAllStackTraces().keySet()).noneMatch((thread) -> thread.getName().contains("keep-alive"));
	}

	static class RemoteRegistry extends OtherRegistry {

		@Override
		public boolean isLocal() {
			return false;
		}

		@Override
		public String description() {
			return "registry elsewhere";
		}

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	@RpcService
	static class NoInterface {

	}

	static class Caller {

		@RpcReference(name = "users")
		private Greeter greeter;

	}

	static class ClassUser {

		@RpcReference
		private GreeterService greeter;

	}

}
