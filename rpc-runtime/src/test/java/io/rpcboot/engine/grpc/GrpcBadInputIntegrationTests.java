package io.rpcboot.engine.grpc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.protostuff.Tag;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Requests that are none: each gets its answer, and the connection goes on. */
public class GrpcBadInputIntegrationTests extends AbstractGrpcEngine {

	private static final String ODD = "/" + Odd.class.getName().replace('$', '.') + "/";

	private static final int INVALID_ARGUMENT = 3;

	private static final int RESOURCE_EXHAUSTED = 8;

	private static final int UNIMPLEMENTED = 12;

	private static final int INTERNAL = 13;

	private Http2Peer peer;

	@AfterEach
	void connectionGoesOn() throws Exception {
		if (this.peer != null) {
			assertThat(this.peer.call("Greet", GrpcBytes.text("after")).text()).isEqualTo("hello after");
		}
	}

	private GrpcExchange call(Consumer<Http2Headers> change, byte[] data) {
		this.peer = connect();
		Http2Headers headers = GrpcBytes.request(Http2Peer.path("Greet"));
		change.accept(headers);
		GrpcExchange call = this.peer.open(headers, false);
		this.peer.data(call, data, true);
		return call;
	}

	private GrpcExchange call(byte[] data) {
		return call((headers) -> {
		}, data);
	}

	private static byte[] greeting() {
		return GrpcBytes.message(GrpcBytes.text("x"));
	}

	private void assertRejected(GrpcExchange call, int status, String... texts) throws Exception {
		assertThat(call.status()).as("%s: %s", call, call.headers.isEmpty() ? "" : call.message()).isEqualTo(status);
		assertThat(call.headers).hasSize(1);
		for (String text : texts) {
			assertThat(call.message()).contains(text);
		}
		assertThat(call.field("rpc-executed")).isEqualTo("false");
		assertThat(this.implementation.executed).hasValue(0);
		assertThat(this.implementation.entered).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/io.rpcboot.engine.fixture.Calls/Gret, 'Gret', nearest: Greet",
			"/io.rpcboot.engine.fixture.Call/Greet, 'io.rpcboot.engine.fixture.Call', nearest: io.rpcboot.engine.fixture.Calls",
			"/Calls/Greet, 'Calls', nearest: io.rpcboot.engine.fixture.Calls", "/x, '/x', /package.Service/Method",
			"/, '/', /package.Service/Method" })
	void unknownMethod_isUnimplemented_andNearestIsNamed(String path, String given, String nearest) throws Exception {
		assertRejected(call((headers) -> headers.path(path), greeting()), UNIMPLEMENTED, given, nearest);
	}

	@Test
	void unknownMethods_areNotRemembered() throws Exception {
		this.peer = connect();
		for (int i = 0; i < 300; i++) {
			assertThat(this.peer.open(GrpcBytes.request("/x.Y/Z" + i), true).status()).isEqualTo(UNIMPLEMENTED);
		}
		assertThat(this.log.messages()).as("one line a second").hasSizeLessThan(20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/connect+xml", "text/plain", "application/grpc+json", "application/grpc-web",
			"application/grpcx", "" })
	void otherContentType_is415(String type) throws Exception {
		GrpcExchange call = call((headers) -> headers.set("content-type", type), greeting()).await();
		assertThat(call.httpStatus()).isEqualTo("415");
		assertThat(new String(call.data(), StandardCharsets.US_ASCII)).contains("application/grpc");
		assertThat(this.implementation.executed).hasValue(0);
	}

	@Test
	void missingContentType_is415() throws Exception {
		assertThat(call((headers) -> headers.remove("content-type"), greeting()).await().httpStatus()).isEqualTo("415");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8",
			"application/grpc+proto ; a=b" })
	void contentTypeOfGrpc_isServed(String type) throws Exception {
		assertThat(call((headers) -> headers.set("content-type", type), greeting()).text()).isEqualTo("hello x");
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "PUT", "post", "OPTIONS" })
	void otherHttpMethod_is405(String method) throws Exception {
		GrpcExchange call = call((headers) -> headers.method(method), greeting()).await();
		assertThat(call.httpStatus()).isEqualTo("405");
		assertThat(new String(call.data(), StandardCharsets.US_ASCII)).contains("POST");
	}

	@Test
	void browser_isAnswered() throws Exception {
		this.peer = connect();
		GrpcExchange get = this.peer
			.open(new DefaultHttp2Headers().method("GET").scheme("http").path("/").authority("x"), true)
			.await();
		assertThat(get.httpStatus()).isEqualTo("405");
		assertThat(get.error).isNull();
	}

	@Test
	void missingTe_isServed() throws Exception {
		assertThat(call((headers) -> headers.remove("te"), greeting()).text()).isEqualTo("hello x");
	}

	static Stream<Arguments> malformedHeaders() {
		return Stream.of(named("te", (headers) -> headers.set("te", "gzip")),
				named("capital", (headers) -> headers.add("X-Name", "x")),
				named("connection", (headers) -> headers.add("connection", "close")),
				named("transfer-encoding", (headers) -> headers.add("transfer-encoding", "chunked")),
				named("pseudo field", (headers) -> headers.add(":other", "x")),
				named("no path", (headers) -> headers.remove(":path")),
				named("path without slash", (headers) -> headers.path("x")),
				named("no scheme", (headers) -> headers.remove(":scheme")),
				named("no method", (headers) -> headers.remove(":method")),
				named("status", (headers) -> headers.add(":status", "200")),
				named("line break", (headers) -> headers.add("x-name", "a\nb")),
				named("blank name", (headers) -> headers.add("x name", "a")));
	}

	private static Arguments named(String name, Consumer<Http2Headers> change) {
		return Arguments.of(name, change);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("malformedHeaders")
	void malformedHeaders_resetStream(String name, Consumer<Http2Headers> change) throws Exception {
		GrpcExchange call = call(change, greeting()).await();
		assertThat(call.error).isEqualTo(Http2Error.PROTOCOL_ERROR);
		assertThat(call.headers).isEmpty();
		assertThat(this.implementation.executed).hasValue(0);
	}

	@Test
	void headerListOverLimit_is431() throws Exception {
		GrpcExchange call = call((headers) -> headers.add("x-long", "~".repeat(12_000)), greeting()).await();
		assertThat(call.httpStatus()).isEqualTo("431");
		assertThat(this.implementation.executed).hasValue(0);
	}

	/** The limit is told to clients, and counts 32 bytes for each field. */
	@ParameterizedTest
	@CsvSource({ "1900, 200", "2048, 431" })
	void headerListOverLimitThatIsSet_is431(int length, String status) throws Exception {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.http(HttpOptions.defaults().withMaxHeaderSize(2300))
			.service(Calls.class, this.implementation)
			.start(); Http2Peer client = Http2Peer.connect(server.port())) {
			Http2Headers headers = GrpcBytes.request(Http2Peer.path("Greet"));
			headers.add("x-long", "~".repeat(length));
			GrpcExchange call = client.open(headers, false);
			client.data(call, greeting(), true);
			assertThat(call.await().httpStatus()).isEqualTo(status);
			assertThat(client.frames()).anyMatch((each) -> each.contains("MAX_HEADER_LIST_SIZE=2300"));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 1, 1023, 1024 * 1024 + 1 })
	void headerListLimit_isRefused_outOfItsBounds(int bytes) {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> HttpOptions.defaults().withMaxHeaderSize(bytes))
			.withMessageContaining("http.max-header-size: " + bytes)
			.withMessageContaining("1KB to 1MB");
	}

	@Test
	void messageLongerThanAnnounced_isSecondMessage() throws Exception {
		byte[] argument = GrpcBytes.text("x");
		assertRejected(call(GrpcBytes.message(0, argument.length - 1, argument)), INTERNAL, "ends within a message");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 5, 6 })
	void messageShorterThanAnnounced_isInternal(int length) throws Exception {
		byte[] message = GrpcBytes.message(0, 1000, new byte[10]);
		assertRejected(call(Arrays.copyOf(message, length)), INTERNAL, "ends within a message");
	}

	@ParameterizedTest
	@CsvSource({ "1048577, 1048577", "2147483647, 2147483647", "-1, 4294967295" })
	void messageOverLimit_isResourceExhausted(int length, String text) throws Exception {
		start(RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxFrameSize(1 << 20)
			.metrics(this.accounts)
			.service(Calls.class, this.implementation));
		assertRejected(call(GrpcBytes.message(0, length, new byte[100])), RESOURCE_EXHAUSTED, text,
				"rpc.server.max-frame-size");
	}

	@ParameterizedTest
	@CsvSource({ "1, ''", "1, identity", "2, ''", "255, gzip", "2, gzip" })
	void compressedFlag_isInternal_withoutEncoding(int flag, String encoding) throws Exception {
		byte[] argument = GrpcBytes.text("x");
		assertRejected(call((headers) -> {
			if (!encoding.isEmpty()) {
				headers.add("grpc-encoding", encoding);
			}
		}, GrpcBytes.message(flag, argument.length, argument)), INTERNAL, "compressed flag", String.valueOf(flag));
	}

	@ParameterizedTest
	@ValueSource(strings = { "snappy", "GZIP", "gzip, deflate", "x" })
	void unknownEncoding_isUnimplemented_andKnownOneIsNamed(String encoding) throws Exception {
		GrpcExchange call = call((headers) -> headers.add("grpc-encoding", encoding), greeting());
		assertRejected(call, UNIMPLEMENTED, encoding);
		assertThat(call.field("grpc-accept-encoding")).isEqualTo("gzip");
	}

	@Test
	void identity_isServed() throws Exception {
		assertThat(call((headers) -> headers.add("grpc-encoding", "identity"), greeting()).text()).isEqualTo("hello x");
	}

	@Test
	void twoMessages_areUnimplemented() throws Exception {
		byte[] one = greeting();
		byte[] two = Arrays.copyOf(one, 2 * one.length);
		System.arraycopy(one, 0, two, one.length, one.length);
		assertRejected(call(two), UNIMPLEMENTED, "second message");
	}

	@Test
	void noMessage_isUnimplemented() throws Exception {
		assertRejected(call(new byte[0]), UNIMPLEMENTED, "no message");
		assertRejected(this.peer.open(GrpcBytes.request(Http2Peer.path("Greet")), true), UNIMPLEMENTED, "no message");
	}

	/** Garbage, a field of another type, a field that ends too late, broken UTF-8. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ff                     | arguments: the bytes end too early
			0a                     | arguments name: the bytes end too early
			0a05                   | arguments name: length 5 (expected: at most the 0 bytes that remain)
			0a0561                 | arguments name: length 5 (expected: at most the 1 bytes that remain)
			ffffffffffffffffffff01 | arguments: number of more than 64 bits
			0f                     | arguments name: wire type 7 (expected: 2)
			0b                     | arguments name: wire type 3 (expected: 2)
			0801                   | arguments name: wire type 0 (expected: 2)
			0dffffffff             | arguments name: wire type 5 (expected: 2)
			0a02c328               | arguments name: text is not UTF-8
			0a01ff                 | arguments name: text is not UTF-8
			0aff                   | arguments name: the bytes end too early
			00                     | arguments: field number 0 (expected: 1 or more)
			0a01780a               | arguments name: the bytes end too early
			""")
	void messageThatIsNoProtobuf_isInvalidArgument(String hex, String text) throws Exception {
		assertRejected(call(GrpcBytes.message(HexFormat.of().parseHex(hex))), INVALID_ARGUMENT,
				"cannot read the arguments", text);
	}

	/** The last of several values of a field counts, as protobuf has it. */
	@Test
	void fieldTwice_hasItsLastValue() throws Exception {
		assertThat(call(GrpcBytes.message(HexFormat.of().parseHex("0a0178" + "0a0179"))).text()).isEqualTo("hello y");
	}

	/** Colours. */
	public enum Colour {

		RED, GREEN

	}

	/** A service of which protobuf carries two methods. */
	public interface Odd {

		String paint(Colour colour, int age);

		String show(List<Colour> colours);

		void put(Object any);

		int size(int number);

		int size(String text);

	}

	/** Answers with its arguments. */
	static final class OddService implements Odd {

		@Override
		public String paint(Colour colour, int age) {
			return colour + " " + age;
		}

		@Override
		public String show(List<Colour> colours) {
			return String.valueOf(colours);
		}

		@Override
		public void put(Object any) {
			throw new IllegalStateException();
		}

		@Override
		public int size(int number) {
			throw new IllegalStateException();
		}

		@Override
		public int size(String text) {
			throw new IllegalStateException();
		}

	}

	private GrpcExchange callOdd(String method, String hex) {
		start(builder().service(Odd.class, new OddService()));
		this.peer = connect();
		GrpcExchange call = this.peer.open(GrpcBytes.request(ODD + method), false);
		this.peer.data(call, GrpcBytes.message(HexFormat.of().parseHex(hex)), true);
		return call;
	}

	@ParameterizedTest
	@CsvSource({ "Paint, 0802, GREEN 0", "Paint, 0807, null 0", "Paint, 0800, null 0",
			"Paint, 08ffffffffffffffffff01, null 0", "Paint, 080110ffffffffffffffffff01, RED -1",
			"Show, 0a03020701, '[GREEN, null, RED]'" })
	void unknownConstant_isNull(String method, String hex, String text) throws Exception {
		assertThat(callOdd(method, hex).text()).isEqualTo(text);
	}

	/** As readers in C++ do it. */
	@Test
	void largeNumber_isCut() throws Exception {
		assertThat(callOdd("Paint", "080210ffffffff7f").text()).isEqualTo("GREEN -1");
	}

	@ParameterizedTest
	@CsvSource({ "Paint, 0a00, arguments colour: wire type 2 (expected: 0)",
			"Paint, 1200, arguments age: wire type 2 (expected: 0)",
			"Show, 0a020180, arguments colours[1]: the bytes end too early",
			"Show, 0d00000000, arguments colours[0]: wire type 5 (expected: 0)" })
	void valueOfAnotherType_isInvalidArgument(String method, String hex, String text) throws Exception {
		assertRejected(callOdd(method, hex), INVALID_ARGUMENT, "cannot read the arguments", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Put", "Size" })
	void methodThatProtobufCannotCarry_isUnimplemented_andLogged(String method) throws Exception {
		assertRejected(callOdd(method, ""), UNIMPLEMENTED, ODD + method, "is not offered over gRPC",
				"the log of the server has the reason");
		awaitLogged("3 of 5 methods of " + Odd.class.getName().replace('$', '.'));
		assertThat(this.log.messages()).filteredOn((each) -> each.contains("3 of 5 methods"))
			.singleElement()
			.asString()
			.contains("argument any: java.lang.Object cannot be sent in protobuf", "Declare the class that is meant",
					"2 methods are named Size in protobuf", "@RpcMethod(name = ...)");
	}

	/** A record with two fields of one number. */
	public record Twins(@Tag(1) String first, @Tag(1) String second) {
	}

	/** A service that no protocol carries. */
	public interface OfTwins {

		void put(Twins twins);

	}

	@Test
	void twoFieldsOfOneNumber_endTheStart() {
		RpcServerBuilder builder = builder().service(OfTwins.class, (twins) -> {
		});
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(builder::start)
			.withMessageContaining("fields 'first' and 'second' both have @Tag(1)");
	}

	@Test
	void unknownField_isSkipped() throws Exception {
		assertThat(call(GrpcBytes.message(HexFormat.of().parseHex("0a0178" + "9a06026162" + "a00601"))).text())
			.isEqualTo("hello x");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "S", "-1S", "1X", "123456789S", "1.5S", " 1S", "1 S", "0x1S", "1s" })
	void malformedTimeout_isInternal(String timeout) throws Exception {
		GrpcExchange call = call((headers) -> headers.add("grpc-timeout", timeout), greeting());
		assertThat(call.status()).as("%s", call).isEqualTo(INTERNAL);
		assertThat(call.message()).contains("grpc-timeout");
		assertThat(this.implementation.executed).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "99999999H", "20S", "60000m", "1M" })
	void timeout_isRead(String timeout) throws Exception {
		assertThat(call((headers) -> headers.add("grpc-timeout", timeout), greeting()).text()).isEqualTo("hello x");
	}

	@ParameterizedTest
	@CsvSource({ "0", "7", "9", "-1", "x", "99999999999999999999" })
	void otherContentLength_resetsStream(String length) throws Exception {
		GrpcExchange call = call((headers) -> headers.add("content-length", length), greeting()).await();
		assertThat(call.error).isEqualTo(Http2Error.PROTOCOL_ERROR);
		assertThat(this.implementation.executed).hasValue(0);
	}

	@Test
	void rightContentLength_isServed() throws Exception {
		assertThat(call((headers) -> headers.addInt("content-length", greeting().length), greeting()).text())
			.isEqualTo("hello x");
	}

	@Test
	void answerBeforeEndOfRequest_isFollowedByReset() throws Exception {
		this.peer = connect();
		GrpcExchange call = this.peer.open(GrpcBytes.request("/no.Such/Method"), false);
		assertThat(call.status()).isEqualTo(UNIMPLEMENTED);
		Eventually.until("reset", () -> call.error == Http2Error.NO_ERROR);
		this.peer.dataAtOnce(call, new byte[1000], 0, false);
		this.peer.dataAtOnce(call, new byte[0], 0, true);
		this.peer.awaitRead(1);
	}

	/**
	 * The client ends its request never; the time of the call is over first. The second
	 * one begins after the connection was idle.
	 */
	@Test
	void requestWithoutEnd_endsWithItsTime() throws Exception {
		this.peer = connect();
		assertRequestWithoutEndIsRejected();
		assertRequestWithoutEndIsRejected();
	}

	private void assertRequestWithoutEndIsRejected() throws Exception {
		GrpcExchange call = this.peer.open(GrpcBytes.request(Http2Peer.path("Greet")).add("grpc-timeout", "100m"),
				false);
		this.peer.data(call, greeting(), false);
		assertRejected(call, 4);
		Eventually.until("reset", () -> call.error == Http2Error.NO_ERROR);
	}

	@Test
	void time_isCounted_fromHeaders() throws Exception {
		this.peer = connect();
		GrpcExchange call = this.peer.open(GrpcBytes.request(Http2Peer.path("Greet")).add("grpc-timeout", "200m"),
				false);
		this.peer.awaitRead(1);
		Eventually.passed(System.nanoTime() + Duration.ofMillis(250).toNanos());
		this.peer.data(call, greeting(), true);
		assertRejected(call, 4);
	}

	@Test
	void unusedBytesOfPath_areNotRepeatedWhole() throws Exception {
		GrpcExchange call = call((headers) -> headers.path("/" + "x".repeat(3000) + "/\u0007"), greeting());
		assertThat(call.await().headers.isEmpty() ? "" : call.message()).hasSizeLessThan(1000);
	}

}
