package io.rpcboot.engine.failover;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.peer.FakeServer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * First calls to instances that answer slowly or not at all. Without a setting they wait
 * for the outcome of the first attempt to connect.
 */
class FirstAttemptIntegrationTests {

	private static RpcClientBuilder client(Protocol protocol) {
		return RpcClient.builder().protocol(protocol).timeout(Duration.ofSeconds(60));
	}

	private static Calls calls(RpcClient client, int... ports) {
		Endpoint[] endpoints = new Endpoint[ports.length];
		for (int i = 0; i < ports.length; i++) {
			endpoints[i] = new Endpoint("127.0.0.1", ports[i]);
		}
		return client.reference(Calls.class, ReferenceOptions.defaults().withEndpoints(endpoints));
	}

	private static RpcServer server() {
		return builder().start();
	}

	private static RpcServerBuilder builder() {
		return RpcServer.builder().port(0).service(Calls.class, new CallsImpl());
	}

	/** Passes bytes between a client and a server, those of the server late. */
	private record SlowProxy(ServerSocket listener) implements AutoCloseable {

		static SlowProxy to(RpcServer server) throws IOException {
			ServerSocket listener = new ServerSocket(0);
			start(() -> {
				while (true) {
					Socket client = listener.accept();
					Socket behind = new Socket("127.0.0.1", server.port());
					start(() -> copy(client, behind, 0));
					start(() -> copy(behind, client, 2500));
				}
			});
			return new SlowProxy(listener);
		}

		private static void copy(Socket from, Socket to, int millis) throws Exception {
			try (from; to) {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				byte[] chunk = new byte[4096];
				int count = in.read(chunk);
				while (count > 0) {
					new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
					out.write(chunk, 0, count);
					out.write(in.readNBytes(in.available())); // the rest of the flight
					count = in.read(chunk);
				}
			}
		}

		private static void start(Task task) {
			Thread thread = new Thread(() -> {
				try {
					task.run();
				}
				catch (Exception ignored) {
					// a side has closed
				}
			}, "slow-proxy");
			thread.setDaemon(true);
			thread.start();
		}

		@Override
		public void close() throws IOException {
			this.listener.close();
		}

		private interface Task {

			void run() throws Exception;

		}

	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void serverThatAnswersLate_isWaitedFor(Protocol protocol) throws Exception {
		try (RpcServer server = server();
				SlowProxy proxy = SlowProxy.to(server);
				RpcClient client = client(protocol).build()) {
			assertThat(calls(client, proxy.listener().getLocalPort()).greet("x")).isEqualTo("hello x");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void serverThatAnswersEachFlightLate_isWaitedFor_overTls(Protocol protocol) throws Exception {
		Authority authority = new Authority();
		try (RpcServer server = builder().tls(authority.here()).start();
				SlowProxy proxy = SlowProxy.to(server);
				RpcClient client = client(protocol).tls(authority.trust()).build()) {
			assertThat(calls(client, proxy.listener().getLocalPort()).greet("x")).isEqualTo("hello x");
		}
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, false, no answer to the handshake within 3 s",
			"GRPC, false, no answer to the handshake within 3 s",
			"NATIVE, true, no end of the TLS handshake within 3 s",
			"GRPC, true, no end of the TLS handshake within 3 s" })
	void silentServer_failsCall_afterConnectTimeout(Protocol protocol, boolean isTls, String problem) throws Exception {
		RpcClientBuilder builder = isTls ? client(protocol).tls(new Authority().trust()) : client(protocol);
		try (FakeServer silent = new FakeServer(new byte[0]); RpcClient client = builder.build()) {
			long start = System.nanoTime();
			RpcException failure = catchThrowableOfType(RpcException.class,
					() -> calls(client, silent.port()).greet("x"));
			assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(failure).hasMessageContaining(problem);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(2900),
					Duration.ofSeconds(20));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void explicitWait_holds(Protocol protocol) throws Exception {
		try (FakeServer silent = new FakeServer(new byte[0]);
				RpcClient client = client(protocol).waitForInstance(Duration.ZERO)
					.connectTimeout(Duration.ofMinutes(1))
					.build()) {
			assertThat(catchThrowableOfType(RpcException.class, () -> calls(client, silent.port()).greet("x")))
				.hasMessageContaining("is CONNECTING");
			Calls patient = client.reference(Calls.class,
					ReferenceOptions.defaults()
						.withEndpoints(new Endpoint("127.0.0.1", silent.port()))
						.withWaitForInstance(Duration.ofMillis(300)));
			assertThat(catchThrowableOfType(RpcException.class, () -> patient.greet("x")))
				.hasMessageContaining("is CONNECTING");
		}
	}

	@Test
	void deadline_endsWait() throws Exception {
		try (FakeServer silent = new FakeServer(new byte[0]);
				RpcClient client = client(Protocol.NATIVE).connectTimeout(Duration.ofMinutes(1))
					.timeout(Duration.ofMillis(300))
					.build()) {
			long start = System.nanoTime();
			assertThat(catchThrowableOfType(RpcException.class, () -> calls(client, silent.port()).greet("x"))
				.mayHaveExecuted()).isFalse();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void readyServer_answers_besideSilentOne(Protocol protocol) throws Exception {
		try (FakeServer silent = new FakeServer(new byte[0]);
				RpcServer server = server();
				RpcClient client = client(protocol).connectTimeout(Duration.ofMinutes(1)).build()) {
			Calls calls = calls(client, silent.port(), server.port());
			for (int i = 0; i < 20; i++) {
				assertThat(calls.greet("x")).isEqualTo("hello x");
			}
		}
	}

	@Test
	void hostThatTakesNoConnection_failsCall_afterConnectTimeout() throws Exception {
		try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
				RpcClient client = client(Protocol.NATIVE).build()) {
			List<SocketChannel> queued = fill(full);
			try {
				assertThat(
						catchThrowableOfType(RpcException.class, () -> calls(client, full.getLocalPort()).greet("x")))
					.hasMessageContaining("connection timed out after 3000 ms");
			}
			finally {
				for (SocketChannel each : queued) {
					each.close();
				}
			}
		}
	}

	/** Connects until the system accepts no more on behalf of this socket. */
	private static List<SocketChannel> fill(ServerSocket listener) throws IOException {
		List<SocketChannel> queued = new ArrayList<>();
		boolean isConnected = true;
		while (isConnected) {
			SocketChannel next = SocketChannel.open();
			queued.add(next);
			next.configureBlocking(false);
			isConnected = next.connect(listener.getLocalSocketAddress()) || finishes(next);
		}
		return queued;
	}

	private static boolean finishes(SocketChannel connecting) throws IOException {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
		while (System.nanoTime() < end) {
			if (connecting.finishConnect()) {
				return true;
			}
		}
		return false;
	}

}
