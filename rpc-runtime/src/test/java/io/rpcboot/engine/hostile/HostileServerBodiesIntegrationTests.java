package io.rpcboot.engine.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that are granted memory of their client for a reply and stand still in the
 * middle of it, beside a server whose results are large.
 */
@Timeout(120)
class HostileServerBodiesIntegrationTests {

	private static final int MIB = 1024 * 1024;

	private static final int BODY = 8 * MIB;

	private static final int HOSTILE = 4;

	private static final int RESULT = MIB;

	private final RpcServer honest = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();

	/** Two replies of 8 MiB fill its incoming side. */
	private final RpcClient client = RpcClient.builder()
		.timeout(Duration.ofSeconds(30))
		.backoff(Duration.ofMillis(10), Duration.ofMillis(100))
		.memory(MemoryOptions.defaults().withLimit(64 * MIB))
		.build();

	private final List<ServerSocket> listeners = new ArrayList<>();

	@AfterEach
	void stop() throws Exception {
		for (ServerSocket each : this.listeners) {
			each.close();
		}
		this.client.close();
		this.honest.close();
	}

	@Test
	void resultsOfGoodServer_arrive_whileOtherServersStandStill() throws Exception {
		Calls good = this.client.reference(Calls.class, ReferenceStates.at(this.honest));
		assertThat(good.greet("x")).isEqualTo("hello x");
		List<CompletableFuture<String>> hanging = new ArrayList<>();
		List<CompletableFuture<Void>> standing = new ArrayList<>();
		for (int i = 0; i < HOSTILE; i++) {
			ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			this.listeners.add(listener);
			CompletableFuture<Void> stands = new CompletableFuture<>();
			standing.add(stands);
			CompletableFuture.runAsync(() -> serve(listener, stands), (task) -> start(task));
			hanging.add(this.client.reference(Calls.class, ReferenceStates.at(listener.getLocalPort())).later("x"));
		}
		Eventually.until("one of them stands still", () -> standing.stream().anyMatch(CompletableFuture::isDone));
		for (int i = 0; i < 20; i++) {
			assertThat(good.echo(new byte[RESULT])).hasSize(RESULT);
			assertThat(good.greet("y")).isEqualTo("hello y");
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "hostile-server");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Each connection: the first call gets a header and most of a body of no call.
	 */
	private static void serve(ServerSocket listener, CompletableFuture<Void> stands) {
		List<Socket> kept = new ArrayList<>();
		while (!listener.isClosed()) {
			try {
				Socket socket = listener.accept();
				kept.add(socket);
				Peer peer = new Peer(socket);
				Received bind = peer.read(FrameType.BIND);
				byte[] reply = new BindReply(Bind.decode(bind.body()).contract(), Map.of()).encode();
				peer.frame(FrameType.BIND_REPLY, 0, 0, bind.code(), reply);
				peer.read(FrameType.REQUEST);
				peer.send((out) -> FrameHeader.write(out, 0, FrameType.NEED, 0, 0, BODY));
				Received window = peer.read(FrameType.WINDOW);
				while ((window.flags() & FrameHeader.FLAG_ANSWERS_NEED) == 0) {
					window = peer.read(FrameType.WINDOW);
				}
				peer.send((out) -> {
					FrameHeader.write(out, BODY, FrameType.RESPONSE, 0, 0, 1L << 40);
					out.writeBytes(new byte[BODY - BODY / 80]);
				});
				stands.complete(null);
			}
			catch (IOException ex) {
				// the client has closed: the next one
			}
		}
	}

}
