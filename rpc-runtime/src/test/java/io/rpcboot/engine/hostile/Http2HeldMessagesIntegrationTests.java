package io.rpcboot.engine.hostile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages of HTTP/2 whose last byte does not come, until all memory is theirs. */
@Timeout(120)
class Http2HeldMessagesIntegrationTests {

	private static final int MIB = 1024 * 1024;

	private static final int SMALL = 12 * 1024;

	/** Messages of a connection. */
	private static final int STREAMS = 100;

	private final LogRecorder log = new LogRecorder("rpc.server");

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.maxFrameSize(MIB)
		.memory(MemoryOptions.defaults().withLimit(16 * MIB))
		.service(Calls.class, new CallsImpl())
		.start();

	private final List<Http2Peer> hostile = new ArrayList<>();

	@AfterEach
	void stop() {
		this.hostile.forEach(Http2Peer::close);
		this.server.close();
		this.log.close();
	}

	/**
	 * Sends messages without their last byte. A connection whose read ends within a frame
	 * is closed if there is no memory for that.
	 */
	private void hold(int length) {
		Http2Peer peer = Http2Peer.connect(this.server.port());
		this.hostile.add(peer);
		for (int i = 0; i < STREAMS; i++) {
			GrpcExchange stream = peer.open(GrpcBytes.request(Http2Peer.path("Echo")), false);
			byte[] message = GrpcBytes.message(0, length, new byte[length - 1]);
			peer.data(stream, message, false);
		}
		peer.ping(1);
		Eventually.until("read: %s".formatted(peer.frames()),
				() -> peer.isClosed() || peer.frames().contains("PING ACK 1"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 64_000, 30_000, 5000 })
	void newClientsOfBothProtocols_areServed_besideMessagesThatLackTheirLastByte(int length) throws Exception {
		int connections = 2 * 12 * MIB / (STREAMS * length);
		for (int i = 0; i < connections; i++) {
			hold(length);
			if (i % 2 == 1) {
				assertNewcomersAreServed();
			}
		}
		Eventually.until("they are closed: %s".formatted(this.log.messages()),
				() -> this.log.messages().stream().anyMatch((line) -> line.contains("a message lacks its end")));
		assertNewcomersAreServed();
	}

	private void assertNewcomersAreServed() {
		for (Protocol each : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			try (RpcClient client = client(each)) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
				Eventually.until("served: " + each, () -> isServed(calls));
			}
		}
	}

	/**
	 * Many connections that use little may have the part for new clients for a second. A
	 * native client then waits; one of gRPC is told that it may repeat its call.
	 */
	private static boolean isServed(Calls calls) {
		try {
			return calls.echo(new byte[SMALL]).length == SMALL;
		}
		catch (RpcException ex) {
			assertThat(ex.status()).as(ex.toString()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
			return false;
		}
	}

	private static RpcClient client(Protocol protocol) {
		return RpcClient.builder()
			.protocol(protocol)
			.timeout(Duration.ofSeconds(20))
			.waitForInstance(Duration.ofSeconds(20))
			.build();
	}

}
