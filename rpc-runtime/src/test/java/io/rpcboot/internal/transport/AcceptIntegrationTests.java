package io.rpcboot.internal.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AcceptIntegrationTests {

	private static final int MOST = 3;

	private final AtomicInteger errorsLeft = new AtomicInteger();

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private final List<Socket> sockets = new ArrayList<>();

	private Transport transport;

	private int port;

	@AfterEach
	void stop() throws IOException {
		for (Socket socket : this.sockets) {
			socket.close();
		}
		this.transport.close();
		assertThat(this.transport.health().failure()).isEmpty();
	}

	private void listen(EventLoopOptions.Transport kind) throws IOException {
		this.transport = new Transport("accept", EventLoopOptions.defaults().withTransport(kind).withThreads(1),
				SocketOptions.defaults(), Duration.ZERO, null);
		this.port = this.transport.listen("0.0.0.0", 0, BatchingOptions.defaults(),
				new ConnectionAdmission(List.of(), List.of(), List.of(), new PerAddressLimit(MOST)),
				Duration.ofSeconds(5), (accepted) -> {
					this.threads.add(Thread.currentThread());
					if (this.errorsLeft.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
						throw new OutOfMemoryError("initChannel");
					}
					return EmbeddedConnections.handler(1024, accepted, (any) -> new RecordingListener() {
						@Override
						public void onOpen() {
							accepted.queue().enqueue(new ControlFrame(FrameType.PONG, 0, 0, OutboundFrame.NOTHING));
						}
					});
				})
			.port();
	}

	private Socket connect(String from) throws IOException {
		Socket socket = new Socket();
		this.sockets.add(socket);
		socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
		socket.connect(new InetSocketAddress("127.0.0.1", this.port));
		socket.setSoTimeout(20_000);
		return socket;
	}

	/** Whether the other side says its preface, or closes. */
	private static boolean isServed(Socket socket) throws IOException {
		return socket.getInputStream().readNBytes(Preface.LENGTH).length == Preface.LENGTH;
	}

	@ParameterizedTest
	@EnumSource(names = { "NIO", "EPOLL" })
	void initChannelError_costsOneConnection(EventLoopOptions.Transport kind) throws IOException {
		listen(kind);
		this.errorsLeft.set(5);
		for (int i = 0; i < 5; i++) {
			assertThat(isServed(connect("127.0.0.1"))).isFalse();
		}
		assertThat(isServed(connect("127.0.0.1"))).isTrue();
		assertThat(this.threads).as("the same loop goes on").hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "NIO", "EPOLL" })
	void connectionsPerAddress_areLimitedAndOtherAddressesAreServed(EventLoopOptions.Transport kind)
			throws IOException {
		listen(kind);
		List<Socket> served = new ArrayList<>();
		for (int i = 0; i < MOST; i++) {
			Socket socket = connect("127.0.0.1");
			assertThat(isServed(socket)).isTrue();
			served.add(socket);
		}
		assertThat(isServed(connect("127.0.0.1"))).as("one too many").isFalse();
		assertThat(isServed(connect("127.0.0.2"))).as("another address").isTrue();
		served.get(0).close();
		boolean again = false;
		for (int i = 0; i < 1000 && !again; i++) {
			again = isServed(connect("127.0.0.1"));
		}
		assertThat(again).as("a place is free again").isTrue();
	}

}
