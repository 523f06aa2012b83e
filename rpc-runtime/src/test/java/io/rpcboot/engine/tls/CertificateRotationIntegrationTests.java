package io.rpcboot.engine.tls;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Certificates that are replaced or expire under load. */
class CertificateRotationIntegrationTests {

	private static final Duration LIFE = Duration.ofSeconds(10);

	private final Authority authority = new Authority();

	private static ReferenceOptions at(RpcServer server) {
		return ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port()));
	}

	private static String problem(RpcClient client) {
		return client.references().get(0).instances().get(0).problem();
	}

	@Test
	void expiringCertificate_isRefusedAfterWarning_untilItIsReplaced() {
		TlsOptions shortLived = this.authority.with((certificate) -> certificate.addSanIpAddress("127.0.0.1")
			.notBefore(Instant.now().minusSeconds(1))
			.notAfter(Instant.now().plus(LIFE)));
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = RpcServer.builder()
					.port(0)
					.service(Calls.class, new CallsImpl())
					.tls(shortLived)
					.start();
				RpcClient client = RpcClient.builder().tls(this.authority.trust()).build();
				RpcClient late = RpcClient.builder().tls(this.authority.trust()).build()) {
			Calls calls = client.reference(Calls.class, at(server));
			try (Load load = new Load(2, (number) -> calls.greet("a"))) {
				load.awaitMore(100);
				Eventually.until("the server warns", () -> contains(log, " expires at "));
				Eventually.until("the certificate has expired", () -> contains(log, " has expired at "));
				Calls ofLate = late.reference(Calls.class, at(server));
				Eventually.until("new connections are refused", () -> problem(late).contains("not valid now"));
				load.awaitMore(100);
				server.renewTls(this.authority.here());
				Eventually.until("new connections are accepted", () -> problem(late).isEmpty());
				assertThat(ofLate.greet("b")).isEqualTo("hello b");
				load.awaitMore(100);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	private static boolean contains(LogRecorder log, String text) {
		return log.messages().stream().anyMatch((each) -> each.contains(text));
	}

	/** 1,000 calls a second while certificates of both sides are replaced 20 times. */
	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	@EnabledIfSystemProperty(named = "rpc.test.long", matches = "true")
	void replacedCertificates_loseNoCall_andReplaceConnectionsWithinAMinute(Protocol protocol) {
		TlsOptions ofServer = this.authority.here().withClientAuth(ClientAuth.NEED);
		TlsOptions ofClient = this.authority.here();
		try (RpcServer server = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).tls(ofServer).start();
				RpcClient client = RpcClient.builder()
					.protocol(protocol)
					.connectionsPerEndpoint(4)
					.tls(ofClient)
					.build()) {
			Calls calls = client.reference(Calls.class, at(server));
			try (Load load = new Load(10, (number) -> {
				calls.greet("a");
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
			})) {
				load.awaitMore(1000);
				for (int i = 0; i < 20; i++) {
					server.renewTls(this.authority.here().withClientAuth(ClientAuth.NEED));
					client.renewTls(ofClient, this.authority.here());
					load.awaitMore(5000);
				}
				Set<String> before = remotes(server);
				long start = System.nanoTime();
				server.renewTls(this.authority.here().withClientAuth(ClientAuth.NEED));
				client.renewTls(ofClient, this.authority.here());
				Eventually.until("all connections are new", Duration.ofSeconds(90), () -> {
					Set<String> now = remotes(server);
					now.retainAll(before);
					return now.isEmpty();
				});
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	private static Set<String> remotes(RpcServer server) {
		Set<String> result = new HashSet<>();
		server.connections().forEach((each) -> result.add(each.remote()));
		return result;
	}

}
