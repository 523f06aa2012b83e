package io.rpcboot.engine.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.AdmissionOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/** Bounds of handshakes, whose client is not known yet. */
class HandshakeLimitIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int PLACES = 3;

	private static final int STRANGERS = 200;

	private static final byte[] BEGIN = HexFormat.of().parseHex("16030100c8");

	private static final byte[] PREFACE = HexFormat.of().parseHex("8f52504300010000");

	private final Authority authority = new Authority();

	private RpcServerBuilder server() {
		return RpcServer.builder().port(0).tls(this.authority.here()).service(Calls.class, new CallsImpl());
	}

	private static ReferenceOptions at(RpcServer server) {
		return ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port()));
	}

	/** Nothing but the limit ends the handshakes that are not completed. */
	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void client_isServed_whenUnfinishedHandshakesHaveAllPlaces(Protocol protocol) throws Exception {
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = server().handshakeTimeout(LONG)
					.admission(AdmissionOptions.defaults().withTlsHandshakes(PLACES))
					.start();
				RpcClient client = RpcClient.builder()
					.protocol(protocol)
					.tls(this.authority.trust())
					.waitForInstance(LONG)
					.timeout(LONG)
					.build()) {
			List<Socket> unfinished = new ArrayList<>();
			for (int i = 0; i < PLACES; i++) {
				Socket socket = new Socket("127.0.0.1", server.port());
				unfinished.add(socket);
				socket.getOutputStream().write(BEGIN);
			}
			Eventually.until("all are there", () -> server.connections().size() == PLACES);
			assertThat(client.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
			Eventually.until("it is logged", () -> !log.messages().isEmpty());
			assertThat(log.messages()).allSatisfy((line) -> assertThat(line).startsWith("Connection closed: ")
				.contains(
						"rpc.server.limits.tls-handshakes: all 3 places are taken, others wait, and this client is silent"));
			for (Socket socket : unfinished) {
				socket.close();
			}
		}
	}

	/** In order of arrival, the client would wait for all of them. */
	@Test
	@EnabledOnOs(OS.LINUX) // a host has all addresses that begin with 127
	void unfinishedHandshakes_ofAnotherNetwork_doNotKeepClientWaiting() throws Exception {
		try (RpcServer server = server().handshakeTimeout(LONG)
			.maxConnectionsPerAddress(0)
			.admission(AdmissionOptions.defaults().withTlsHandshakes(1))
			.start();
				RpcClient client = RpcClient.builder()
					.tls(this.authority.trust())
					.waitForInstance(LONG)
					.timeout(LONG)
					.build()) {
			InetAddress stranger = InetAddress.getByName("127.0.0.2");
			List<Socket> unfinished = new ArrayList<>();
			for (int i = 0; i < STRANGERS; i++) {
				Socket socket = new Socket("127.0.0.1", server.port(), stranger, 0);
				unfinished.add(socket);
				socket.getOutputStream().write(BEGIN);
			}
			Eventually.until("all are there", () -> server.connections().size() > STRANGERS * 3 / 4);
			assertThat(client.reference(Calls.class, at(server)).greet("a")).isEqualTo("hello a");
			assertThat(server.connections()).as("most of them still wait").hasSizeGreaterThan(STRANGERS / 2);
			for (Socket socket : unfinished) {
				socket.close();
			}
		}
	}

	/** Waiting handshakes and silent connections belong to an address, too. */
	@Test
	void unfinishedHandshakes_countAsConnectionsOfTheirAddress() throws Exception {
		try (LogRecorder log = new LogRecorder("rpc.transport");
				RpcServer server = server().handshakeTimeout(LONG).maxConnectionsPerAddress(2).start();
				Socket first = new Socket("127.0.0.1", server.port());
				Socket second = new Socket("127.0.0.1", server.port())) {
			first.getOutputStream().write(BEGIN);
			Eventually.until("both are there", () -> server.connections().size() == 2);
			try (Socket third = new Socket("127.0.0.1", server.port())) {
				third.setSoTimeout((int) LONG.toMillis());
				assertThat(third.getInputStream().read()).isNegative();
			}
			assertThat(log.messages()).singleElement().asString().contains("limits.connections-per-address");
			assertThat(second.isConnected()).isTrue();
		}
	}

	/** Before the protocol is known, and after it. OpenSSL refuses it by itself. */
	@ParameterizedTest
	@EnumSource(names = { "AUTO", "JDK" })
	void renegotiation_endsConnection(Engine engine) throws Exception {
		for (byte[] before : List.of(new byte[0], PREFACE)) {
			try (LogRecorder log = new LogRecorder("rpc.server");
					RpcServer server = server().tls(this.authority.here().withEngine(engine))
						.handshakeTimeout(LONG)
						.start();
					SSLSocket socket = connect(server, "TLSv1.2")) {
				socket.startHandshake();
				socket.getOutputStream().write(before);
				untilEnd(socket);
				Eventually.until("no connection is left", () -> server.connections().isEmpty());
				assertThat(log.messages()).hasSize((before.length == 0) ? 1 : 0);
			}
		}
	}

	/** Asks for another handshake, and reads until the server closes. */
	private static void untilEnd(SSLSocket socket) throws SocketTimeoutException {
		try {
			socket.startHandshake();
			socket.getInputStream().readAllBytes();
		}
		catch (SocketTimeoutException ex) {
			throw ex;
		}
		catch (IOException ex) {
			// an alert or a reset
		}
	}

	/** Each update of TLS 1.3 makes the server compute keys for both directions. */
	@ParameterizedTest
	@EnumSource(names = { "AUTO", "JDK" })
	void keyUpdatesWithoutEnd_endConnection(Engine engine) throws Exception {
		try (RpcServer server = server().tls(this.authority.here().withEngine(engine)).handshakeTimeout(LONG).start();
				SSLSocket socket = connect(server, "TLSv1.3")) {
			socket.startHandshake();
			socket.getOutputStream().write(PREFACE);
			assertThatIOException().isThrownBy(() -> {
				for (int i = 0; i < 1_000_000; i++) {
					socket.startHandshake();
				}
			});
			Eventually.until("no connection is left", () -> server.connections().isEmpty());
		}
	}

	@Test
	void fewKeyUpdates_arePartOfTls() throws Exception {
		try (RpcServer server = server().handshakeTimeout(LONG).start();
				SSLSocket socket = connect(server, "TLSv1.3")) {
			socket.startHandshake();
			for (byte each : PREFACE) {
				socket.startHandshake();
				socket.getOutputStream().write(each);
			}
			assertThat(socket.getInputStream().readNBytes(PREFACE.length)).startsWith(0x8f, 'R', 'P', 'C');
		}
	}

	private SSLSocket connect(RpcServer server, String protocol) throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, this.authority.trust().trusted().getTrustManagers(), null);
		SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port());
		socket.setEnabledProtocols(new String[] { protocol });
		socket.setSoTimeout((int) LONG.toMillis());
		return socket;
	}

	@ParameterizedTest
	@EnumSource(names = { "AUTO", "JDK" })
	void olderTls_servesCallsAndEndsQuietly(Engine engine) {
		try (LogRecorder log = new LogRecorder("rpc.server");
				RpcServer server = server().tls(this.authority.here().withEngine(engine)).start()) {
			for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
				try (RpcClient client = RpcClient.builder()
					.protocol(protocol)
					.tls(this.authority.trust().withProtocols(List.of("TLSv1.2")))
					.build()) {
					Calls calls = client.reference(Calls.class, at(server));
					byte[] bytes = new byte[300_000];
					for (int i = 0; i < 20; i++) {
						assertThat(calls.echo(bytes)).isEqualTo(bytes);
					}
				}
			}
			Eventually.until("no connection is left", () -> server.connections().isEmpty());
			assertThat(log.messages()).isEmpty();
		}
	}

}
