package io.rpcboot.internal.protocol.http2;

import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Rules of RFC 9113, section 8. Fields are separated by "; ", names and values by "=".
 */
class HeaderValidatorTests {

	private static final String REQUEST = ":method=POST; :scheme=http; :path=/A/b; ";

	private final HeaderValidator validator = new HeaderValidator();

	private void accept(String fields) {
		this.validator.begin();
		for (String field : fields.split("; ")) {
			int end = field.indexOf('=');
			String name = field.substring(0, end);
			HeaderName header = new HeaderName(name, HeaderResolver.OTHER, HeaderRole.ofName(name));
			this.validator.accept(new HeaderField(header, field.substring(end + 1), null, false));
		}
	}

	private void assertRejected(Consumer<HeaderValidator> kind) {
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> kind.accept(this.validator))
			.satisfies((ex) -> {
				assertThat(ex.error()).isEqualTo(Http2Error.PROTOCOL_ERROR);
				assertThat(ex.streamId()).isEqualTo(7);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { REQUEST + "te=trailers", REQUEST + ":authority=a; host=b", ":path=*; :scheme=x; :method=X",
			":method=CONNECT; :authority=a:1", REQUEST + "x=; x=; cookie=a; cookie=b", REQUEST + "x= blanks ",
			REQUEST + "x=\t\u00e9\u0080", REQUEST + "!#$%&'*+-.^_`|~09az=a" })
	void request_isAccepted(String fields) {
		accept(fields);
		assertThatCode(() -> this.validator.requireRequest(7)).doesNotThrowAnyException();
		assertRejected((validator) -> validator.requireResponse(7));
		assertRejected((validator) -> validator.requireTrailers(7));
	}

	@ParameterizedTest
	@ValueSource(strings = { ":method=GET; :scheme=http", ":method=GET; :path=/", ":scheme=http; :path=/", "a=b",
			":method=; :scheme=http; :path=/", ":method=GET; :scheme=; :path=/", ":method=GET; :scheme=http; :path=",
			":method=GET; :scheme=http; :path=a", ":method=CONNECT; :scheme=http; :path=/; :authority=a",
			":method=CONNECT", ":method=GET; :authority=a", REQUEST + ":method=POST", REQUEST + ":path=/A/b",
			REQUEST + ":authority=a; :authority=a", REQUEST + ":status=200", REQUEST + ":protocol=websocket",
			REQUEST + ":=a", REQUEST + "a=b; :authority=a", "a=b; " + REQUEST, REQUEST + "A=b", REQUEST + "aB=b",
			REQUEST + "=b", REQUEST + "a b=c", REQUEST + "a:b=c", REQUEST + "a\u007f=c", REQUEST + "\u00e9=c",
			REQUEST + "a\u0000=c", REQUEST + "a=\u0000", REQUEST + "a=b\rc", REQUEST + "a=b\nc",
			REQUEST + "connection=close", REQUEST + "keep-alive=1", REQUEST + "proxy-connection=a",
			REQUEST + "transfer-encoding=chunked", REQUEST + "upgrade=h2c", REQUEST + "te=gzip",
			REQUEST + "te=trailers, gzip", REQUEST + "te=", REQUEST + "te=Trailers" })
	void malformedRequest_isRejected(String fields) {
		accept(fields);
		assertRejected((validator) -> validator.requireRequest(7));
	}

	@ParameterizedTest
	@ValueSource(strings = { ":status=200", ":status=100; a=b", ":status=999; content-type=x" })
	void response_isAccepted(String fields) {
		accept(fields);
		assertThatCode(() -> this.validator.requireResponse(7)).doesNotThrowAnyException();
		assertRejected((validator) -> validator.requireRequest(7));
		assertRejected((validator) -> validator.requireTrailers(7));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a=b", ":status=", ":status=20", ":status=2000", ":status=2x0", ":status=+20",
			":status=200; :status=200", "a=b; :status=200", ":status=200; :path=/", ":status=200; connection=close",
			":status=200; A=b" })
	void malformedResponse_isRejected(String fields) {
		accept(fields);
		assertRejected((validator) -> validator.requireResponse(7));
	}

	@Test
	void trailers_areAccepted() {
		accept("grpc-status=0; grpc-message= a b ");
		assertThatCode(() -> this.validator.requireTrailers(7)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a=b; :status=200", ":status=200", ":path=/", "A=b", "connection=close" })
	void malformedTrailers_areRejected(String fields) {
		accept(fields);
		assertRejected((validator) -> validator.requireTrailers(7));
	}

	@Test
	void nextBlock_isJudgedAlone() {
		accept(REQUEST + "A=b");
		assertRejected((validator) -> validator.requireRequest(7));
		accept(REQUEST + "a=b");
		assertThatCode(() -> this.validator.requireRequest(7)).doesNotThrowAnyException();
	}

	@Test
	void emptyBlock_isTrailers() {
		this.validator.begin();
		assertThatCode(() -> this.validator.requireTrailers(7)).doesNotThrowAnyException();
		assertRejected((validator) -> validator.requireRequest(7));
	}

}
