package io.rpcboot.internal.protocol.grpc;

import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the values of {@code grpc-timeout}. */
class GrpcTimeoutTests {

	@ParameterizedTest
	@CsvSource({ "1H, 3600000000000", "2M, 120000000000", "1S, 1000000000", "250m, 250000000", "7u, 7000", "9n, 9",
			"0n, 0", "00000001S, 1000000000", "99999999n, 99999999", "99999999S, 99999999000000000",
			"2562047H, 9223369200000000000", "2562048H, 9223372036854775807", "99999999H, 9223372036854775807",
			"99999999M, 5999999940000000000" })
	void timeout_isParsedToNanoseconds(String value, long nanos) {
		assertThat(GrpcTimeout.parse(value)).isEqualTo(nanos);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "S", "1", "12345678", "123456789S", "1s", "1h", "1 S", " 1S", "1S ", "-1S", "+1S",
			"1.5S", "1e3m", "0x1S", "1SS", "1Sm", "\u00b2S", "\u0661S", "1\u017f", "one S", "1\u0000S" })
	void malformedTimeout_isRejected_withItsText(String value) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> GrpcTimeout.parse(value))
			.withMessageStartingWith("grpc-timeout: '")
			.withMessageEndingWith("' (expected: 1 to 8 digits and H, M, S, m, u or n)")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
	}

	@Test
	void malformedTimeout_leavesNoControlCharactersInMessage() {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> GrpcTimeout.parse("1\u001b[2J\n"))
			.withMessageContaining("'1?[2J '");
	}

	@ParameterizedTest
	@CsvSource({ "-9223372036854775808, 0m", "-1, 0m", "0, 0m", "1, 1m", "999999, 1m", "1000000, 1m", "1000001, 2m",
			"250000000, 250m", "99999999000000, 99999999m", "99999999000001, 100000S", "100000000000000, 100000S",
			"99999999000000000, 99999999S", "99999999000000001, 1666667M", "5999999940000000000, 99999999M",
			"5999999940000000001, 1666667H", "9223372036854775807, 2562048H" })
	void format_roundsUpToMillisecondsOrLargerUnit(long nanos, String value) {
		assertThat(GrpcTimeout.format(nanos)).isEqualTo(value);
	}

	@Test
	void formattedTimeout_isNeverShorter_andAtMostOneUnitLonger() {
		for (long nanos = 1; nanos < Long.MAX_VALUE / 3; nanos = nanos * 3 + 1) {
			String value = GrpcTimeout.format(nanos);
			long parsed = GrpcTimeout.parse(value);
			long unit = value.endsWith("m") ? TimeUnit.MILLISECONDS.toNanos(1)
					: value.endsWith("S") ? TimeUnit.SECONDS.toNanos(1)
							: value.endsWith("M") ? TimeUnit.MINUTES.toNanos(1) : TimeUnit.HOURS.toNanos(1);
			assertThat(value).hasSizeLessThanOrEqualTo(9);
			assertThat(parsed - nanos).as(value).isBetween(0L, unit - 1);
		}
	}

}
