package io.rpcboot.engine.hostile;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Header fields that a peer lets the other side keep: they are in its account. */
@Timeout(120)
class Http2FieldsIntegrationTests {

	private static final int MIB = 1024 * 1024;

	private static final int LIMIT = 8 * MIB;

	/** Fields that the limit of a header list allows. */
	private static final int FIELDS = 280;

	private static final int CONNECTIONS = 4;

	private static final int STREAMS = 100;

	private static final String RESOURCE_EXHAUSTED = "8";

	private static final String UNAVAILABLE = "14";

	private final CallsImpl implementation = new CallsImpl();

	private final CountDownLatch checks = new CountDownLatch(1);

	private final List<Http2Peer> peers = new ArrayList<>();

	private RpcServer server;

	private RpcServerBuilder builder() {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxFrameSize(MIB)
			.memory(MemoryOptions.defaults().withLimit(LIMIT).withLeastRate(0)) // who
																				// holds
																				// it
																				// stays
			.service(Calls.class, this.implementation);
	}

	/** Waits with its answer until the test releases it. */
	private AccessOptions guarded() {
		return AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((credentials) -> {
			try {
				assertThat(this.checks.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return CallerIdentity.of(() -> "any", Instant.MAX);
		});
	}

	@AfterEach
	void stop() {
		this.checks.countDown();
		this.peers.forEach(Http2Peer::close);
		if (this.server != null) {
			this.server.close();
		}
	}

	private Http2Peer connect() {
		Http2Peer peer = Http2Peer.connect(this.server.port());
		this.peers.add(peer);
		return peer;
	}

	private static Http2Headers fields(String path, String name, int stream) {
		Http2Headers headers = GrpcBytes.request(path);
		for (int i = 0; i < FIELDS; i++) {
			headers.add(name.replace("#", Integer.toString(i)).replace("$", Integer.toString(stream)), "");
		}
		return headers;
	}

	/** Opens requests that do not end; returns the number of those that were refused. */
	private int flood(String path, String name, String credentials) throws Exception {
		List<GrpcExchange> streams = new ArrayList<>();
		for (int i = 0; i < CONNECTIONS; i++) {
			Http2Peer peer = connect();
			for (int j = 0; j < STREAMS; j++) {
				Http2Headers headers = fields(path, name, i * STREAMS + j);
				if (!credentials.isEmpty()) {
					headers.add("authorization", credentials);
				}
				streams.add(peer.open(headers, false));
			}
			peer.awaitRead(i + 1);
		}
		int refused = 0;
		for (GrpcExchange each : streams) {
			if (each.end.isDone() && !isUnchecked(each)) {
				assertThat(each.field("grpc-status")).as(each.toString()).isEqualTo(RESOURCE_EXHAUSTED);
				refused++;
			}
		}
		return refused;
	}

	private static int statusOf(Http2Peer peer, Http2Headers headers) {
		try {
			GrpcExchange call = peer.open(headers, false);
			peer.data(call, GrpcBytes.message(), true);
			return call.status();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns true if the check of credentials has taken its longest time. */
	private static boolean isUnchecked(GrpcExchange call) {
		return UNAVAILABLE.equals(call.field("grpc-status"));
	}

	/** 400 requests with 36 KB each; two thirds do not fit into 6 MB. */
	@ParameterizedTest
	@CsvSource({ "Echo, a", "Echo, n#", "Echo, n#-$", "Nothing, k-bin" })
	void fieldsOfRequestsThatDoNotEnd_areInAccountOfServer(String method, String name) throws Exception {
		this.server = builder().start();
		Http2Peer honest = connect();
		assertThat(honest.call("Greet", GrpcBytes.text("a")).text()).isEqualTo("hello a");
		assertThat(flood(Http2Peer.path(method), name, "")).isBetween(150, 390);
		Http2Headers few = GrpcBytes.request(Http2Peer.path("Nothing")).add("tenant", "acme");
		assertThat(statusOf(honest, few)).as("a call with few fields").isZero();
		assertThat(honest.call("Greet", GrpcBytes.text("b")).text()).isEqualTo("hello b");
		this.peers.stream().skip(1).forEach(Http2Peer::close);
		Eventually.until("the memory is free", () -> statusOf(honest, fields(Http2Peer.path("Nothing"), "a", 0)) == 0);
	}

	/** The answer does not tell which methods exist. */
	@ParameterizedTest
	@ValueSource(strings = { "/io.rpcboot.engine.fixture.Calls/Echo", "/io.rpcboot.engine.fixture.Calls/Unknown",
			"/unknown/Echo" })
	void fieldsOfCallersWhoAreNotKnownYet_areInAccount(String path) throws Exception {
		this.server = builder().access(guarded()).start();
		assertThat(flood(path, "a", "Bearer guess")).isPositive();
	}

	/** A client that keeps its requests back may not keep the memory of their fields. */
	@Test
	void requestsWithoutMessages_endTheirConnection_whileMemoryIsShort() throws Exception {
		this.server = builder().memory(MemoryOptions.defaults().withLimit(LIMIT)).start();
		for (int i = 0; i < CONNECTIONS; i++) {
			Http2Peer peer = connect();
			for (int j = 0; j < STREAMS; j++) {
				peer.open(fields(Http2Peer.path("Echo"), "n#", j), false);
			}
		}
		Http2Peer honest = connect();
		Eventually.until("the fields of all but one connection are free",
				() -> this.peers.stream().filter(Http2Peer::isClosed).count() >= CONNECTIONS - 1);
		Eventually.until("a request with as many is served",
				() -> statusOf(honest, fields(Http2Peer.path("Nothing"), "a", 0)) == 0);
		assertThat(honest.isClosed()).isFalse();
	}

	/** A request may take its time while there is enough memory. */
	@Test
	void requestWithoutMessage_isServed_whileMemoryIsNotShort() throws Exception {
		this.server = builder().memory(MemoryOptions.defaults().withLimit(LIMIT)).start();
		Http2Peer honest = connect();
		GrpcExchange slow = honest.open(fields(Http2Peer.path("Nothing"), "n#", 0), false);
		Eventually.passed(System.nanoTime() + TimeUnit.SECONDS.toNanos(2));
		honest.data(slow, GrpcBytes.message(), true);
		assertThat(slow.status()).isZero();
	}

	/** A request that is refused as soon as its caller is known has begun a check. */
	@Test
	void rapidReset_endsConnection_whileCallersAreChecked() throws Exception {
		this.server = builder().access(guarded()).start();
		Http2Peer peer = connect();
		for (int i = 0; i < 1000 && !peer.isClosed(); i++) {
			peer.reset(peer.open(GrpcBytes.request(Http2Peer.path("Echo"))
				.add("grpc-encoding", "br")
				.add("authorization", "Bearer " + (i % 10)), false), Http2Error.CANCEL);
		}
		peer.awaitClose();
		assertThat(peer.frames()).anyMatch((each) -> each.contains("streams that were reset before their response"));
	}

	/**
	 * Three of ten calls miss their deadline and are reset, the others are refused. Their
	 * sum is over the limit of resets.
	 */
	@Test
	void client_keepsItsConnection_whileBusyServerRefusesItsCalls() throws Exception {
		this.server = builder().start();
		flood(Http2Peer.path("Echo"), "a", "");
		Http2Peer client = connect();
		for (int i = 0; i < 4; i++) {
			client.open(fields(Http2Peer.path("Echo"), "a", i), false);
		}
		for (int round = 1; round <= 150; round++) {
			List<GrpcExchange> late = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				late.add(client.call("LaterAtGate", GrpcBytes.text("x")));
			}
			for (int i = 0; i < 7; i++) {
				assertThat(statusOf(client, fields(Http2Peer.path("Nothing"), "a", i))).isEqualTo(8);
			}
			late.forEach((each) -> client.reset(each, Http2Error.CANCEL));
			this.implementation.futures.forEach((each) -> each.complete("late"));
			Eventually.until("they have ended", () -> this.server.inFlightCalls() == 0 || client.isClosed());
			assertThat(client.isClosed()).as("after %d rounds: %s", round, client.frames()).isFalse();
		}
	}

	private static String[] response(String... fields) {
		List<String> all = new ArrayList<>(List.of(":status", "200", "content-type", "application/grpc"));
		all.addAll(List.of(fields));
		return all.toArray(String[]::new);
	}

	private static RpcClient client() {
		return RpcClient.builder()
			.protocol(Protocol.GRPC)
			.timeout(Duration.ofSeconds(20))
			.maxFrameSize(MIB)
			.memory(MemoryOptions.defaults().withLimit(LIMIT))
			.build();
	}

	/** 300 calls with 64 KB each. */
	@Test
	void fieldsOfResponsesThatDoNotEnd_areInAccountOfClient() throws Exception {
		String[] many = new String[2 * 500];
		for (int i = 0; i < many.length; i += 2) {
			many[i] = "a";
			many[i + 1] = "";
		}
		try (Http2Server hostile = new Http2Server(new Http2Settings(), (connection, type, flags, id, answers) -> {
			if (type == Http2Server.HEADERS) {
				answers.headers(id, false, response(many));
			}
		}); RpcClient client = client()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(hostile.port()));
			AtomicInteger refused = new AtomicInteger();
			for (int i = 0; i < 300; i++) {
				calls.later("x").whenComplete((reply, failure) -> {
					if (failure instanceof RpcException known && known.status() == RpcStatus.RESOURCE_EXHAUSTED) {
						refused.incrementAndGet();
					}
				});
			}
			Eventually.until("refused: " + refused, () -> refused.get() > 150);
			assertThat(refused).hasValueLessThan(290);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "again", "status", "interim", "trailers-status" })
	void secondHeadersOfResponse_areMalformed(String kind) throws Exception {
		AtomicInteger resets = new AtomicInteger();
		try (Http2Server hostile = new Http2Server(new Http2Settings(), (connection, type, flags, id, answers) -> {
			if (type == Http2Server.RST_STREAM) {
				resets.incrementAndGet();
			}
			if (type != Http2Server.HEADERS) {
				return;
			}
			answers.headers(id, false, response("x", "1"));
			switch (kind) {
				case "again" -> answers.headers(id, false, response("x", "2"));
				case "status" -> answers.headers(id, false, "x", "2");
				case "interim" -> answers.headers(id, false, ":status", "103");
				default -> answers.headers(id, true, ":status", "200", "grpc-status", "0");
			}
		}); RpcClient client = client()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(hostile.port()));
			RpcException failure = catchThrowableOfType(RpcException.class, () -> calls.nothing());
			assertThat(failure.status()).isEqualTo(RpcStatus.INTERNAL);
			assertThat(failure).hasMessageContaining("violates HTTP/2");
			Eventually.until("the stream is reset", () -> resets.get() == 1);
		}
	}

	/** They carry nothing for a call and are not kept, but each is work. */
	@ParameterizedTest
	@ValueSource(ints = { 16, 17 })
	void interimResponses_areLimited(int count) throws Exception {
		try (Http2Server peer = new Http2Server(new Http2Settings(), (connection, type, flags, id, answers) -> {
			if (type != Http2Server.HEADERS) {
				return;
			}
			for (int i = 0; i < count; i++) {
				answers.headers(id, false, ":status", "103", "link", "x");
			}
			answers.answer(id);
		}); RpcClient client = client()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(peer.port()));
			RpcException failure = catchThrowableOfType(RpcException.class, () -> calls.nothing());
			assertThat(failure == null).isEqualTo(count == 16);
		}
	}

}
