package io.rpcboot.spring.autoconfigure.effect;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.autoconfigure.effect.EffectApplication.Desk;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.validation.RpcValidationAutoConfiguration;
import io.rpcboot.transport.ConnectionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Effects of properties of the server. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ServerPropertyEffectsIntegrationTests {

	/** A contract with a type that has numbers. */
	public interface Units {

		TimeUnit unit(String name);

	}

	@RpcService
	static class UnitsService implements Units {

		@Override
		public TimeUnit unit(String name) {
			return TimeUnit.valueOf(name);
		}

	}

	/** Returns the text of all that the server sends until it closes the connection. */
	private static String untilEnd(Socket socket) throws IOException {
		socket.setSoTimeout(20_000);
		try (socket; InputStream in = socket.getInputStream()) {
			return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

	@Test
	@PropertyEffect("rpc.server.handshake-timeout")
	void silentConnection_isClosed_afterHandshakeTimeout(CapturedOutput output) throws IOException {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.handshake-timeout", "200ms"))) {
			assertThat(untilEnd(new Socket("127.0.0.1", application.port()))).isEmpty();
			Applications.eventually(() -> output.toString().contains("handshake-timeout, which is PT0.2S"));
		}
	}

	@Test
	@PropertyEffect("rpc.server.protocols")
	void clientOfOtherProtocol_isClosed(CapturedOutput output) throws IOException {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.protocols", "grpc", "rpc.client.warm-up", 0))) {
			try (Socket socket = new Socket("127.0.0.1", application.port())) {
				socket.getOutputStream().write(HexFormat.of().parseHex("8f52504300010000"));
				assertThat(untilEnd(socket)).isEmpty();
			}
			Applications.eventually(() -> output.toString()
				.contains("the client speaks the RPC protocol (expected: gRPC over HTTP/2, by rpc.server.protocols)"));
			assertThat(application.instances()).noneMatch((each) -> each.startsWith("READY"));
		}
	}

	@Test
	@PropertyEffect({ "rpc.server.grpc.health", "rpc.server.grpc.reflection", "rpc.server.grpc.compression" })
	void healthAndReflection_areTurnedOff_andCompressionOn() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.grpc.health", false,
				"rpc.server.grpc.reflection", false, "rpc.server.grpc.compression", "gzip"))) {
			assertThat(EffectApplication.reachable(application.server, GrpcOptions.class)).isNotEmpty()
				.allSatisfy((each) -> {
					assertThat(each.health()).isFalse();
					assertThat(each.reflection()).isFalse();
					assertThat(each.compression()).isEqualTo(GrpcOptions.Compression.GZIP);
				});
		}
	}

	@Test
	@PropertyEffect("rpc.server.http.max-header-size")
	void headersOfRequests_haveTheLimit() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.http.max-header-size", "20KB"))) {
			assertThat(EffectApplication.reachable(application.server, HttpOptions.class)).isNotEmpty()
				.allSatisfy((each) -> assertThat(each.maxHeaderSize()).isEqualTo(20 * 1024));
		}
	}

	@Test
	@PropertyEffect("rpc.server.http.json.unknown-fields")
	void unknownFields_areIgnored_onDemand() {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.http.json.unknown-fields", "ignore"))) {
			assertThat(EffectApplication.reachable(application.server, HttpOptions.class)).isNotEmpty()
				.allSatisfy((each) -> assertThat(each.unknownFields()).isEqualTo(HttpOptions.UnknownFields.IGNORE));
		}
	}

	@Test
	@PropertyEffect({ "rpc.server.http.cors.allowed-origins", "rpc.server.http.cors.allowed-headers",
			"rpc.server.http.cors.exposed-headers", "rpc.server.http.cors.allow-credentials",
			"rpc.server.http.cors.max-age" })
	void pagesOfOrigin_mayCall_asPropertiesSay() throws Exception {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.http.cors.allowed-origins",
				"https://shop.example", "rpc.server.http.cors.allowed-headers", "content-type",
				"rpc.server.http.cors.exposed-headers", "trailer-cost", "rpc.server.http.cors.allow-credentials", true,
				"rpc.server.http.cors.max-age", "7m"));
				Socket socket = new Socket("127.0.0.1", application.server.port())) {
			String question = "OPTIONS /x.Y/Z HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
					+ "Origin: https://shop.example\r\nAccess-Control-Request-Method: POST\r\n"
					+ "Access-Control-Request-Headers: content-type\r\n\r\n";
			socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
				.startsWith("HTTP/1.1 204 ")
				.contains("access-control-allow-origin: https://shop.example\r\n",
						"access-control-allow-headers: content-type\r\n", "access-control-allow-credentials: true\r\n",
						"access-control-max-age: 420\r\n");
			assertThat(EffectApplication.reachable(application.server, HttpOptions.class)).isNotEmpty()
				.allSatisfy((each) -> assertThat(each.cors().exposedHeaders()).containsExactly("trailer-cost"));
		}
	}

	@Test
	@PropertyEffect("rpc.server.grpc.lock")
	void typeWithoutLine_isRefused_ifLockIsRequired() {
		new ApplicationContextRunner().withPropertyValues("rpc.server.port=0", "rpc.server.grpc.lock=required")
			.withConfiguration(
					AutoConfigurations.of(RpcServerAutoConfiguration.class, RpcSerializationAutoConfiguration.class))
			.withBean(UnitsService.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"rpc.server.grpc.lock: required, and META-INF/rpc/protobuf.lock has no line for 2 types of gRPC"));
	}

	/** The tests of rpc-grpc host services. */
	@Test
	@PropertyEffect("rpc.server.grpc.host-services")
	void missingServices_areNamed_ifTheyAreToBeHosted(CapturedOutput output) {
		EffectApplication.run(Map.of("rpc.server.grpc.host-services", true)).close();
		assertThat(output).contains("rpc.server.grpc.host-services: true, and there is no service to host");
	}

	@Test
	@PropertyEffect("rpc.server.idle-timeout")
	void idleConnection_isClosed_afterIdleTimeout() {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.idle-timeout", "100ms", "rpc.client.keep-alive.interval", "1h"))) {
			application.desk.sign("Doug");
			application.awaitClosed("idle-timeout, which is PT0.1S");
		}
	}

	@Test
	@PropertyEffect("rpc.server.connection-max-age")
	void connection_isReplaced_atMaxAge() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.connection-max-age", "200ms"))) {
			List<String> first = application.server.connections().stream().map(ConnectionInfo::remote).toList();
			Applications.eventually(() -> {
				List<String> now = application.server.connections().stream().map(ConnectionInfo::remote).toList();
				return !now.isEmpty() && !now.equals(first) && application.desk.sign("Doug").equals("signed Doug");
			});
		}
	}

	@Test
	@PropertyEffect("rpc.server.connection-max-age-grace")
	void replacedConnection_isClosed_afterGrace() {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.connection-max-age", "200ms", "rpc.server.connection-max-age-grace", "300ms"))) {
			CompletableFuture<String> held = application.desk.hold("Doug");
			application.awaitClosed("connection-max-age-grace, which is PT0.3S");
			Applications.eventually(held::isCompletedExceptionally);
		}
	}

	@Test
	@PropertyEffect("rpc.server.limits.connections")
	void connectionBeyondLimit_isClosed(CapturedOutput output) throws IOException {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.limits.connections", 1))) {
			application.desk.sign("Doug");
			assertThat(untilEnd(new Socket("127.0.0.1", application.port()))).isEmpty();
			Applications.eventually(() -> output.toString().contains("limits.connections: 1 are open already"));
			assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
		}
	}

	@Test
	@PropertyEffect("rpc.server.limits.connections-per-address")
	void connectionOfFullAddress_isClosed(CapturedOutput output) throws IOException {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.limits.connections-per-address", 1))) {
			application.desk.sign("Doug");
			assertThat(untilEnd(new Socket("127.0.0.1", application.port()))).isEmpty();
			Applications.eventually(() -> output.toString()
				.contains("limits.connections-per-address: 127.0.0.1 has 1 connections open (expected: at most 1)"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "allow, 10.0.0.0/8, false", "allow, 127.0.0.0/8, true", "deny, 127.0.0.1, false",
			"deny, 10.0.0.0/8, true" })
	@PropertyEffect({ "rpc.server.address-filter.allow", "rpc.server.address-filter.deny" })
	void client_isServed_ifItsAddressMayBe(String list, String range, boolean served, CapturedOutput output)
			throws IOException {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.address-filter." + list, range, "rpc.client.warm-up", 0))) {
			if (served) {
				assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			}
			else {
				assertThat(untilEnd(new Socket("127.0.0.1", application.port()))).isEmpty();
				Applications.eventually(
						() -> output.toString().contains("Connection refused: rpc.server.address-filter." + list));
			}
		}
	}

	@Test
	@PropertyEffect("rpc.server.proxy-protocol.from")
	void listedProxy_mustSendHeader(CapturedOutput output) throws IOException {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.proxy-protocol.from", "127.0.0.0/8", "rpc.client.warm-up", 0))) {
			try (Socket socket = new Socket("127.0.0.1", application.port())) {
				socket.getOutputStream().write(HexFormat.of().parseHex("8f52504300010000"));
				assertThat(untilEnd(socket)).isEmpty();
			}
			Applications.eventually(() -> output.toString().contains("rpc.server.proxy-protocol.from has 127.0.0.1:"));
		}
	}

	@Test
	@PropertyEffect({ "rpc.server.limits.calls-per-connection" })
	void connection_isGrantedItsMostCalls() {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.limits.calls-per-connection", 3))) {
			application.desk.sign("Doug");
			List<CompletableFuture<String>> held = List.of(application.desk.hold("a"), application.desk.hold("b"),
					application.desk.hold("c"), application.desk.hold("d"));
			Applications.eventually(() -> application.server.inFlightCalls() == 3);
			application.service.gate.complete("held");
			assertThat(held).allSatisfy((call) -> assertThat(call.get(20, TimeUnit.SECONDS)).startsWith("held"));
		}
	}

	@Test
	@PropertyEffect({ "rpc.server.limits.streams", "rpc.server.limits.streams-per-connection" })
	void openStreams_areBounded() {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.limits.streams", 7, "rpc.server.limits.streams-per-connection", 3))) {
			assertThat(EffectApplication.reachable(application.server, ServerOptions.class)).isNotEmpty()
				.allSatisfy((each) -> {
					assertThat(each.maxStreams).isEqualTo(7);
					assertThat(each.maxStreamsPerConnection).isEqualTo(3);
				});
		}
	}

	@Test
	@PropertyEffect("rpc.server.limits.in-flight-calls")
	void inFlightCalls_areBounded() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.limits.in-flight-calls", 2))) {
			application.desk.sign("Doug");
			List<CompletableFuture<String>> held = List.of(application.desk.hold("a"), application.desk.hold("b"),
					application.desk.hold("c"));
			Applications.eventually(() -> application.server.inFlightCalls() == 2);
			application.service.gate.complete("held");
			assertThat(held.stream().filter((call) -> !call.isCompletedExceptionally()).count())
				.isGreaterThanOrEqualTo(2);
		}
	}

	@Test
	@PropertyEffect("rpc.server.port")
	void port_isTheNamedOne() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.port", 0))) {
			assertThat(application.port()).isPositive().isNotEqualTo(9090);
		}
	}

	@Test
	@PropertyEffect("rpc.server.memory.least-rate")
	void connectionOfSlowBodies_isClosed_whileOthersWaitForMemory() throws IOException {
		Map<String, Object> properties = Map.of("rpc.server.max-frame-size", "1MB", "rpc.server.memory.limit", "3MB",
				"rpc.server.memory.least-rate", "3MB");
		try (EffectApplication application = EffectApplication.run(properties);
				Relay relay = new Relay(application.port());
				RpcClient client = RpcClient.builder().connectionsPerEndpoint(8).build()) {
			relay.withholdAfter(300_000, Long.MAX_VALUE);
			Desk desk = client.reference(Desk.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", relay.port())));
			Applications.eventually(() -> client.connections().size() == 8);
			for (int i = 0; i < 16; i++) {
				desk.file(new byte[900_000]);
			}
			application.awaitClosed("memory.least-rate: a body arrives with less than 3145728 bytes per second");
		}
	}

	@Test
	@PropertyEffect("rpc.server.access-log.sampling")
	void successfulCall_isNotLogged_whenSamplingIsZero(CapturedOutput output) {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.access-log.enabled", true,
				"rpc.server.access-log.sampling", 0, "logging.level.rpc.server.access", "info"))) {
			application.desk.sign("Doug");
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> application.desk.fail("no ink"));
			Applications.eventually(() -> output.toString().contains("method=fail(java.lang.String) status=APP"));
			assertThat(output).doesNotContain("method=sign(");
		}
	}

	@Test
	@PropertyEffect("rpc.server.shutdown.grace-period")
	void callsInFlight_areCutAfterGracePeriod(CapturedOutput output) {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.shutdown.grace-period", "200ms", "logging.level.rpc.server", "info"))) {
			CompletableFuture<String> held = application.desk.hold("Doug");
			Applications.eventually(() -> application.server.inFlightCalls() == 1);
			application.context.close();
			assertThat(held).isCompletedExceptionally();
			assertThat(output).containsPattern("RPC server closed: 0 calls drained, 1 cut, after \\d{3,4} ms");
		}
	}

	@Test
	@PropertyEffect("rpc.server.validation.enabled")
	void argumentsAreNotValidated_whenDisabled(@TempDir Path directory) throws IOException {
		Path services = Files.createDirectories(directory.resolve("META-INF/services"));
		Files.createFile(services.resolve("jakarta.validation.spi.ValidationProvider"));
		try (URLClassLoader withProvider = new URLClassLoader(new URL[] { directory.toUri().toURL() })) {
			ApplicationContextRunner runner = new ApplicationContextRunner().withClassLoader(withProvider)
				.withConfiguration(AutoConfigurations.of(RpcValidationAutoConfiguration.class));
			runner.run((context) -> assertThat(context).hasSingleBean(RpcServiceCustomizer.class));
			runner.withPropertyValues("rpc.server.validation.enabled=false")
				.run((context) -> assertThat(context).doesNotHaveBean(RpcServiceCustomizer.class));
		}
	}

	@Test
	@PropertyEffect("rpc.server.pool.max-threads")
	void pool_hasMaxThreads() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.pool.max-threads", 7))) {
			assertThat(application.server.pool().maxThreads()).isEqualTo(7);
		}
	}

	@Test
	@PropertyEffect("rpc.server.max-attachments-size")
	void attachmentsBeyondSizeOfServer_areRefused() throws Exception {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.max-attachments-size", "100B"))) {
			Desk desk = application.desk;
			assertThat(CallOptions.with("note", "x").call(desk::attachments)).containsEntry("note", "x");
			assertThatExceptionOfType(RpcException.class)
				.isThrownBy(() -> CallOptions.with("note", "x".repeat(200)).call(desk::attachments))
				.withMessageContaining("the server accepts at most 100");
		}
	}

	@Test
	@PropertyEffect("rpc.server.max-frame-size")
	void argumentsBeyondFrameSizeOfServer_areRefused() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.max-frame-size", "10KB"))) {
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> application.desk.file(new byte[20_000]).get(20, TimeUnit.SECONDS))
				.withMessageContaining("max-frame-size");
		}
	}

	@Test
	@PropertyEffect("rpc.server.expose-exceptions")
	void messageOfException_reachesCaller_whenExposed() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.expose-exceptions", "message"))) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> application.desk.fail("no ink"))
				.withMessageContaining("no ink")
				.matches((ex) -> ex.status() == RpcStatus.APPLICATION);
		}
	}

	@Test
	@PropertyEffect({ "rpc.server.weight", "rpc.server.zone", "rpc.server.tag", "rpc.server.advertised-address",
			"rpc.server.advertised-port" })
	void instance_isRegisteredWithItsProperties() {
		try (EffectApplication application = EffectApplication.run(Map.of("spring.application.name", "desks",
				"rpc.server.weight", 7, "rpc.server.zone", "eu-1", "rpc.server.tag", "canary",
				"rpc.server.advertised-address", "localhost", "rpc.server.advertised-port", 4711), Instances.class)) {
			ServiceInstance instance = application.context.getBean(Instances.class).registered;
			assertThat(instance.weight()).isEqualTo(7);
			assertThat(instance.zone()).isEqualTo("eu-1");
			assertThat(instance.tag()).isEqualTo("canary");
			assertThat(instance.endpoint()).hasToString("localhost:4711");
		}
	}

	@Test
	@PropertyEffect("rpc.server.preferred-networks")
	void preferredNetworkWithoutAddress_isWarnedOf(CapturedOutput output) {
		try (EffectApplication application = EffectApplication.run(
				Map.of("spring.application.name", "desks", "rpc.server.preferred-networks[0]", "203.0.113.0/24"),
				Distant.class)) {
			assertThat(application.server.port()).isPositive();
			assertThat(output).contains("preferred-networks: no address of this host is in").contains("203.0.113.0/24");
		}
	}

	/** Remembers what is registered. */
	static class Instances extends OtherRegistry {

		private volatile ServiceInstance registered;

		@Override
		public Registration register(ServiceInstance instance) {
			this.registered = instance;
			return super.register(instance);
		}

	}

	/** A registry on another host. */
	static class Distant extends OtherRegistry {

		@Override
		public boolean isLocal() {
			return false;
		}

	}

}
