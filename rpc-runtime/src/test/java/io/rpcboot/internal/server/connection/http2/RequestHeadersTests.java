package io.rpcboot.internal.server.connection.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.protocol.http2.RecordedFrames;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.grpc.OfferedServices;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Header fields of requests, from their bytes on. */
class RequestHeadersTests {

	private static final String PATH = "/" + UserService.class.getName() + "/ExistUser";

	private final GrpcMethods methods = OfferedServices.methods(UserService.class);

	private final RequestHeaders headers = new RequestHeaders();

	private final Http2FrameWriter writer = new Http2FrameWriter();

	private final RecordedFrames frames = new RecordedFrames();

	private final Http2FrameReader reader = Http2FrameReader.server(new byte[1 << 16],
			new RequestHeaderResolver(this.methods), 1 << 16, System::nanoTime, this.frames);

	private boolean begun;

	private int streamId = -1;

	/** Reads names and values, which come again in the header table. */
	private RequestHeaders read(long gap, String... fields) {
		ByteBuf out = Unpooled.buffer();
		if (!this.begun) {
			this.begun = true;
			this.writer.preface(out);
			this.writer.settings(out, new Http2Settings());
		}
		this.streamId += 2;
		int index = this.writer.beginHeaders(out, this.streamId, true);
		for (int i = 0; i < fields.length; i += 2) {
			this.writer.encoder().encode(out, fields[i], fields[i + 1], Indexing.FIELD);
		}
		this.writer.endHeaders(out, index);
		this.frames.fields.clear();
		this.reader.read(out);
		this.headers.clear(); // as at the end of the block before
		this.headers.begin(gap);
		this.frames.fields.forEach(this.headers::accept);
		return this.headers;
	}

	private RequestHeaders read(String... fields) {
		return read(0, fields);
	}

	@ParameterizedTest
	@CsvSource({ "application/grpc, 1000000", "application/json, 2000000", "application/proto, 2000000",
			"text/plain, 1000000" })
	void timeout_isThatOfTheProtocol(String type, long nanos) {
		read("connect-timeout-ms", "2", "grpc-timeout", "1m", "content-type", type);
		assertThat(this.headers.allowedNanos()).isEqualTo(nanos);
		read("grpc-timeout", "1m", "content-type", type, "connect-timeout-ms", "2");
		assertThat(this.headers.allowedNanos()).isEqualTo(nanos);
	}

	@Test
	void timeoutOfOtherProtocol_mayBeMalformed() {
		assertThat(read("content-type", "application/grpc", "connect-timeout-ms", "x").timeoutError()).isNull();
		assertThat(read("content-type", "application/json", "grpc-timeout", "x").timeoutError()).isNull();
		assertThat(read("content-type", "application/json", "connect-timeout-ms", "x").timeoutError())
			.hasMessageContaining("connect-timeout-ms: 'x'");
	}

	@Test
	void callOfGrpc_isRead_again() {
		for (int i = 0; i < 3; i++) {
			RequestHeaders call = read(":method", "POST", ":scheme", "http", ":path", PATH, "te", "trailers",
					"content-type", "application/grpc", "user-agent", "x", "grpc-accept-encoding", "gzip");
			assertThat(call.isPost()).isTrue();
			assertThat(call.contentType()).isEqualTo(ContentType.GRPC);
			assertThat(call.path()).isEqualTo(PATH);
			assertThat(call.method).isSameAs(this.methods.find(PATH)).isNotNull();
			assertThat(call.allowedNanos()).isEqualTo(Long.MAX_VALUE);
			assertThat(call.metadata()).isEmpty();
			assertThat(call.keptBytes()).isZero();
			assertThat(call.contentLength()).isEqualTo(-1);
			assertThat(call.isEncoded()).isFalse();
			assertThat(call.version).isNull();
			assertThat(call.group).isNull();
		}
	}

	@Test
	void nothing_staysFromBlockBefore() {
		read(":method", "POST", ":path", PATH, "content-type", "application/grpc", "grpc-timeout", "x", "grpc-encoding",
				"gzip", "content-length", "7", "rpc-version", "1", "rpc-group", "a", "name", "value");
		RequestHeaders empty = read("te", "trailers");
		assertThat(empty.isPost()).isFalse();
		assertThat(empty.contentType()).isEqualTo(ContentType.OTHER);
		assertThat(empty.path()).isEmpty();
		assertThat(empty.method).isNull();
		assertThat(empty.allowedNanos()).isEqualTo(Long.MAX_VALUE);
		assertThat(empty.timeoutError()).isNull();
		assertThat(empty.encoding()).isNull();
		assertThat(empty.contentLength()).isEqualTo(-1);
		assertThat(empty.version).isNull();
		assertThat(empty.group).isNull();
		assertThat(empty.metadata()).isEmpty();
		assertThat(empty.keptBytes()).isZero();
	}

	/** An idle connection keeps nothing of its last request. */
	@Test
	void nothing_staysOfABlock_onceItIsCleared() {
		read(":method", "POST", ":path", PATH, "content-type", "application/grpc", "authorization", "Bearer x", "name",
				"value");
		this.headers.clear();
		assertThat(this.headers.path()).isEmpty();
		assertThat(this.headers.credentials()).isNull();
		assertThat(this.headers.metadata()).isEmpty();
		assertThat(this.headers.keptBytes()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "5n, 0, 5", "2S, 500, 1999999500", "1u, 1500, -500", "0n, 0, 0" })
	void timeout_isReducedByGapOfEventLoop(String timeout, long gap, long left) {
		assertThat(read(gap, "grpc-timeout", timeout).allowedNanos()).isEqualTo(left);
		assertThat(this.headers.timeoutError()).isNull();
	}

	@Test
	void endlessTimeout_isNotReduced() {
		assertThat(read(1000, "grpc-timeout", "99999999H").allowedNanos()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void malformedTimeout_isAnError() {
		assertThat(read("grpc-timeout", "1x").timeoutError()).hasMessageContaining("grpc-timeout: '1x'");
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "9223372036854775806, 9223372036854775806", "-1, 9223372036854775807",
			"x, 9223372036854775807", "'', 9223372036854775807", "9223372036854775808, 9223372036854775807" })
	void contentLength_isLengthOfNoBody_whenItIsMalformed(String value, long expected) {
		assertThat(read("content-length", value).contentLength()).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "gzip, true", "identity, false", "other, true" })
	void encoding_isKept(String value, boolean encoded) {
		assertThat(read("grpc-encoding", value).encoding()).isEqualTo(value);
		assertThat(this.headers.isEncoded()).isEqualTo(encoded);
	}

	@Test
	void otherFields_areAttachments() {
		RequestHeaders call = read("name", "value", "key-bin", "AA", "grpc-retry-pushback-ms", "5", "grpc-x", "1",
				"rpc-x", "1", "host", "x", "traceparent", "00-1");
		assertThat(call.metadata()).extracting(HeaderField::name)
			.containsExactly("name", "key-bin", "grpc-retry-pushback-ms", "traceparent");
		assertThat(call.keptBytes())
			.isEqualTo("namevaluekey-binAAgrpc-retry-pushback-ms5traceparent00-1".length() + 4 * 128);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "post", "" })
	void otherHttpMethod_isNoPost(String method) {
		assertThat(read(":method", method).isPost()).isFalse();
	}

	@Test
	void unknownPath_hasNoMethod() {
		assertThat(read(":path", "/x.Y/Z").method).isNull();
		assertThat(this.headers.path()).isEqualTo("/x.Y/Z");
	}

}
