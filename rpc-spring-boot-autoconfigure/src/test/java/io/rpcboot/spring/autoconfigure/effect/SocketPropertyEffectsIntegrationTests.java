package io.rpcboot.spring.autoconfigure.effect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultithreadEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Effects of properties of sockets, event loops and batches. */
@Timeout(60)
class SocketPropertyEffectsIntegrationTests {

	private static Object engine(EffectApplication application, String side) {
		return side.equals("server") ? application.server : application.client;
	}

	private static Channel connection(EffectApplication application, String side) {
		return EffectApplication.reachable(engine(application, side), Channel.class)
			.stream()
			.filter((channel) -> !(channel instanceof ServerChannel))
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@ValueSource(strings = { "server", "client" })
	@PropertyEffect({ "rpc.server.socket.tcp-no-delay", "rpc.client.socket.tcp-no-delay",
			"rpc.server.socket.send-buffer", "rpc.client.socket.send-buffer", "rpc.server.socket.receive-buffer",
			"rpc.client.socket.receive-buffer", "rpc.server.socket.low-water-mark", "rpc.client.socket.low-water-mark",
			"rpc.server.socket.high-water-mark", "rpc.client.socket.high-water-mark", "rpc.server.socket.allocator",
			"rpc.client.socket.allocator" })
	void socketOptions_reachConnections(String side) {
		Map<String, Object> properties = Map.of("tcp-no-delay", false, "send-buffer", "64KB", "receive-buffer", "80KB",
				"low-water-mark", "96KB", "high-water-mark", "192KB", "allocator", "unpooled");
		Map<String, Object> named = new HashMap<>();
		properties.forEach((name, value) -> named.put("rpc." + side + ".socket." + name, value));
		try (EffectApplication application = EffectApplication.run(named)) {
			assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			Channel channel = connection(application, side);
			assertThat(channel.config().getOption(ChannelOption.TCP_NODELAY)).isFalse();
			assertThat(channel.config().getOption(ChannelOption.SO_SNDBUF)).as("Linux doubles it")
				.isEqualTo(128 * 1024);
			assertThat(channel.config().getOption(ChannelOption.SO_RCVBUF)).isEqualTo(160 * 1024);
			assertThat(channel.config().getWriteBufferLowWaterMark()).isEqualTo(96 * 1024);
			assertThat(channel.config().getWriteBufferHighWaterMark()).isEqualTo(192 * 1024);
			assertThat(channel.alloc()).isInstanceOf(UnpooledByteBufAllocator.class);
		}
	}

	@Test
	@PropertyEffect("rpc.server.socket.backlog")
	void backlog_reachesListener() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.socket.backlog", 7))) {
			assertThat(EffectApplication.reachable(application.server, ServerChannel.class)).singleElement()
				.satisfies((channel) -> assertThat(channel.config().getOption(ChannelOption.SO_BACKLOG)).isEqualTo(7));
		}
	}

	@Test
	@PropertyEffect({ "rpc.server.event-loop.threads", "rpc.client.event-loop.threads",
			"rpc.server.event-loop.acceptor-threads" })
	void eventLoopThreads_areCreated() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.event-loop.threads", 3,
				"rpc.client.event-loop.threads", 5, "rpc.server.event-loop.acceptor-threads", 2))) {
			assertThat(loops(application.client)).contains(5);
			assertThat(loops(application.server)).contains(2, 3);
		}
	}

	private static List<Integer> loops(Object engine) {
		return EffectApplication.reachable(engine, EventLoopGroup.class)
			.stream()
			.filter(MultithreadEventLoopGroup.class::isInstance)
			.map((group) -> ((MultithreadEventLoopGroup) group).executorCount())
			.toList();
	}

	@Test
	@PropertyEffect({ "rpc.server.event-loop.transport", "rpc.client.event-loop.transport" })
	void transport_isTheNamedOne() {
		try (EffectApplication application = EffectApplication
			.run(Map.of("rpc.server.event-loop.transport", "nio", "rpc.client.event-loop.transport", "nio"))) {
			assertThat(application.server.transport()).isEqualTo(EventLoopOptions.Transport.NIO);
			assertThat(application.client.info().transport()).isEqualTo(EventLoopOptions.Transport.NIO);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "server", "client", "client.references.desk" })
	@PropertyEffect({ "rpc.server.batching.max-messages", "rpc.client.batching.max-messages",
			"rpc.server.batching.max-bytes", "rpc.client.batching.max-bytes",
			"rpc.client.references.users.batching.max-messages", "rpc.client.references.users.batching.max-bytes" })
	void batches_endAtTheirLimits(String side) {
		String prefix = "rpc." + side + ".batching.";
		try (EffectApplication application = EffectApplication
			.run(Map.of(prefix + "mode", "always", prefix + "max-messages", 1, prefix + "max-delay", "100ms"))) {
			application.desk.sign("Doug");
			Applications.eventually(() -> flushes(application, side, FlushReason.MESSAGES) > 0);
			assertThat(flushes(application, side, FlushReason.DELAY)).isZero();
		}
		try (EffectApplication application = EffectApplication
			.run(Map.of(prefix + "mode", "always", prefix + "max-bytes", "1KB", prefix + "max-delay", "100ms"))) {
			application.desk.sign("D".repeat(2000));
			Applications.eventually(() -> flushes(application, side, FlushReason.BYTES) > 0);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "server", "client", "client.references.desk" })
	@PropertyEffect({ "rpc.server.batching.mode", "rpc.client.batching.mode",
			"rpc.client.references.users.batching.mode", "rpc.server.batching.max-delay",
			"rpc.client.batching.max-delay", "rpc.client.references.users.batching.max-delay" })
	void batch_waitsForItsDelay(String side) {
		String prefix = "rpc." + side + ".batching.";
		try (EffectApplication application = EffectApplication
			.run(Map.of(prefix + "mode", "always", prefix + "max-delay", "100ms"))) {
			application.desk.sign("Doug");
			long start = System.nanoTime();
			application.desk.sign("Doug");
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(99);
			Applications.eventually(() -> flushes(application, side, FlushReason.DELAY) > 0);
		}
	}

	private static long flushes(EffectApplication application, String side, FlushReason reason) {
		List<ConnectionInfo> connections = side.equals("server") ? application.server.connections()
				: application.client.connections();
		return connections.stream().mapToLong((each) -> each.flushes().getOrDefault(reason, 0L)).sum();
	}

	@Test
	@PropertyEffect("rpc.server.bind-address")
	void server_listensOnBindAddressAlone() throws IOException {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.server.bind-address", "127.0.0.2"))) {
			assertThat(application.desk.sign("Doug")).isEqualTo("signed Doug");
			RpcServer server = application.server;
			assertThat(server.advertisedEndpoint().host()).isEqualTo("127.0.0.2");
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.1"), application.port()).close());
			new Socket(InetAddress.getByName("127.0.0.2"), application.port()).close();
		}
	}

	@Test
	@PropertyEffect("rpc.client.connections-per-endpoint")
	void client_opensConnectionsPerEndpoint() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.client.connections-per-endpoint", 3))) {
			Applications.eventually(() -> application.server.connections().size() == 3);
		}
	}

}
