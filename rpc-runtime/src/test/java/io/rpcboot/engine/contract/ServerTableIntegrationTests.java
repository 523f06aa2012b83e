package io.rpcboot.engine.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.OlderCalls;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Tests the client with servers that have another contract, or claim to. */
class ServerTableIntegrationTests {

	private static final ContractHash OLDER = OlderCalls.codec().contract().hash();

	private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final RpcClient client = RpcClient.builder()
		.timeout(Duration.ofSeconds(10))
		.backoff(Duration.ofMillis(10), Duration.ofMillis(10))
		.build();

	private final Calls calls = this.client.reference(Calls.class, ReferenceStates.at(this.listener.getLocalPort()));

	ServerTableIntegrationTests() throws IOException {
	}

	@AfterEach
	void stop() throws IOException {
		this.client.close();
		this.listener.close();
	}

	/** What a server says once it has the BIND. */
	private interface Script {

		void run(Peer server, Bind bind, int first) throws Exception;

	}

	private void serve(Script script) throws Exception {
		try (Socket socket = this.listener.accept(); Peer server = new Peer(socket)) {
			Received frame = server.read(FrameType.BIND);
			script.run(server, Bind.decode(frame.body()), frame.code());
		}
	}

	private static void answer(Peer server, int first) throws IOException {
		Received request = server.read(FrameType.REQUEST);
		assertThat(request.code()).isGreaterThanOrEqualTo(first);
		OutputBuffer out = new OutputBuffer.Pool(1024).acquire();
		OlderCalls.codec().method(OlderCalls.number("greet")).serializeResult("from " + request.callId(), out);
		server.frame(FrameType.RESPONSE, 0, 0, request.callId(), out.toByteArray());
	}

	private static byte[] reply(ContractHash hash) {
		return new BindReply(hash, Map.of()).encode();
	}

	@Test
	void contractTable_isSentOnRequestAndServerTableIsKept() throws Exception {
		serve((server, bind, number) -> {
			assertThat(bind.known()).isEmpty();
			server.table(number, new byte[0]);
			Received table = server.read(FrameType.CONTRACT);
			assertThat(table.code()).isEqualTo(number);
			assertThat(ContractHash.of(table.text())).isEqualTo(bind.contract());
			server.table(number, Peer.OLDER_TABLE);
			server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(OLDER));
			CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> this.calls.greet("x"));
			answer(server, number);
			assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("from 1");
			Eventually.until("the tables are compared",
					() -> ReferenceStates.instances(this.client).get(0).problem().contains("add(int, int)"));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> this.calls.add(1, 2));
			assertThat(thrown.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(thrown).hasMessageContaining("method add(int, int) is missing at the server");
		});
		serve((server, bind, number) -> {
			assertThat(bind.known()).containsExactly(OLDER);
			server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(OLDER));
			CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> this.calls.greet("y"));
			answer(server, number);
			assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("from 1");
		});
	}

	record Hostile(String name, String reason, Script script) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	static Stream<Hostile> scripts() {
		String text = "protostuff/1\nmethod\n";
		return Stream.of(new Hostile("asks twice", "a second request for the same CONTRACT", (server, bind, number) -> {
			server.table(number, new byte[0]);
			server.table(number, new byte[0]);
		}), new Hostile("asks for what was never bound", "a CONTRACT without a pending BIND",
				(server, bind, number) -> server.table(number + 999, new byte[0])),
				new Hostile("asks after its reply", "a CONTRACT without a pending BIND", (server, bind, number) -> {
					server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(bind.contract()));
					server.table(number, new byte[0]);
				}), new Hostile("sends two tables", "a second CONTRACT for the same BIND", (server, bind, number) -> {
					server.table(number, Peer.OLDER_TABLE);
					server.table(number, Peer.OLDER_TABLE);
				}),
				new Hostile("sends a table that is too long", "CONTRACT: more than 1048576 bytes",
						(server, bind, number) -> server.table(number, new byte[Contract.MAX_LENGTH + 1])),
				new Hostile("sends no table", "BIND_REPLY: a contract whose table was not sent",
						(server, bind, number) -> server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(OLDER))),
				new Hostile("sends another table", "BIND_REPLY: a contract whose table was not sent",
						(server, bind, number) -> {
							server.table(number, Peer.OLDER_TABLE);
							server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(new ContractHash(1, 2)));
						}),
				new Hostile("sends no table but text", "the server's table cannot be read: contract: ",
						(server, bind, number) -> {
							server.table(number, text.getBytes(StandardCharsets.UTF_8));
							server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(ContractHash.of(text)));
						}),
				new Hostile("replies twice", "a BIND_REPLY without a pending BIND", (server, bind, number) -> {
					server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(bind.contract()));
					server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(bind.contract()));
				}),
				new Hostile("truncated reply", "BIND_REPLY: truncated body",
						(server, bind, number) -> server.frame(FrameType.BIND_REPLY, 0, 0, number, new byte[17])),
				new Hostile("refuses a method that is none", "BIND_REPLY: a method that was not bound",
						(server, bind, number) -> server.frame(FrameType.BIND_REPLY, 0, 0, number,
								new BindReply(bind.contract(), Map.of(bind.methods(), "x")).encode())));
	}

	@ParameterizedTest
	@MethodSource("scripts")
	void connection_ends_whenServerBreaksContractExchange(Hostile hostile) throws Exception {
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			serve((server, bind, number) -> {
				hostile.script.run(server, bind, number);
				Garbage.awaitClose(server.socket);
			});
			Eventually.until("logged", () -> log.messages().stream().anyMatch((line) -> line.contains(hostile.reason)));
			List<String> lines = log.messages().stream().filter((line) -> line.contains(hostile.reason)).toList();
			assertThat(lines).hasSize(1);
		}
		serve((server, bind, number) -> {
			server.frame(FrameType.BIND_REPLY, 0, 0, number, reply(bind.contract()));
			Eventually.until("it takes calls again", () -> ReferenceStates.ready(this.client) == 1);
			CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> this.calls.greet("x"));
			answer(server, number);
			assertThat(call.join()).isEqualTo("from 1");
		});
		assertThat(this.client.pendingCalls()).isZero();
	}

}
