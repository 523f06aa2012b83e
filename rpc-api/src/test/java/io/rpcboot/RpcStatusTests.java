package io.rpcboot;

import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the codes of statuses. */
class RpcStatusTests {

	@ParameterizedTest
	@CsvSource({ "0,OK", "1,CANCELLED", "2,UNKNOWN", "3,INVALID_ARGUMENT", "4,DEADLINE_EXCEEDED", "5,NOT_FOUND",
			"6,ALREADY_EXISTS", "7,PERMISSION_DENIED", "8,RESOURCE_EXHAUSTED", "9,FAILED_PRECONDITION", "10,ABORTED",
			"11,OUT_OF_RANGE", "12,UNIMPLEMENTED", "13,INTERNAL", "14,UNAVAILABLE", "15,DATA_LOSS",
			"16,UNAUTHENTICATED", "64,APPLICATION" })
	void codes_areThoseOfGrpc(int code, RpcStatus status) {
		assertThat(status.code()).isEqualTo(code);
		assertThat(RpcStatus.ofCode(code)).isSameAs(status);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DECLARED")
	void ofCode_returnsEachStatus(RpcStatus status) {
		assertThat(RpcStatus.ofCode(status.code())).isSameAs(status);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 17, 63, 65, 65535 })
	void ofCode_isNull_forUnknownCode(int code) {
		assertThat(RpcStatus.ofCode(code)).isNull();
	}

	@Test
	void statuses_areInOrderOfTheirCodes() {
		assertThat(Arrays.stream(RpcStatus.values()).mapToInt(RpcStatus::code)).isSorted();
	}

}
