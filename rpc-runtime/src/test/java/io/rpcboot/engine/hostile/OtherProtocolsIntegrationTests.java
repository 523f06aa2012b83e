package io.rpcboot.engine.hostile;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients of other protocols at the port of a server. */
class OtherProtocolsIntegrationTests {

	private static final int READ_TIMEOUT_MILLIS = 30_000;

	private RpcServer server;

	@AfterEach
	void close() {
		this.server.close();
	}

	private void start(RpcServerBuilder builder) {
		this.server = builder.port(0).service(Calls.class, new CallsImpl()).build().start();
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket("127.0.0.1", this.server.port());
		socket.setSoTimeout(READ_TIMEOUT_MILLIS);
		return socket;
	}

	/** Returns what the server sends until it closes. */
	private static String answer(Socket socket) throws IOException {
		return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST /rpc HTTP/1.1\r\nHost: x\r\n\r\n",
			"OPTIONS * HTTP/1.1\r\n\r\n" })
	void http1ThatIsOff_isAnsweredWith505(String request) throws Exception {
		start(RpcServer.builder().protocols(Protocol.NATIVE, Protocol.GRPC));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect()) {
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			assertThat(answer(socket)).startsWith("HTTP/1.1 505 HTTP Version Not Supported\r\n")
				.contains("\r\nconnection: close\r\n")
				.endsWith("\r\n\r\nThis port speaks the RPC protocol and gRPC over HTTP/2, not HTTP/1;"
						+ " rpc.server.protocols would need connect.\n");
			Eventually.until("it is logged", () -> log.messages().size() == 1);
			assertThat(log.messages().get(0)).contains("the client speaks HTTP/1");
		}
		Eventually.until("it is closed", () -> this.server.connections().isEmpty());
	}

	@ParameterizedTest
	@CsvSource({ "16030100c8010000c4, the client speaks TLS",
			"00000000000000, the client speaks another protocol: first bytes 0x00000000 (expected: the RPC protocol, gRPC over HTTP/2 and HTTP/1.1)",
			"494e56414c494420, the client speaks another protocol: first bytes 0x494e5641 (expected: the RPC protocol, gRPC over HTTP/2 and HTTP/1.1)",
			"8f525044000100, the client speaks another protocol: first bytes 0x8f525044 (expected: the RPC protocol, gRPC over HTTP/2 and HTTP/1.1)" })
	void otherProtocol_isClosedWithoutAByte_andNamedInLog(String hex, String text) throws Exception {
		start(RpcServer.builder());
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect()) {
			socket.getOutputStream().write(HexFormat.of().parseHex(hex));
			assertThat(answer(socket)).isEmpty();
			Eventually.until("it is logged", () -> log.messages().size() == 1);
			assertThat(log.messages().get(0)).contains(text);
		}
		Eventually.until("it is closed", () -> this.server.connections().isEmpty());
	}

	@ParameterizedTest
	@CsvSource({ "8f525043000100, GRPC, the client speaks the RPC protocol",
			"505249202a20485454502f322e300d0a0d0a534d0d0a0d0a, NATIVE, the client speaks gRPC over HTTP/2" })
	void protocolThatIsOff_isClosedWithoutAByte_andNamedInLog(String hex, Protocol on, String text) throws Exception {
		start(RpcServer.builder().protocols(on));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect()) {
			socket.getOutputStream().write(HexFormat.of().parseHex(hex));
			assertThat(answer(socket)).isEmpty();
			Eventually.until("it is logged", () -> log.messages().size() == 1);
			assertThat(log.messages().get(0)).contains(text, "by rpc.server.protocols");
		}
		Eventually.until("it is closed", () -> this.server.connections().isEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "8f", "8f5250" })
	void silentClient_isClosed_afterHandshakeTimeout(String hex) throws Exception {
		start(RpcServer.builder().handshakeTimeout(Duration.ofMillis(200)));
		try (LogRecorder log = new LogRecorder("rpc.server"); Socket socket = connect()) {
			socket.getOutputStream().write(HexFormat.of().parseHex(hex));
			assertThat(answer(socket)).isEmpty();
			Eventually.until("it is logged", () -> log.messages().size() == 1);
			assertThat(log.messages().get(0)).contains("no bytes within rpc.server.handshake-timeout, which is PT0.2S");
		}
		Eventually.until("it is closed", () -> this.server.connections().isEmpty());
	}

	@Test
	void silentClients_countAsConnections() throws Exception {
		start(RpcServer.builder().maxConnections(3));
		List<Socket> silent = new ArrayList<>();
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			for (int i = 0; i < 3; i++) {
				silent.add(connect());
			}
			Eventually.until("all are open", () -> this.server.connections().size() == 3);
			try (Socket fourth = connect()) {
				assertThat(answer(fourth)).isEmpty();
			}
			assertThat(log.messages()).singleElement()
				.asString()
				.contains("rpc.server.limits.connections: 3 are open already");
		}
		finally {
			for (Socket each : silent) {
				each.close();
			}
		}
		Eventually.until("they are gone", () -> this.server.connections().isEmpty());
	}

	@Test
	void calls_succeed_beside300ClientsWithoutProtocol() throws Exception {
		start(RpcServer.builder());
		List<Socket> others = new ArrayList<>();
		try (RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(30)).build()) {
			for (int i = 0; i < 300; i++) {
				Socket socket = connect();
				others.add(socket);
				socket.getOutputStream().write(new byte[i % 4]);
			}
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			for (int i = 0; i < 100; i++) {
				assertThat(calls.greet("n" + i)).isEqualTo("hello n" + i);
			}
		}
		finally {
			for (Socket each : others) {
				each.close();
			}
		}
		Eventually.until("they are gone", () -> this.server.connections().isEmpty());
		assertThat(this.server.inFlightCalls()).isZero();
	}

	@Test
	void server_closes_whileClientsAreUndetected() throws Exception {
		start(RpcServer.builder());
		try (Socket socket = connect()) {
			Eventually.until("it is open", () -> this.server.connections().size() == 1);
			assertThat(this.server.connections().get(0).application()).isEmpty();
			this.server.close();
			assertThat(answer(socket)).isEmpty();
		}
	}

}
