package io.rpcboot.engine.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.AdmissionOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers behind a balancer that speaks the PROXY protocol, version 2. */
class ProxyProtocolIntegrationTests {

	private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

	/** 10.1.2.3:4711 to 10.9.9.9:9090. */
	private static final byte[] CLIENT = HexFormat.of().parseHex(SIGNATURE + "2111000c0a0102030a09090912672382");

	private static final byte[] HEALTH_CHECK = HexFormat.of().parseHex(SIGNATURE + "20000000");

	private static final Authority AUTHORITY = new Authority();

	private static final AdmissionOptions BEHIND_PROXY = AdmissionOptions.defaults()
		.withProxies(List.of("127.0.0.0/8"));

	private static RpcServerBuilder server(AdmissionOptions admission) {
		return RpcServer.builder().port(0).admission(admission).service(Calls.class, new CallsImpl());
	}

	private static ReferenceOptions at(int port) {
		return ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", port));
	}

	static Stream<Arguments> traffic() {
		return Stream.of(Protocol.NATIVE, Protocol.GRPC)
			.flatMap((protocol) -> Stream.of(Arguments.of(protocol, false), Arguments.of(protocol, true)));
	}

	@ParameterizedTest
	@MethodSource("traffic")
	void server_seesTheClientBehindTheBalancer(Protocol protocol, boolean encrypted) throws IOException {
		RpcServerBuilder options = server(BEHIND_PROXY);
		RpcClientBuilder client = RpcClient.builder().protocol(protocol);
		if (encrypted) {
			options.tls(AUTHORITY.here());
			client.tls(AUTHORITY.trust());
		}
		try (RpcServer server = options.start();
				Balancer balancer = new Balancer(server.port(), CLIENT);
				RpcClient behind = client.build()) {
			byte[] bytes = new byte[1_000_000];
			assertThat(behind.reference(Calls.class, at(balancer.port())).echo(bytes)).isEqualTo(bytes);
			assertThat(server.connections()).singleElement()
				.satisfies((each) -> assertThat(each.remote()).isEqualTo("10.1.2.3:4711"));
		}
	}

	@Test
	void limitsAndLists_seeTheClientBehindTheBalancer() throws IOException {
		try (LogRecorder log = new LogRecorder("rpc.transport");
				RpcServer server = server(BEHIND_PROXY.withDenied(List.of("10.1.0.0/16"))).start()) {
			assertThat(answer(server, CLIENT)).isEmpty();
			assertThat(log.messages()).singleElement()
				.asString()
				.isEqualTo("Connection refused: rpc.server.address-filter.deny has 10.1.2.3");
		}
		try (LogRecorder log = new LogRecorder("rpc.transport");
				RpcServer server = server(BEHIND_PROXY).maxConnectionsPerAddress(1).start();
				Socket first = connect(server, CLIENT)) {
			Eventually.until("the first is there", () -> server.connections().size() == 1);
			assertThat(answer(server, CLIENT)).isEmpty();
			assertThat(log.messages()).singleElement().asString().contains("10.1.2.3 has 1 connections open");
			assertThat(first.isConnected()).isTrue();
		}
	}

	@Test
	void healthCheckOfTheBalancer_keepsItsAddress_andIsNotLogged() throws IOException {
		try (LogRecorder log = new LogRecorder("rpc"); RpcServer server = server(BEHIND_PROXY).start()) {
			try (Socket socket = connect(server, HEALTH_CHECK)) {
				Eventually.until("it is there", () -> server.connections().size() == 1);
				assertThat(server.connections().get(0).remote()).isEqualTo("127.0.0.1:" + socket.getLocalPort());
			}
			Eventually.until("it has gone", () -> server.connections().isEmpty());
			assertThat(log.messages()).isEmpty();
		}
	}

	@Test
	void listedAddress_isRefused_withoutHeader() throws IOException {
		byte[] preface = HexFormat.of().parseHex("8f52504300010000");
		try (LogRecorder log = new LogRecorder("rpc.transport"); RpcServer server = server(BEHIND_PROXY).start()) {
			assertThat(answer(server, preface)).isEmpty();
			assertThat(log.messages()).singleElement()
				.asString()
				.contains("rpc.server.proxy-protocol.from has 127.0.0.1:", "which sends no header");
		}
		try (LogRecorder log = new LogRecorder("rpc.transport");
				RpcServer server = server(BEHIND_PROXY).handshakeTimeout(Duration.ofMillis(100)).start()) {
			assertThat(answer(server, new byte[0])).isEmpty();
			assertThat(log.messages()).singleElement().asString().contains("no whole header within");
		}
	}

	@Test
	void header_isAnUnknownProtocol_fromOtherAddresses() throws IOException {
		for (boolean encrypted : List.of(false, true)) {
			RpcServerBuilder options = server(AdmissionOptions.defaults().withProxies(List.of("10.0.0.0/8", "::/0")));
			try (LogRecorder log = new LogRecorder("rpc.server");
					RpcServer server = (encrypted ? options.tls(AUTHORITY.here()) : options).start()) {
				assertThat(answer(server, CLIENT)).isEmpty();
				assertThat(log.messages()).singleElement()
					.asString()
					.startsWith("Connection closed: 127.0.0.1:")
					.contains("a header of the PROXY protocol", "rpc.server.proxy-protocol.from");
			}
		}
	}

	private static Socket connect(RpcServer server, byte[] first) throws IOException {
		Socket socket = new Socket("127.0.0.1", server.port());
		socket.setSoTimeout(30_000);
		socket.getOutputStream().write(first);
		return socket;
	}

	/** Returns the bytes that the server sends until it closes the connection. */
	private static byte[] answer(RpcServer server, byte[] first) throws IOException {
		try (Socket socket = connect(server, first)) {
			return socket.getInputStream().readAllBytes();
		}
	}

	/** Forwards connections, each after a header. */
	private static final class Balancer implements AutoCloseable {

		private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		private final int server;

		private final byte[] header;

		Balancer(int server, byte[] header) throws IOException {
			this.server = server;
			this.header = header;
			start(this::accept);
		}

		private static void start(Runnable task) {
			Thread thread = new Thread(task, "balancer");
			thread.setDaemon(true);
			thread.start();
		}

		int port() {
			return this.port.getLocalPort();
		}

		private void accept() {
			try {
				while (!this.port.isClosed()) {
					Socket client = this.port.accept();
					Socket behind = new Socket("127.0.0.1", this.server);
					behind.getOutputStream().write(this.header);
					start(() -> pump(client, behind));
					start(() -> pump(behind, client));
				}
			}
			catch (IOException ex) {
				// closed
			}
		}

		private static void pump(Socket from, Socket to) {
			try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
				in.transferTo(out);
			}
			catch (IOException ex) {
				// one side has closed
			}
		}

		@Override
		public void close() throws IOException {
			this.port.close();
		}

	}

}
