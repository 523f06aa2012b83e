package io.rpcboot.internal.protocol.grpc;

import java.util.EnumSet;
import java.util.Set;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the statuses of gRPC against the tables of its documents. */
class GrpcStatusTests {

	private static final Set<RpcStatus> OWN = EnumSet.of(RpcStatus.APPLICATION, RpcStatus.DECLARED);

	@ParameterizedTest
	@EnumSource
	void status_survivesItsCode_unlessGrpcLacksIt(RpcStatus status) {
		RpcStatus expected = OWN.contains(status) ? RpcStatus.UNKNOWN : status;
		assertThat(GrpcStatus.of(GrpcStatus.codeOf(status))).isSameAs(expected);
		assertThat(GrpcStatus.parse(GrpcStatus.format(status))).isSameAs(expected);
		assertThat(GrpcStatus.format(status)).isEqualTo(String.valueOf(GrpcStatus.codeOf(status)));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 17, 64, 100, Integer.MAX_VALUE, Integer.MIN_VALUE })
	void foreignCode_isUnknown(int code) {
		assertThat(GrpcStatus.of(code)).isSameAs(RpcStatus.UNKNOWN);
		assertThat(GrpcStatus.parse(String.valueOf(code))).isSameAs(RpcStatus.UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "OK", "00", "05", "+0", " 0", "0 ", "1.0", "99999999999999999999" })
	void malformedCode_isUnknown(String value) {
		assertThat(GrpcStatus.parse(value)).isSameAs(RpcStatus.UNKNOWN);
	}

	@ParameterizedTest
	@CsvSource({ "400, INTERNAL", "401, UNAUTHENTICATED", "403, PERMISSION_DENIED", "404, UNIMPLEMENTED",
			"429, UNAVAILABLE", "431, UNKNOWN", "502, UNAVAILABLE", "503, UNAVAILABLE", "504, UNAVAILABLE",
			"200, UNKNOWN", "100, UNKNOWN", "204, UNKNOWN", "302, UNKNOWN", "405, UNKNOWN", "415, UNKNOWN",
			"500, UNKNOWN", "505, UNKNOWN", "0, UNKNOWN" })
	void httpStatus_isMapped(int code, RpcStatus status) {
		assertThat(GrpcStatus.ofHttp(code)).isSameAs(status);
	}

	@ParameterizedTest
	@CsvSource({ "NO_ERROR, INTERNAL", "PROTOCOL_ERROR, INTERNAL", "INTERNAL_ERROR, INTERNAL",
			"FLOW_CONTROL_ERROR, INTERNAL", "SETTINGS_TIMEOUT, INTERNAL", "STREAM_CLOSED, INTERNAL",
			"FRAME_SIZE_ERROR, INTERNAL", "REFUSED_STREAM, UNAVAILABLE", "CANCEL, CANCELLED",
			"COMPRESSION_ERROR, INTERNAL", "CONNECT_ERROR, INTERNAL", "ENHANCE_YOUR_CALM, RESOURCE_EXHAUSTED",
			"INADEQUATE_SECURITY, PERMISSION_DENIED", "HTTP_1_1_REQUIRED, UNKNOWN" })
	void codeOfReset_isMapped(Http2Error error, RpcStatus status) {
		assertThat(GrpcStatus.ofReset(error, Long.MAX_VALUE)).isSameAs(status);
	}

	/** A server knows the time of a call in milliseconds. */
	@ParameterizedTest
	@CsvSource({ "CANCEL, 999999, DEADLINE_EXCEEDED", "CANCEL, 0, DEADLINE_EXCEEDED", "CANCEL, -1, DEADLINE_EXCEEDED",
			"CANCEL, 1000000, CANCELLED", "REFUSED_STREAM, -1, UNAVAILABLE" })
	void cancelOfLateCall_isItsDeadline(Http2Error error, long remainingNanos, RpcStatus status) {
		assertThat(GrpcStatus.ofReset(error, remainingNanos)).isSameAs(status);
	}

	@ParameterizedTest
	@CsvSource({ "UNKNOWN, true, APPLICATION", "UNKNOWN, false, UNKNOWN", "INTERNAL, true, INTERNAL" })
	void unknownStatus_isOfApplication_ifServerSaysSo(RpcStatus status, boolean isOfApplication, RpcStatus known) {
		assertThat(GrpcStatus.known(status, isOfApplication)).isSameAs(known);
	}

}
