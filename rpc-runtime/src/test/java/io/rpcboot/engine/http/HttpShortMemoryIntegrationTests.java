package io.rpcboot.engine.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.engine.fixture.Memory;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.Dispatch;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Memory of clients of HTTP/1.1, and what they may do while it is short. */
class HttpShortMemoryIntegrationTests extends AbstractHttpEngine {

	private static final String BEHIND = "POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nContent-Length: 0\r\n\r\n";

	private static final String CHUNKED = "POST " + SERVICE + "Echo HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nTransfer-Encoding: chunked\r\n\r\n";

	@Test
	void partialHead_isCharged_ifItHasManyFields() {
		start(builder());
		int connections = 300;
		StringBuilder head = new StringBuilder("POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n");
		head.append("a:b\r\n".repeat(200));
		List<HttpPeer> peers = new ArrayList<>();
		for (int i = 0; i < connections; i++) {
			peers.add(connect().send(BEHIND));
		}
		peers.forEach(HttpPeer::read);
		long before = Memory.usedHeap();
		peers.forEach((each) -> each.send(head.toString()));
		Eventually.until("heads have arrived", () -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) > 300 * 4000L);
		sleep(500);
		long charged = this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) + connections * 4096L;
		long used = Memory.usedHeap() - before;
		assertThat(used).isLessThan(4 * charged);
	}

	private static void sleep(int millis) {
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
	}

	@Test
	void chunkedBody_takesLittleMemory_ifItIsShort() throws Exception {
		start(builder());
		HttpPeer peer = connect();
		peer.send(CHUNKED + "ea60\r\n").send(new byte[40_000]);
		sleep(500);
		long taken = this.accounts.of(Gauge.SERVER_MEMORY_INCOMING);
		assertThat(taken).isLessThan(1_000_000);
	}

	@ParameterizedTest
	@CsvSource({ "200000, 150000", "1000000, 200000", "3000000, 500000" })
	void response_isWhole_ifConnectionEndsAndClientReadsSlowly(int size, int rate) throws Exception {
		start(builder().socket(SocketOptions.defaults().withSendBuffer(16_384)));
		byte[] body = ("{\"size\":" + size + "}").getBytes(StandardCharsets.US_ASCII);
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(8192);
			socket.setSoTimeout(20_000);
			socket.connect(new InetSocketAddress("127.0.0.1", this.server.port()));
			socket.getOutputStream()
				.write((HttpPeer.head(SERVICE + "Grow", "application/json", body.length, "Connection: close")
						+ new String(body, StandardCharsets.US_ASCII))
					.getBytes(StandardCharsets.US_ASCII));
			InputStream in = socket.getInputStream();
			byte[] bytes = new byte[rate / 20];
			int all = 0;
			int count;
			try {
				while ((count = in.read(bytes)) > 0) {
					all += count;
					Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1000L * count / rate));
				}
			}
			catch (IOException ex) {
				throw new AssertionError("cut at " + all + ": " + ex);
			}
			assertThat(all).isGreaterThan(size * 4 / 3);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NIO", "EPOLL" })
	void call_isCancelled_ifClientLeavesWithBytesBehind(EventLoopOptions.Transport transport) throws Exception {
		start(builder().eventLoop(EventLoopOptions.defaults().withTransport(transport)));
		HttpPeer peer = connect();
		String body = "{\"name\":\"a\"}";
		peer.send(HttpPeer.head(SERVICE + "LaterAtGate", "application/json", body.length()) + body + BEHIND);
		awaitInFlight(1);
		sleep(200);
		peer.close();
		Eventually.until("no connection is open", () -> this.server.connections().isEmpty());
	}

	/** Clients that announce a body and keep it back, with many header fields. */
	@Test
	void requestsWithoutBody_end_whileMemoryIsShort() throws Exception {
		int limit = 16 * 1024 * 1024;
		start(builder().maxFrameSize(1024 * 1024)
			.memory(MemoryOptions.defaults().withLimit(limit).withLeastRate(1024 * 1024)));
		StringBuilder head = new StringBuilder("POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n"
				+ "Content-Type: application/proto\r\nContent-Length: 5\r\n");
		for (int i = 0; head.length() < 10_000; i++) {
			head.append("x-").append(i).append(":b\r\n");
		}
		head.append("\r\n");
		List<HttpPeer> peers = new ArrayList<>();
		for (int i = 0; i < 150; i++) {
			peers.add(connect().send(head.toString()));
			if (i % 50 == 49) {
				sleep(300);
			}
		}
		sleep(4000);
		Response other = connect().post(SERVICE + "Echo", "{\"bytes\":\"" + "AAAA".repeat(100_000) + "\"}").read();
		assertThat(other.status()).isEqualTo(200);
	}

	/** As above, over HTTP/2: a monitor ends those of gRPC. */
	@ParameterizedTest
	@ValueSource(strings = { "application/grpc", "application/proto" })
	void streamsWithoutBody_end_whileMemoryIsShort(String type) throws Exception {
		int limit = 16 * 1024 * 1024;
		start(builder().maxFrameSize(1024 * 1024)
			.memory(MemoryOptions.defaults().withLimit(limit).withLeastRate(1024 * 1024)));
		List<Http2Peer> peers = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			Http2Peer peer = Http2Peer.connect(this.server.port());
			peers.add(peer);
			Http2Headers headers = GrpcBytes.request(Http2Peer.path("Nothing")).set("content-type", type);
			for (int j = 0; j < 250; j++) {
				headers.add("x-" + j, "b");
			}
			peer.open(headers, false);
		}
		sleep(5000);
		String other;
		try {
			other = String.valueOf(
					connect().post(SERVICE + "Echo", "{\"bytes\":\"" + "AAAA".repeat(100_000) + "\"}").read().status());
		}
		catch (RuntimeException ex) {
			other = ex.toString();
		}
		peers.forEach(Http2Peer::close);
		assertThat(other).isEqualTo("200");
	}

	/** One client takes memory of results, another one reads steadily. */
	@Test
	void steadyReader_isServed_whileMemoryIsShort() throws Exception {
		int limit = 13 * 512 * 1024;
		// the server sees progress in parts of the send buffer, which grows to megabytes
		start(builder().maxFrameSize(2 * 1024 * 1024)
			.memory(MemoryOptions.defaults().withLimit(limit))
			.socket(SocketOptions.defaults().withSendBuffer(64 * 1024)));
		List<Socket> sockets = new ArrayList<>();
		try {
			byte[] body = "{\"size\":1000000}".getBytes(StandardCharsets.US_ASCII);
			byte[] request = (HttpPeer.head(SERVICE + "Grow", "application/json", body.length)
					+ new String(body, StandardCharsets.US_ASCII))
				.getBytes(StandardCharsets.US_ASCII);
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				Socket socket = new Socket();
				socket.setReceiveBufferSize(16384);
				socket.setSoTimeout(90_000);
				socket.connect(new InetSocketAddress("127.0.0.1", this.server.port()));
				sockets.add(socket);
				socket.getOutputStream().write(request);
				all.add(CompletableFuture.supplyAsync(() -> {
					try {
						return readSteadily(socket.getInputStream());
					}
					catch (Exception ex) {
						return -1;
					}
				}, (task) -> new Thread(task).start()));
			}
			List<Integer> counts = new ArrayList<>();
			for (CompletableFuture<Integer> each : all) {
				counts.add(each.get(100, TimeUnit.SECONDS));
			}
			assertThat(counts).allMatch((each) -> each >= 1_320_000);
		}
		finally {
			for (Socket each : sockets) {
				each.close();
			}
		}
	}

	/**
	 * Returns the bytes that were read, or all of them if this thread did not get the CPU
	 * for 200 ms: such a reader is not steady.
	 */
	private static int readSteadily(InputStream in) throws IOException {
		byte[] bytes = new byte[25_000];
		int read = 0;
		int count = 1;
		boolean isSteady = true;
		while (read < 1_320_000 && (count = in.read(bytes)) > 0) {
			read += count;
			long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(count / 600);
			Eventually.passed(next);
			isSteady &= System.nanoTime() - next < TimeUnit.MILLISECONDS.toNanos(200);
		}
		return isSteady ? read : Math.max(read, 1_320_000);
	}

	/**
	 * A request behind another one, with an incomplete head behind it, without memory.
	 */
	@Test
	void shortage_isNoFailureOfTheEngine_behindACall() throws Exception {
		int limit = 4 * 1024 * 1024;
		start(builder().maxFrameSize(1024 * 1024).memory(MemoryOptions.defaults().withLimit(limit).withLeastRate(0)));
		List<HttpPeer> peers = new ArrayList<>();
		String body = "{\"name\":\"a\"}";
		StringBuilder part = new StringBuilder("POST / HTTP/1.1\r\n");
		while (part.length() < 10_000) {
			part.append("x-a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n");
		}
		for (int i = 0; i < 40; i++) {
			peers.add(connect()
				.send(HttpPeer.head(SERVICE + "LaterAtGate", "application/json", body.length()) + body + part));
		}
		awaitInFlight(40);
		for (int i = 0; i < 400 && this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) < 3_900_000; i++) {
			connect().send(HttpPeer.head(SERVICE + "Echo", "application/proto", 60_000)).send(new byte[59_000]);
			if (i % 20 == 0) {
				sleep(50);
			}
		}
		this.implementation.futures.forEach((each) -> each.complete("x"));
		sleep(1000);
	}

	/** Requests in any pieces: each has its own response. */
	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void pipelinedRequests_haveTheirOwnResponses_inAnyPieces(Dispatch dispatch) throws Exception {
		start(builder().dispatch(dispatch));
		List<CompletableFuture<Void>> all = new ArrayList<>();
		for (int c = 0; c < 8; c++) {
			int seed = c;
			HttpPeer peer = connect();
			all.add(CompletableFuture.runAsync(() -> exchange(peer, new Random(seed)),
					(task) -> new Thread(task).start()));
		}
		for (CompletableFuture<Void> each : all) {
			each.get(100, TimeUnit.SECONDS);
		}
	}

	private void exchange(HttpPeer peer, Random random) {
		int requests = 150;
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < requests; i++) {
			int length = switch (random.nextInt(10)) {
				case 0 -> 66_500 + random.nextInt(200);
				case 1 -> random.nextInt(200_000);
				default -> random.nextInt(300);
			};
			String name = Integer.toHexString(i) + "x".repeat(length);
			byte[] json = ("{\"name\":\"" + name + "\"}").getBytes(StandardCharsets.US_ASCII);
			expected.add("{\"value\":\"hello " + name + "\"}");
			if (random.nextBoolean()) {
				out.writeBytes((HttpPeer.head(SERVICE + "Greet", "application/json", json.length))
					.getBytes(StandardCharsets.US_ASCII));
				out.writeBytes(json);
				continue;
			}
			out.writeBytes(("POST " + SERVICE + "Greet HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
					+ "Transfer-Encoding: chunked\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			for (int at = 0; at < json.length;) {
				int count = Math.min(json.length - at, 1 + random.nextInt(1 + json.length));
				out.writeBytes((Integer.toHexString(count) + ";e=1\r\n").getBytes(StandardCharsets.US_ASCII));
				out.write(json, at, count);
				out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
				at += count;
			}
			out.writeBytes(
					(random.nextBoolean() ? "0\r\nX-T: y\r\n\r\n" : "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		}
		byte[] bytes = out.toByteArray();
		Thread sender = new Thread(() -> {
			for (int at = 0; at < bytes.length;) {
				int count = Math.min(bytes.length - at,
						(random.nextInt(3) == 0) ? 1 + random.nextInt(20) : 1 + random.nextInt(50_000));
				byte[] piece = java.util.Arrays.copyOfRange(bytes, at, at + count);
				peer.send(piece);
				at += count;
			}
		});
		sender.start();
		for (int i = 0; i < requests; i++) {
			Response response = peer.read();
			assertThat(response.body().equals(expected.get(i))).as("response %d: %s", i, response.status()).isTrue();
		}
	}

	/** Whatever clients break off: see what is left, in the superclass. */
	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void nothing_isLeft_ifClientsBreakOffAnywhere(Dispatch dispatch) throws Exception {
		start(builder().dispatch(dispatch));
		Random random = new Random(7);
		for (int i = 0; i < 600; i++) {
			HttpPeer peer = connect();
			String body = "{\"name\":\""
					+ "y".repeat(random.nextInt(8) == 0 ? random.nextInt(150_000) : random.nextInt(50)) + "\"}";
			String method = (dispatch != Dispatch.EVENT_LOOP && random.nextInt(4) == 0) ? "Later" : "Greet";
			String one = HttpPeer.head(SERVICE + method, random.nextInt(9) == 0 ? "text/plain" : "application/json",
					body.length()) + body;
			String two = "POST " + SERVICE
					+ "Greet HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
					+ Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
			String all = one + two + one + two;
			try {
				peer.send(all.substring(0, random.nextInt(all.length())));
				if (random.nextBoolean()) {
					peer.send("\u0000\r\n\r\nGET \r\n\r\n");
				}
				if (random.nextBoolean()) {
					Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(3)));
				}
			}
			catch (RuntimeException ex) {
				// closed by the server
			}
			peer.close();
		}
	}

}
