package io.rpcboot.engine.hostile;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.Memory;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Garbage beside normal calls. 1,000 rounds; {@code mvn verify -Drpc.test.long=true}
 * makes it 10,000.
 */
class GarbageIntegrationTests {

	private static final int ROUNDS = Load.LONG ? 10_000 : 1000;

	/** The clocks of log and test are not the same. */
	private static final long NEARLY_A_SECOND_MILLIS = 950;

	private RpcServer server;

	private RpcClient client;

	private Calls calls;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder()
			.port(0)
			.handshakeTimeout(Duration.ofSeconds(1))
			.idleTimeout(Duration.ofSeconds(2))
			.service(Calls.class, new CallsImpl())
			.build()
			.start();
		this.client = RpcClient.builder().timeout(Duration.ofSeconds(10)).build();
		this.calls = this.client.reference(Calls.class, ReferenceStates.at(this.server));
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	@Test
	void normalCalls_succeed_whileOtherPeersSendGarbage() throws Exception {
		Garbage garbage = new Garbage(this.server.port(), 42);
		List<Socket> silent = new ArrayList<>();
		try (LogRecorder log = new LogRecorder("ROOT"); Load load = load()) {
			load.awaitMore(100);
			rounds(garbage, 0, ROUNDS / 5, silent);
			long early = usedMemory();
			rounds(garbage, ROUNDS / 5, ROUNDS, silent);
			long late = usedMemory();
			load.awaitMore(100);
			load.stop();
			assertThat(load.failures()).isEmpty();
			assertThat(late - early).as("growth of memory").isLessThan(Memory.TOLERANCE);
			assertOneLinePerSecond(log.events());
		}
		Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
		Eventually.until("no call is left", () -> this.server.inFlightCalls() == 0);
	}

	private Load load() {
		return new Load(4, (number) -> assertThat(this.calls.greet("n" + number)).isEqualTo("hello n" + number));
	}

	private void rounds(Garbage garbage, int from, int to, List<Socket> silent) throws IOException {
		for (int i = from; i < to; i++) {
			garbage.send(i);
			if (i % 10 == 0) {
				silent.add(garbage.connect());
			}
		}
		for (Socket socket : silent) {
			Garbage.awaitClose(socket);
			socket.close();
		}
		silent.clear();
	}

	private static long usedMemory() {
		return Memory.usedHeap() + PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
	}

	/**
	 * A line of this project begins with its reason. Other lines are a fault, except
	 * those of ZooKeeper clients that earlier tests of this process have left.
	 */
	private static void assertOneLinePerSecond(List<ILoggingEvent> events) {
		Map<String, Long> last = new HashMap<>();
		for (ILoggingEvent event : events) {
			if (event.getLoggerName().startsWith("org.apache.zookeeper.")) {
				continue;
			}
			assertThat(event.getLoggerName()).as(event.getFormattedMessage()).isEqualTo("rpc.server");
			String reason = event.getFormattedMessage().split(":", 2)[0];
			Long before = last.put(reason, event.getTimeStamp());
			if (before != null) {
				assertThat(event.getTimeStamp() - before).as(event.getFormattedMessage())
					.isGreaterThan(NEARLY_A_SECOND_MILLIS);
			}
		}
		assertThat(last).isNotEmpty();
	}

	@Test
	void nonReadingConnection_delaysNoOther() throws Exception {
		Garbage garbage = new Garbage(this.server.port(), 43);
		try (Load load = load()) {
			List<Socket> deaf = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				Socket socket = garbage.connect();
				ByteBuf bytes = Garbage.greeting(GarbageIntegrationTests::callsForMuch);
				socket.getOutputStream().write(bytes.array(), 0, bytes.readableBytes());
				deaf.add(socket);
			}
			Eventually.until("answers are held back", () -> this.server.inFlightCalls() > 100);
			load.awaitMore(500);
			for (Socket socket : deaf) {
				socket.close();
			}
			Eventually.until("only the client is connected", () -> this.server.connections().size() == 1);
			load.stop();
			assertThat(load.failures()).isEmpty();
		}
		Eventually.until("no call is in flight", () -> this.server.inFlightCalls() == 0);
	}

	/** 200 calls whose answers are larger than what the sockets hold. */
	private static void callsForMuch(ByteBuf out) {
		ServiceDescriptor service = ServiceDescriptor.of(Calls.class);
		ServiceCodec codec = new ProtostuffSerializer().codec(service);
		byte[] bind = new Bind(service.methods().size(), codec.contract().hash(), List.of(), service.id().toString(),
				"protostuff")
			.encode();
		FrameHeader.write(out, bind.length, FrameType.BIND, 0, 0, 0);
		out.writeBytes(bind);
		int grow = service.methods()
			.stream()
			.filter((method) -> method.name().equals("grow"))
			.findFirst()
			.get()
			.number();
		OutputBuffer arguments = new OutputBuffer.Pool(1024).acquire();
		codec.method(grow).serializeArguments(new Object[] { 500_000 }, arguments);
		byte[] body = arguments.toByteArray();
		for (int i = 1; i <= 200; i++) {
			FrameHeader.write(out, body.length, FrameType.REQUEST, 0, grow, i);
			out.writeBytes(body);
		}
	}

}
