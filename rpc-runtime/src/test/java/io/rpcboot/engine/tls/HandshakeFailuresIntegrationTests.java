package io.rpcboot.engine.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients and servers whose TLS does not fit: each side tells what it has met. */
class HandshakeFailuresIntegrationTests {

	private static final Authority OURS = new Authority();

	private static final Authority OTHER = new Authority();

	private final CallsImpl implementation = new CallsImpl();

	private @Nullable RpcServer server;

	@AfterEach
	void close() {
		if (this.server != null) {
			this.server.close();
		}
	}

	private RpcServer start(UnaryOperator<RpcServerBuilder> options) {
		RpcServer started = options.apply(RpcServer.builder().port(0).service(Calls.class, this.implementation))
			.start();
		this.server = started;
		return started;
	}

	static Stream<Arguments> misfits() {
		TlsOptions need = OURS.here().withClientAuth(ClientAuth.NEED);
		return Stream.of(
				Arguments.of("no certificate", need, OURS.trust(), "refuses the certificate of this client",
						"the client has no certificate"),
				Arguments.of("certificate of another authority", need,
						TlsOptions.of(OTHER.here().keys(), OURS.trust().trusted()),
						"refuses the certificate of this client",
						"the client has no certificate of an authority in the trust store"),
				Arguments.of("server of another authority", OTHER.here(), OURS.trust(),
						"the certificate of the server is not trusted",
						"the client refuses the certificate of this server"),
				Arguments.of("another host", OURS.with((certificate) -> certificate.addSanDnsName("elsewhere")),
						OURS.trust(), "the certificate of the server is not for '127.0.0.1'",
						"the client refuses the certificate of this server"),
				Arguments.of("expired server", OURS.expired(), OURS.trust(),
						"the certificate of the server is not valid now",
						"the client refuses the certificate of this server"),
				Arguments.of("expired client", need, OURS.expired(), "refuses the certificate of this client",
						"the certificate of the client is not valid now"),
				Arguments.of("client without TLS", OURS.here(), null,
						"the server closed the connection during the handshake, see its log",
						"the client speaks clear text (expected: TLS, by rpc.server.ssl.mode=required)"),
				Arguments.of("server without TLS", null, OURS.trust(),
						"the server closed the connection during the TLS handshake",
						"the client speaks TLS (expected: clear text"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("misfits")
	void misfit_isToldAtBothSides_andNoCallRuns(String name, @Nullable TlsOptions ofServer,
			@Nullable TlsOptions ofClient, String atClient, String atServer) {
		for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) { // each with a
																			// server,
																			// whose log
																			// has
			// had no such line
			RpcServer started = start((options) -> (ofServer != null) ? options.tls(ofServer) : options);
			RpcClientBuilder builder = RpcClient.builder().protocol(protocol);
			try (LogRecorder log = new LogRecorder("rpc.server");
					RpcClient client = ((ofClient != null) ? builder.tls(ofClient) : builder).build()) {
				client.reference(Calls.class,
						ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", started.port())));
				Eventually.until("the client fails", () -> !state(client).problem().isEmpty());
				assertThat(state(client).problem()).contains(atClient);
				Eventually.until("the server logs", () -> !ofConnections(log).isEmpty());
				// OpenSSL does not tell the server why
				assertThat(ofConnections(log).get(0)).containsAnyOf(atServer, "ALERT_INTERNAL_ERROR");
			}
			Eventually.until("no connection is left", () -> started.connections().isEmpty());
			started.close();
		}
		assertThat(this.implementation.executed).hasValue(0);
	}

	/** Returns the lines without the one that an expired certificate has at the start. */
	private static List<String> ofConnections(LogRecorder log) {
		return log.messages().stream().filter((line) -> !line.startsWith("The certificate ")).toList();
	}

	private static ReferenceInfo.Instance state(RpcClient client) {
		return client.references().get(0).instances().get(0);
	}

	/** The begin of a record of a handshake, and a record with the begin of a message. */
	@ParameterizedTest
	@ValueSource(strings = { "16", "160301", "16030100c8", "16030100040100ff" })
	void silentHandshake_isClosed_afterHandshakeTimeout(String hex) throws Exception {
		RpcServer started = start((options) -> options.tls(OURS.here()).handshakeTimeout(Duration.ofMillis(200)));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect(started)) {
			socket.getOutputStream().write(HexFormat.of().parseHex(hex));
			socket.getInputStream().readAllBytes();
			Eventually.until("it is logged", () -> !log.messages().isEmpty());
			assertThat(log.messages()).singleElement().asString().contains("within rpc.server.handshake-timeout");
		}
		Eventually.until("no connection is left", () -> started.connections().isEmpty());
	}

	/** TLS 1.0 and SSL 3.0 only; a record that is none; an alert. */
	@ParameterizedTest
	@ValueSource(strings = {
			"160301002f0100002b0301000000000000000000000000000000000000000000000000000000000000000000000400ff002f0100",
			"1603010005010000010203", "16030100040100ffff", "1603010000", "16030100ff99999999", "15030100020228" })
	void brokenHandshake_isClosed_andNamedInLog(String hex) throws Exception {
		RpcServer started = start((options) -> options.tls(OURS.here()).handshakeTimeout(Duration.ofSeconds(1)));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect(started)) {
			socket.getOutputStream().write(HexFormat.of().parseHex(hex));
			socket.getInputStream().readAllBytes();
			Eventually.until("it is logged", () -> !log.messages().isEmpty());
			assertThat(log.messages()).singleElement().asString().startsWith("Connection closed: ");
		}
		Eventually.until("no connection is left", () -> started.connections().isEmpty());
	}

	/**
	 * A client that stops in its handshake closes the connection, or sends an alert in
	 * clear text although the server has its keys.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "", "15030300020100" })
	void clientThatLeaves_isNotLogged(String alert) throws Exception {
		RpcServer started = start((options) -> options.tls(OURS.here()));
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, null, null);
		SSLEngine engine = context.createSSLEngine();
		engine.setUseClientMode(true);
		ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
		engine.wrap(ByteBuffer.allocate(0), hello);
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			try (Socket socket = connect(started)) {
				socket.getOutputStream().write(hello.array(), 0, hello.position());
				assertThat(socket.getInputStream().read()).as("a handshake record").isEqualTo(0x16);
				socket.getOutputStream().write(HexFormat.of().parseHex(alert));
				if (!alert.isEmpty()) {
					socket.getInputStream().readAllBytes();
				}
			}
			Eventually.until("no connection is left", () -> started.connections().isEmpty());
			assertThat(log.messages()).isEmpty();
		}
	}

	/** A person with curl learns what to write. */
	@Test
	void clearTextOfHttp_isToldToUseTls() throws Exception {
		RpcServer started = start((options) -> options.tls(OURS.here()));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect(started)) {
			socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
				.startsWith("HTTP/1.1 400 Bad Request\r\n")
				.endsWith("This port speaks TLS: use https://.\n");
			Eventually.until("it is logged", () -> !log.messages().isEmpty());
			assertThat(log.messages()).singleElement().asString().contains("the client speaks HTTP in clear text");
		}
	}

	/** Others in clear text get no answer. */
	@ParameterizedTest
	@ValueSource(strings = { "8f525043000100", "505249202a20485454502f322e300d0a0d0a534d0d0a0d0a" })
	void clearText_isClosedWithoutAByte(String hex) throws Exception {
		RpcServer started = start((options) -> options.tls(OURS.here()));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect(started)) {
			socket.getOutputStream().write(HexFormat.of().parseHex(hex));
			assertThat(socket.getInputStream().readAllBytes()).isEmpty();
			Eventually.until("it is logged", () -> !log.messages().isEmpty());
			assertThat(log.messages()).singleElement().asString().contains("the client speaks clear text");
		}
	}

	private static Socket connect(RpcServer server) throws IOException {
		Socket socket = new Socket("127.0.0.1", server.port());
		socket.setSoTimeout(30_000);
		return socket;
	}

}
