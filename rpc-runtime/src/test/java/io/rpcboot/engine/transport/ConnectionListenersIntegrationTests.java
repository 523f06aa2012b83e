package io.rpcboot.engine.transport;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Garbage;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ConnectionListenersIntegrationTests {

	private final Recording atServer = new Recording();

	private final Recording atClient = new Recording();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.applicationName("shop")
		.idleTimeout(Duration.ofSeconds(3))
		.connectionListener(this.atServer)
		.service(Calls.class, new CallsImpl())
		.start();

	private final RpcClient client = RpcClient.builder()
		.applicationName("till")
		.keepAlive(Duration.ofMillis(50), Duration.ofSeconds(20))
		.connectionListener(this.atClient)
		.build();

	private record Event(String what, RpcConnection connection, Thread thread) {
	}

	private static final class Recording implements RpcConnectionListener {

		final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

		@Override
		public void connected(RpcConnection connection) {
			this.events.add(new Event("connected", connection, Thread.currentThread()));
		}

		@Override
		public void closed(RpcConnection connection, String reason) {
			this.events.add(new Event(reason, connection, Thread.currentThread()));
		}

		Event next() throws InterruptedException {
			Event event = this.events.poll(20, TimeUnit.SECONDS);
			assertThat(event).isNotNull();
			assertThat(event.thread()).isNotInstanceOf(EventLoopThread.class);
			return event;
		}

	}

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
		assertThat(this.atServer.events).isEmpty();
		assertThat(this.atClient.events).isEmpty();
	}

	private void connect() {
		assertThat(this.client.reference(Calls.class, ReferenceStates.at(this.server)).greet("Doug"))
			.isEqualTo("hello Doug");
	}

	@Test
	void listeners_areNotifiedOnce_onBothSides() throws Exception {
		connect();
		Event here = this.atClient.next();
		assertThat(here.what()).isEqualTo("connected");
		assertThat(here.connection().side()).isEqualTo(Side.CLIENT);
		assertThat(here.connection().application()).isEqualTo("shop");
		assertThat(here.connection().remote()).isEqualTo("127.0.0.1:" + this.server.port());
		Event there = this.atServer.next();
		assertThat(there.what()).isEqualTo("connected");
		assertThat(there.connection().side()).isEqualTo(Side.SERVER);
		assertThat(there.connection().application()).isEqualTo("till");
		assertThat(there.connection().remote()).startsWith("127.0.0.1:");
		there.connection().attributes().put("since", 1);

		this.client.close();
		Event end = this.atClient.next();
		assertThat(end.what()).isEqualTo("closed by this client");
		assertThat(end.connection()).isSameAs(here.connection());
		end = this.atServer.next();
		assertThat(end.what()).isEqualTo("closed by the client");
		assertThat(end.connection().attributes()).containsEntry("since", 1);
	}

	@Test
	void listeners_learnShutdownReason_onBothSides() throws Exception {
		connect();
		this.atClient.next();
		this.atServer.next();
		this.server.shutdown(Duration.ofSeconds(5));
		assertThat(this.atServer.next().what()).isEqualTo("the server is shutting down");
		assertThat(this.atClient.next().what()).isEqualTo("the server is shutting down");
	}

	@Test
	void listeners_areNotNotified_withoutHandshake() throws Exception {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.port())) {
			socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			Garbage.awaitClose(socket);
		}
		connect();
		assertThat(this.atServer.next().connection().application()).isEqualTo("till");
		assertThat(this.atClient.next().what()).isEqualTo("connected");
		this.client.close();
		assertThat(this.atServer.next().what()).isEqualTo("closed by the client");
		assertThat(this.atClient.next().what()).isEqualTo("closed by this client");
	}

	@Test
	void closeReason_namesFaultOfClient() throws Exception {
		try (Peer silent = new Peer(this.server.port())) {
			assertThat(this.atServer.next().what()).isEqualTo("connected");
			assertThat(this.atServer.next().what())
				.isEqualTo("nothing arrived for rpc.server.idle-timeout, which is PT3S");
			Garbage.awaitClose(silent.socket);
		}
		try (Peer rude = new Peer(this.server.port())) {
			assertThat(this.atServer.next().what()).isEqualTo("connected");
			rude.send((out) -> out.writeZero(64));
			assertThat(this.atServer.next().what()).contains("frame");
			Garbage.awaitClose(rude.socket);
		}
	}

	@Test
	void blockingListener_delaysNoCall() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		CountDownLatch entered = new CountDownLatch(1);
		RpcConnectionListener slow = new RpcConnectionListener() {
			@Override
			public void connected(RpcConnection connection) {
				entered.countDown();
				try {
					gate.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		};
		try (RpcServer other = RpcServer.builder()
			.port(0)
			.connectionListener(slow)
			.service(Calls.class, new CallsImpl())
			.start(); RpcClient caller = RpcClient.builder().connectionListener(slow).build()) {
			Calls calls = caller.reference(Calls.class, ReferenceStates.at(other));
			assertThat(calls.greet("Doug")).isEqualTo("hello Doug");
			assertThat(calls.later("Doug").get(20, TimeUnit.SECONDS)).isEqualTo("later Doug");
			assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
			gate.countDown();
		}
	}

}
