package io.rpcboot.engine.hostile;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.FakeServer;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The other side introduces itself well and then misbehaves. */
class HostilePeerIntegrationTests {

	private static final int GRANT = 4;

	private static final int WAIT_MILLIS = 10_000;

	private final CallsImpl implementation = new CallsImpl();

	private RpcServer server;

	private RpcClient client;

	private Calls calls;

	private LogRecorder log;

	@BeforeEach
	void start() {
		this.log = new LogRecorder("rpc.server");
		this.server = RpcServer.builder()
			.port(0)
			.maxCallsPerConnection(GRANT)
			.service(Calls.class, this.implementation)
			.build()
			.start();
		this.client = RpcClient.builder().timeout(Duration.ofSeconds(10)).build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.server));
		assertThat(this.calls.greet("x")).isEqualTo("hello x");
	}

	@AfterEach
	void stop() {
		this.implementation.gate.countDown();
		this.client.close();
		this.server.close();
		this.log.close();
	}

	/** It ended for this reason, and nobody else notices. */
	private void assertEnded(Peer peer, String reason) throws IOException {
		Garbage.awaitClose(peer.socket);
		Eventually.until("logged: " + reason,
				() -> this.log.messages().stream().anyMatch((line) -> line.contains(reason)));
		Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
		assertThat(this.calls.greet("y")).isEqualTo("hello y");
		assertThat(this.log.messages()).hasSize(1);
	}

	private static void ping(ByteBuf out, int number, int length) {
		Garbage.header(out, length, FrameType.PING, number);
		out.writeZero(length);
	}

	@Test
	void pingFlood_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			for (int i = 1; i <= 1000; i++) {
				int number = i;
				peer.send((out) -> ping(out, number, 0));
				assertThat(peer.read(FrameType.PONG).callId()).isEqualTo(i);
			}
			peer.send((out) -> ping(out, 1001, 0));
			assertEnded(peer, "too many PING frames");
		}
	}

	@Test
	void unreadPongs_endConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.send((out) -> {
				for (int i = 1; i <= 500; i++) {
					ping(out, i, 0);
				}
			});
			assertEnded(peer, "too many PING frames whose answers are not read");
		}
	}

	@Test
	void pong_hasEmptyBody() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.send((out) -> ping(out, 7, 4096));
			Received pong = peer.read(FrameType.PONG);
			assertThat(pong.callId()).isEqualTo(7);
			assertThat(pong.body()).isEmpty();
		}
	}

	@Test
	void oversizedControlFrame_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.send((out) -> Garbage.header(out, 4097, FrameType.PING, 1));
			assertEnded(peer, "frame length: 4097 (expected: 0 to 4096 for a control frame)");
		}
	}

	private static void bind(ByteBuf out, int first, String service) {
		byte[] body = new Bind(1, new ContractHash(1, 2), List.of(), service, "protostuff").encode();
		FrameHeader.write(out, body.length, FrameType.BIND, 0, first, 0);
		out.writeBytes(body);
	}

	@Test
	void oversizedServiceName_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.send((out) -> bind(out, 0, "x".repeat(1025)));
			assertEnded(peer, "the name of a service or serializer is longer than 1024");
		}
	}

	@Test
	void tooManyRefusedServices_endConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			peer.send((out) -> {
				for (int i = 0; i < 256; i++) {
					bind(out, i, "no.such.Service" + i);
				}
			});
			for (int i = 0; i < 256; i++) {
				Received reply = peer.read(FrameType.BIND_REPLY);
				assertThat(reply.callId()).isEqualTo(i);
				assertThat(reply.code()).isNotZero();
			}
			peer.send((out) -> bind(out, 256, "no.such.Service"));
			Garbage.awaitClose(peer.socket);
		}
		Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
		assertThat(this.calls.greet("y")).isEqualTo("hello y");
	}

	/** Calls of one method; the first of them has id 1. */
	private static void requests(ByteBuf out, int count, String method, Object argument) {
		ServiceDescriptor service = ServiceDescriptor.of(Calls.class);
		ServiceCodec codec = new ProtostuffSerializer().codec(service);
		byte[] bind = new Bind(service.methods().size(), codec.contract().hash(), List.of(), service.id().toString(),
				"protostuff")
			.encode();
		FrameHeader.write(out, bind.length, FrameType.BIND, 0, 0, 0);
		out.writeBytes(bind);
		int number = service.methods()
			.stream()
			.filter((each) -> each.name().equals(method))
			.findFirst()
			.orElseThrow()
			.number();
		OutputBuffer arguments = new OutputBuffer.Pool(1024).acquire();
		codec.method(number).serializeArguments(new Object[] { argument }, arguments);
		byte[] body = arguments.toByteArray();
		for (int i = 1; i <= count; i++) {
			FrameHeader.write(out, body.length, FrameType.REQUEST, 0, number, i);
			out.writeBytes(body);
		}
	}

	@Test
	void requestsBeyondGrant_areRefusedAndEndConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			assertThat(peer.read(FrameType.WINDOW).callId()).isEqualTo(GRANT);
			peer.send((out) -> requests(out, 100, "waitForGate", "x"));
			Received refused = peer.read(FrameType.RESPONSE);
			assertThat(refused.callId()).isEqualTo(GRANT + 1);
			assertThat(RpcStatus.ofCode(refused.code())).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
			assertThat(refused.flags()).isEqualTo(FrameHeader.FLAG_NOT_EXECUTED);
			Garbage.awaitClose(peer.socket);
		}
		Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
		assertThat(this.calls.greet("y")).isEqualTo("hello y");
		this.implementation.gate.countDown();
		Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
		assertThat(this.implementation.entered.size()).isLessThanOrEqualTo(GRANT);
	}

	/** A handshake that went well, and what comes after it. */
	private static byte[] handshake(Consumer<ByteBuf> more) {
		return ByteBufUtil.getBytes(Garbage.greeting((out) -> {
			byte[] window = Window.encode(1 << 20);
			Garbage.header(out, window.length, FrameType.WINDOW, 1000);
			out.writeBytes(window);
			more.accept(out);
		}));
	}

	private static RpcClient hasty() {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.connectionsPerEndpoint(1)
			.backoff(Duration.ofSeconds(5), Duration.ofSeconds(5))
			.build();
	}

	@Test
	void truncatedFailure_endsItsCall() throws Exception {
		ByteBuf reply = Unpooled.buffer();
		FrameHeader.write(reply, 3, FrameType.RESPONSE, 0, RpcStatus.INTERNAL.code(), 1);
		reply.writeShort(1000).writeByte('x');
		try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				RpcClient hasty = hasty()) {
			CompletableFuture<Void> served = CompletableFuture.runAsync(() -> answerOnce(listener, reply));
			Calls other = hasty.reference(Calls.class, ReferenceStates.at(listener.getLocalPort()));
			CompletableFuture<String> call = other.later("x");
			ExecutionException thrown = catchThrowableOfType(ExecutionException.class,
					() -> call.get(10, TimeUnit.SECONDS));
			assertThat(thrown.getCause()).isInstanceOfSatisfying(RpcException.class, (ex) -> {
				assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
				assertThat(ex.mayHaveExecuted()).isTrue();
				assertThat(ex).hasMessageContaining("RESPONSE: truncated body");
			});
			assertThat(hasty.pendingCalls()).isZero();
			served.get(10, TimeUnit.SECONDS);
		}
	}

	/** One connection: its first call gets this answer, then the client has to close. */
	private static void answerOnce(ServerSocket listener, ByteBuf reply) {
		try (Socket socket = listener.accept()) {
			socket.setSoTimeout(WAIT_MILLIS);
			socket.getOutputStream().write(handshake((out) -> {
			}));
			DataInputStream in = new DataInputStream(socket.getInputStream());
			in.readNBytes(Preface.LENGTH);
			Received received = Received.read(in);
			while (received.type() != FrameType.REQUEST) {
				received = Received.read(in);
			}
			socket.getOutputStream().write(ByteBufUtil.getBytes(reply));
			Garbage.awaitClose(socket);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void secondServerHello_endsConnection() throws Exception {
		byte[] twice = handshake((out) -> {
			ByteBuf again = Garbage.greeting((ignored) -> {
			});
			out.writeBytes(again.skipBytes(Preface.LENGTH));
		});
		try (FakeServer fake = new FakeServer(twice); RpcClient hasty = hasty()) {
			Calls other = hasty.reference(Calls.class,
					ReferenceStates.at(fake.port()).withTimeout(Duration.ofMillis(500)));
			RpcException thrown = catchThrowableOfType(RpcException.class, () -> other.greet("x"));
			assertThat(thrown.mayHaveExecuted()).isFalse();
			Eventually.until("the client has closed", () -> fake.ended() >= 1);
			Eventually.until("the reason is told",
					() -> hasty.references().get(0).instances().get(0).problem().contains("a second HELLO"));
			assertThat(hasty.pendingCalls()).isZero();
		}
	}

	@Test
	void secondClientHello_endsConnection() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			ByteBuf again = Garbage.greeting((ignored) -> {
			});
			peer.send((out) -> out.writeBytes(again.skipBytes(Preface.LENGTH)));
			assertEnded(peer, "a second HELLO");
		}
	}

}
