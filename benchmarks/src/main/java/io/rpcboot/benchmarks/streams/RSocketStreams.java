package io.rpcboot.benchmarks.streams;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.ByteBufPayload;
import io.rsocket.util.DefaultPayload;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * RSocket over TCP, set up as Spring does: payloads are not copied by the decoder. An
 * element becomes an array, as Spring's decoder of arrays makes it.
 */
final class RSocketStreams implements StreamSystem {

	/** Elements asked for at a time, the default of Reactor. */
	private static final int DEMAND = 256;

	@Override
	public String name() {
		return "rsocket";
	}

	@Override
	public String settings() {
		return "windows: none but demand, " + DEMAND + " elements, renewed after three quarters; executors: event loops"
				+ " of both sides";
	}

	@Override
	public boolean supports(Direction direction) {
		return direction != Direction.BYTES;
	}

	@Override
	public BenchServer startServer() {
		CloseableChannel channel = RSocketServer
			.create((setup, sender) -> Mono.just(new Responder(Direction.of(setup.getDataUtf8()))))
			.payloadDecoder(PayloadDecoder.ZERO_COPY)
			.bindNow(TcpServerTransport.create("127.0.0.1", 0));
		return new Server(channel);
	}

	@Override
	public StreamClient connect(int port) {
		return new Client(port);
	}

	/** Bytes of a payload, which is released. */
	private static byte[] take(Payload payload) {
		ByteBuf data = payload.sliceData();
		byte[] element = new byte[data.readableBytes()];
		data.readBytes(element);
		payload.release();
		return element;
	}

	private static String text(Payload payload) {
		return new String(take(payload), StandardCharsets.UTF_8);
	}

	private static Payload payload(byte[] element) {
		return ByteBufPayload.create(Unpooled.wrappedBuffer(element));
	}

	private record Server(CloseableChannel channel) implements BenchServer {

		@Override
		public int port() {
			return this.channel.address().getPort();
		}

		@Override
		public void close() {
			this.channel.dispose();
		}

	}

	/** Methods of the server for the connection of one direction. */
	private record Responder(Direction direction) implements RSocket {

		@Override
		public Flux<Payload> requestStream(Payload request) {
			ByteBuf data = request.sliceData();
			int bytes = data.readInt();
			int count = data.readInt();
			request.release();
			return FluxElements.send(bytes, count).map(RSocketStreams::payload);
		}

		@Override
		public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
			Flux<byte[]> elements = Flux.from(payloads).map(RSocketStreams::take);
			if (this.direction == Direction.BOTH) {
				return elements.map(RSocketStreams::payload);
			}
			return Mono.fromFuture(() -> FluxElements.sum(elements.limitRate(DEMAND)))
				.map((sum) -> DefaultPayload.create(String.valueOf(sum)))
				.flux();
		}

	}

	/** A connection for each direction, made with its first stream. */
	private record Client(int port, ConcurrentMap<Direction, RSocket> connections) implements StreamClient {

		Client(int port) {
			this(port, new ConcurrentHashMap<>());
		}

		@Override
		public CompletableFuture<Long> open(Direction direction, int bytes, int count) {
			RSocket socket = this.connections.computeIfAbsent(direction, this::connect);
			if (direction == Direction.DOWN) {
				Payload request = ByteBufPayload.create(Unpooled.buffer().writeInt(bytes).writeInt(count));
				return sum(socket.requestStream(request));
			}
			Flux<Payload> payloads = socket
				.requestChannel(FluxElements.send(bytes, count).map(RSocketStreams::payload));
			return (direction == Direction.BOTH) ? sum(payloads)
					: payloads.map(RSocketStreams::text).map(Long::valueOf).single().toFuture();
		}

		private RSocket connect(Direction direction) {
			return RSocketConnector.create()
				.payloadDecoder(PayloadDecoder.ZERO_COPY)
				.setupPayload(DefaultPayload.create(direction.word()))
				.connect(TcpClientTransport.create("127.0.0.1", this.port))
				.toFuture()
				.join();
		}

		private static CompletableFuture<Long> sum(Flux<Payload> payloads) {
			return FluxElements.sum(payloads.map(RSocketStreams::take).limitRate(DEMAND));
		}

		@Override
		public void close() {
			this.connections.values().forEach(RSocket::dispose);
		}

	}

}
