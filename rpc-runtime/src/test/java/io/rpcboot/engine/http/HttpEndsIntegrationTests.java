package io.rpcboot.engine.http;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.http.HttpPeer.Response;
import io.rpcboot.fixture.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Ends of connections of HTTP/1.1, and Connect over HTTP/2. */
class HttpEndsIntegrationTests extends AbstractHttpEngine {

	private static final int CLIENTS = Load.LONG ? 20 : 8;

	private static final String BEHIND = "POST " + SERVICE + "Nothing HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/proto\r\nContent-Length: 0\r\n\r\n";

	/** Clients that call one after the other without a pause. */
	@Test
	void noCall_isLost_ifConnectionsBecomeOld() throws Exception {
		start(builder().connectionMaxAge(Duration.ofMillis(500), Duration.ofSeconds(30)));
		AtomicInteger lost = new AtomicInteger();
		AtomicInteger refused = new AtomicInteger();
		AtomicInteger connections = new AtomicInteger();
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Load.LONG ? 8 : 3);
		List<CompletableFuture<Void>> all = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++) {
			all.add(CompletableFuture.runAsync(() -> {
				while (System.nanoTime() < end) {
					connections.incrementAndGet();
					try (HttpPeer peer = new HttpPeer(this.server.port())) {
						while (System.nanoTime() < end) {
							Response response = peer.send(BEHIND).read();
							if (response.status() != 200) {
								refused.incrementAndGet();
							}
							if ("close".equals(response.field("connection"))) {
								break;
							}
							Thread.onSpinWait();
						}
					}
					catch (UncheckedIOException ex) {
						lost.incrementAndGet();
					}
				}
			}, (task) -> new Thread(task).start()));
		}
		for (CompletableFuture<Void> each : all) {
			each.get(60, TimeUnit.SECONDS);
		}
		assertThat(lost).hasValue(0);
	}

	/** Requests in a row, while the server leaves. */
	@Test
	void connections_end_ifServerLeavesWhileTheyAreBusy() throws Exception {
		for (int round = 0; round < 10; round++) {
			if (this.server != null) {
				this.server.close();
			}
			start(builder());
			List<HttpPeer> peers = new ArrayList<>();
			List<Thread> senders = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				HttpPeer peer = new HttpPeer(this.server.port());
				peers.add(peer);
				peer.send(BEHIND).read();
				Thread sender = new Thread(() -> {
					try {
						while (true) {
							peer.send(BEHIND.repeat(10));
						}
					}
					catch (RuntimeException ex) {
						// closed
					}
				});
				Thread reader = new Thread(() -> {
					try {
						while (true) {
							peer.read();
						}
					}
					catch (RuntimeException ex) {
						// closed
					}
				});
				sender.start();
				reader.start();
				senders.add(reader);
			}
			Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200));
			this.server.goAway().get(10, TimeUnit.SECONDS);
			for (Thread each : senders) {
				each.join(5000);
				assertThat(each.isAlive()).as("round %d", round).isFalse();
			}
			peers.forEach(HttpPeer::close);
		}
	}

	private static Http2Headers post(String method, String type) {
		return new DefaultHttp2Headers(false).method("POST")
			.scheme("http")
			.path(SERVICE + method)
			.authority("localhost")
			.add("content-type", type);
	}

	@Test
	void emptyBody_isEmptyMessage_ifHeadersOfHttp2EndStream() throws Exception {
		connect();
		try (Http2Peer peer = Http2Peer.connect(this.server.port())) {
			GrpcExchange call = peer.open(post("Nothing", "application/proto"), true).await();
			assertThat(call.httpStatus()).isEqualTo("200");
			GrpcExchange json = peer.open(post("Nothing", "application/json"), true).await();
			assertThat(json.httpStatus()).isEqualTo("400");
			GrpcExchange trailers = peer.open(post("Greet", "application/json"), false);
			peer.data(trailers, "{\"name\":\"x\"}".getBytes(), false);
			peer.trailers(trailers, new DefaultHttp2Headers(false).add("x-t", "y"), true);
			assertThat(new String(trailers.await().data())).isEqualTo("{\"value\":\"hello x\"}");
			GrpcExchange lies = peer.open(post("Greet", "application/json").add("content-length", "5"), false);
			peer.data(lies, "{\"name\":\"x\"}".getBytes(), true);
			assertThat(lies.await().error).isEqualTo(Http2Error.PROTOCOL_ERROR);
			GrpcExchange bad = peer.open(post("Greet", "application/json").add("content-length", "x"), false);
			peer.data(bad, "{\"name\":\"x\"}".getBytes(), true);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 66_559, 66_560, 66_561, 99_999, 100_000, 100_001, 500_000 })
	void bodyOfHttp2_arrives_ifItsLengthIsUnknown(int length) throws Exception {
		start(builder().maxFrameSize(100_000));
		connect();
		try (Http2Peer peer = Http2Peer.connect(this.server.port())) {
			GrpcExchange call = peer.open(post("Greet", "application/json"), false);
			String json = "{\"name\":\"" + "x".repeat(Math.max(0, length - 11)) + "\"}";
			if (length == 1) {
				json = "1";
			}
			peer.data(call, json.getBytes(), true);
			call.await();
			assertThat(call.httpStatus()).isEqualTo(
					length == 1 ? "400" : length <= 99_980 ? "200" : length <= 100_000 ? call.httpStatus() : "429");
		}
	}

	@Test
	void nothing_isLeft_ifStreamsOfHttp2AreReset() throws Exception {
		connect();
		try (Http2Peer peer = Http2Peer.connect(this.server.port(), new Http2Settings().initialWindowSize(10))) {
			for (int i = 0; i < 20; i++) {
				GrpcExchange call = peer.open(post("Greet", "application/json"), false);
				peer.data(call, new byte[i * 5000], false);
				peer.reset(call, Http2Error.CANCEL);
				GrpcExchange slow = peer.open(post("Greet", "application/json"), false);
				peer.data(slow, ("{\"name\":\"" + "x".repeat(30_000) + "\"}").getBytes(), true);
				if (i % 2 == 0) {
					Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
				}
				peer.reset(slow, Http2Error.CANCEL);
			}
			GrpcExchange last = peer.open(post("Greet", "application/json"), false);
			peer.data(last, "{\"name\":\"x\"}".getBytes(), true);
			assertThat(new String(last.await().data())).isEqualTo("{\"value\":\"hello x\"}");
			Eventually.until("nothing is in flight", () -> this.server.inFlightCalls() == 0);
		}
	}

}
