package io.rpcboot.spring.autoconfigure.effect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Effects of properties of the client on its connections. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ConnectionPropertyEffectsIntegrationTests {

	@Test
	@PropertyEffect("rpc.client.connect-timeout")
	void connectionWithoutHandshake_endsAtConnectTimeout() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				EffectApplication application = EffectApplication.calling(Map.of("rpc.client.connect-timeout", "200ms"),
						silent.getLocalPort())) {
			Applications.eventually(
					() -> application.instances().contains("BACKING_OFF no answer to the handshake within 200 ms"));
		}
	}

	@Test
	@PropertyEffect("rpc.client.backoff.min")
	void firstPause_isBackoffMin(CapturedOutput output) throws IOException {
		int closed;
		try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			closed = socket.getLocalPort();
		}
		try (EffectApplication application = EffectApplication
			.calling(Map.of("rpc.client.backoff.min", "1h", "rpc.client.backoff.max", "1h"), closed)) {
			Pattern text = Pattern.compile("connecting in (\\d+) (s|ms)");
			Applications.eventually(() -> text.matcher(output).find());
			Matcher found = text.matcher(output);
			assertThat(found.find()).isTrue();
			long number = Long.parseLong(found.group(1));
			assertThat(found.group(2).equals("s") ? number * 1000 : number).isBetween(2_880_000L, 4_320_000L);
			assertThat(application.instances()).singleElement().asString().startsWith("BACKING_OFF");
		}
	}

	@Test
	@PropertyEffect("rpc.client.backoff.max")
	void pauses_growToBackoffMax() throws IOException {
		AtomicInteger connects = new AtomicInteger();
		try (ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			Thread acceptor = new Thread(() -> {
				try {
					while (true) {
						Socket accepted = closing.accept();
						connects.incrementAndGet();
						accepted.close();
					}
				}
				catch (IOException ex) {
					// the end of the test
				}
			});
			acceptor.start();
			try (EffectApplication application = EffectApplication.calling(
					Map.of("rpc.client.backoff.min", "50ms", "rpc.client.backoff.max", "50ms"),
					closing.getLocalPort())) {
				Applications.eventually(() -> connects.get() >= 20);
				assertThat(application.instances()).hasSize(1);
			}
		}
	}

	@Test
	@PropertyEffect("rpc.client.keep-alive.interval")
	void idleConnection_isProbedAtIntervals() throws IOException {
		try (RpcServer server = EffectApplication.server();
				Relay relay = new Relay(server.port());
				EffectApplication application = EffectApplication.calling(
						Map.of("rpc.client.keep-alive.interval", "50ms", "rpc.client.keep-alive.timeout", "200ms"),
						relay.port())) {
			application.desk.sign("Doug");
			long before = relay.reads.get();
			Applications.eventually(() -> relay.reads.get() - before >= 10);
		}
	}

	@Test
	@PropertyEffect("rpc.client.keep-alive.timeout")
	void silentConnection_isClosed_afterProbe() throws IOException {
		try (RpcServer server = EffectApplication.server();
				Relay relay = new Relay(server.port());
				EffectApplication application = EffectApplication.calling(
						Map.of("rpc.client.keep-alive.interval", "50ms", "rpc.client.keep-alive.timeout", "300ms"),
						relay.port())) {
			application.desk.sign("Doug");
			relay.withholdAfter(Long.MAX_VALUE, 0);
			application.awaitClosed("no sign of life for 300 ms after a probe");
		}
	}

	@Test
	@PropertyEffect("rpc.client.memory.least-rate")
	void connectionOfSlowBodies_isClosed_whileOthersWaitForMemory() throws IOException {
		try (RpcServer server = EffectApplication.server();
				Relay relay = new Relay(server.port());
				EffectApplication application = EffectApplication.calling(
						Map.of("rpc.client.max-frame-size", "1MB", "rpc.client.memory.limit", "3MB",
								"rpc.client.memory.least-rate", "3MB", "rpc.client.connections-per-endpoint", 8),
						relay.port())) {
			Applications.eventually(() -> application.client.connections().size() == 8);
			relay.withholdAfter(Long.MAX_VALUE, 300_000);
			for (int i = 0; i < 16; i++) {
				application.desk.fetch(900_000);
			}
			application.awaitClosed("memory.least-rate: a body arrives with less than 3145728 bytes per second");
		}
	}

	/** The default would take 40 s. */
	@Test
	@PropertyEffect("rpc.client.dns.interval")
	void host_isLookedUpAtIntervals() throws Exception {
		Lookups.count.set(0);
		try (RpcServer server = EffectApplication.server();
				EffectApplication application = EffectApplication.run(
						Map.of("rpc.client.dns.interval", "1s", "rpc.server.enabled", false,
								"rpc.client.references.desk.addresses", "dns:desks.test:" + server.port()),
						Lookups.class)) {
			Applications.eventually(() -> Lookups.count.get() >= 5);
			assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
		}
	}

	/** Counts look-ups. */
	static class Lookups implements RpcClientBuilderCustomizer {

		private static final AtomicInteger count = new AtomicInteger();

		@Override
		public void customize(RpcClientBuilder builder) {
			builder.dns(builder.dns().withResolver((host) -> {
				count.incrementAndGet();
				return List.of(InetAddress.getByAddress(host, new byte[] { 127, 0, 0, 1 }));
			}));
		}

	}

}
