package io.rpcboot.internal.server.connection.lines;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.connection.AcceptedConnection;
import io.rpcboot.internal.server.lifecycle.AdmissionRules;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceRegistration;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.BuiltOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a server with a protocol of three classes: admission, threads, deadlines of idle
 * clients, limits and drain come from the core, which knows nothing of lines.
 */
class LineProtocolIntegrationTests {

	/** Service whose only method takes and returns text. */
	public interface Speaker {

		String say(String line);

	}

	private final CountDownLatch released = new CountDownLatch(1);

	private ServerResources server;

	private Transport sockets;

	private int port;

	private final List<Socket> clients = new ArrayList<>();

	@AfterEach
	void close() throws IOException {
		this.released.countDown();
		for (Socket each : this.clients) {
			each.close();
		}
		Eventually.until("all connections are closed", () -> this.server.connections.isEmpty());
		Eventually.until("no call is in flight", () -> this.server.inFlight.get() == 0);
		this.sockets.close();
		this.server.closeThreads();
	}

	private void start(RpcServerBuilder builder) throws IOException {
		ServerOptions options = BuiltOptions.of(builder);
		RateLimitedLogger log = new RateLimitedLogger("rpc.server", System::nanoTime);
		options.services.put(ServiceDescriptor.of(Speaker.class),
				new ServiceRegistration(() -> (Speaker) this::answer, ServiceOptions.defaults()));
		BodyAllocator memory = BodyAllocator.of(options.memory, options.socket, options.maxFrameSize,
				options.maxInFlightCalls);
		this.server = new ServerResources(options,
				new ServiceTable(options.services, List.of(new ProtostuffSerializer()), options.dispatch,
						options.share(), RpcMetrics.none(), memory.account(), log, List.of()),
				memory, log);
		Invocation method = this.server.services.offered().get(0).methods().get(0).with(new TextCodec());
		this.sockets = new Transport("lines", options.eventLoop, options.socket, Duration.ZERO, null);
		this.server.memory.start(this.sockets.anyLoop());
		List<LineProtocol> protocols = List.of(new LineProtocol(this.server, method));
		this.port = this.sockets
			.listen("127.0.0.1", 0, options.batching, AdmissionRules.of(options), options.handshakeTimeout,
					(accepted) -> AcceptedConnection.open(accepted, this.server, List.copyOf(protocols), null))
			.port();
	}

	private String answer(String line) {
		if (line.endsWith("later")) {
			try {
				assertThat(this.released.await(60, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		if (line.endsWith("nothing")) {
			throw new RpcException(RpcStatus.INVALID_ARGUMENT, "nothing to say", true);
		}
		return line.substring(4);
	}

	private Client connect() throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
		socket.setSoTimeout(60_000);
		this.clients.add(socket);
		return new Client(socket,
				new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
	}

	private record Client(Socket socket, BufferedReader answers) {

		void say(String lines) throws IOException {
			this.socket.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
		}

		@Nullable String hears() throws IOException {
			return this.answers.readLine();
		}

	}

	@Test
	void lines_areCalls_andAnswersHaveTheirNumbers() throws IOException {
		start(RpcServer.builder());
		Client client = connect();
		client.say("say one\nsay tw");
		assertThat(client.hears()).isEqualTo("1 one");
		client.say("o\nsay nothing\nsay \u00fcber\n");
		Set<String> heard = new TreeSet<>();
		for (int i = 0; i < 3; i++) {
			heard.add(client.hears());
		}
		assertThat(heard).containsExactly("2 two", "3 ! INVALID_ARGUMENT nothing to say", "4 \u00fcber");
	}

	@Test
	void oneHundredThousandLines_areAnsweredOnce() throws IOException {
		start(RpcServer.builder());
		Client client = connect();
		Set<String> heard = new TreeSet<>();
		for (int i = 0; i < 100; i++) {
			client.say("say a\n".repeat(1000));
			for (int j = 0; j < 1000; j++) {
				heard.add(client.hears());
			}
		}
		assertThat(heard).hasSize(100_000).allMatch((line) -> line.endsWith(" a"));
	}

	@Test
	void callsInFlight_haveTheirLimit_andEndWithTheirConnection() throws IOException {
		start(RpcServer.builder().maxInFlightCalls(2));
		Client client = connect();
		client.say("say later\nsay later\nsay later\n");
		assertThat(client.hears())
			.isEqualTo("3 ! rpc.server.limits.in-flight-calls: 2 calls are in flight at the server");
		ConnectionInfo shown = this.server.connections.iterator().next().describe();
		assertThat(shown.pending()).isEqualTo(2);
		client.socket().close();
		Eventually.until("it is closed", () -> this.server.connections.isEmpty());
	}

	@Test
	void stop_completesCalls_andRefusesLaterOnes() throws Exception {
		start(RpcServer.builder());
		Client client = connect();
		client.say("say later\n");
		Eventually.until("it runs", () -> this.server.inFlight.get() == 1);
		this.server.isDraining = true;
		ActiveConnection.goAway(this.server.connections).get(60, TimeUnit.SECONDS);
		assertThat(client.hears()).isEqualTo("bye: the server is shutting down");
		client.say("say more\n");
		this.released.countDown();
		assertThat(client.hears()).isEqualTo("1 later");
		this.server.connections.forEach(ActiveConnection::halfClose);
		assertThat(client.hears()).isNull();
	}

	@Test
	void clientThatIsIdle_isClosed() throws IOException {
		start(RpcServer.builder().idleTimeout(Duration.ofMillis(200)));
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			Client client = connect();
			client.say("say one\n");
			assertThat(client.hears()).isEqualTo("1 one");
			assertThat(client.hears()).isNull();
			Eventually.until("it is logged", () -> log.messages().size() == 1);
			assertThat(log.messages().get(0)).contains("nothing arrived for rpc.server.idle-timeout");
		}
	}

	@Test
	void clientThatViolatesTheProtocol_isClosed() throws IOException {
		start(RpcServer.builder());
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			Client client = connect();
			client.say("say " + "a".repeat(1000));
			assertThat(client.hears()).isNull();
			Eventually.until("it is logged", () -> log.messages().size() == 1);
			assertThat(log.messages().get(0)).contains("a line of more than 1000 bytes");
		}
	}

	/** Arguments and results are the text itself. */
	private static final class TextCodec implements MethodCodec {

		@Override
		public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
			throw new UnsupportedOperationException();
		}

		@Override
		public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
			return new Object[] { new String(source, offset, length, StandardCharsets.UTF_8) };
		}

		@Override
		public void serializeResult(@Nullable Object result, OutputBuffer out) {
			byte[] text = String.valueOf(result).getBytes(StandardCharsets.UTF_8);
			out.write(text, 0, text.length);
		}

		@Override
		public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean serializeException(Throwable thrown, OutputBuffer out) {
			return false;
		}

		@Override
		public Throwable deserializeException(byte[] source, int offset, int length) {
			throw new UnsupportedOperationException();
		}

	}

}
