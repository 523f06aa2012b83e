package io.rpcboot.internal.protocol.grpc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.StatusDetails.ErrorInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the details of a status. */
class StatusDetailsTests {

	private static StatusDetails parse(String hex) {
		return StatusDetails.parse(Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex)));
	}

	private static String hex(StatusDetails details) {
		return HexFormat.of().formatHex(Base64.getDecoder().decode(details.format()));
	}

	@Test
	void status_isMessageOfGoogleRpc() {
		StatusDetails status = new StatusDetails(5, "not found", List.of());
		assertThat(hex(status)).isEqualTo("0805" + "1209" + "6e6f7420666f756e64");
		assertThat(StatusDetails.parse(status.format())).isEqualTo(status);
	}

	@Test
	void base64_isReadWithAndWithoutPadding() {
		StatusDetails status = new StatusDetails(5, "no", List.of());
		assertThat(status.format()).isEqualTo("CAUSAm5v");
		StatusDetails padded = new StatusDetails(5, "not", List.of());
		assertThat(padded.format()).isEqualTo("CAUSA25vdA");
		assertThat(StatusDetails.parse("CAUSA25vdA")).isEqualTo(padded);
		assertThat(StatusDetails.parse("CAUSA25vdA==")).isEqualTo(padded);
	}

	@Test
	void text_isUtf8_withoutUnpairedSurrogates() {
		StatusDetails status = new StatusDetails(2, "gr\u00fc\u00df \ud83d\ude08 \ud83d!", List.of());
		assertThat(StatusDetails.parse(status.format()).message()).isEqualTo("gr\u00fc\u00df \ud83d\ude08 ?!");
	}

	@Test
	void foreignDetails_areKept() throws InvalidProtocolBufferException {
		Any any = Any.pack(StringValue.of("an exception"));
		StatusDetails status = new StatusDetails(2, "", List.of(any.toByteArray(), new byte[0]));
		StatusDetails read = StatusDetails.parse(status.format());
		assertThat(read.details()).containsExactly(any.toByteArray(), new byte[0]);
		assertThat(Any.parseFrom(read.details().get(0)).unpackSameTypeAs(StringValue.getDefaultInstance()).getValue())
			.isEqualTo("an exception");
		assertThat(StatusDetails.typeOf(read.details().get(0))).isEqualTo("google.protobuf.StringValue");
		assertThat(StatusDetails.typeOf(read.details().get(1))).isEmpty();
		assertThat(read.errorInfo()).isNull();
		assertThat(read.retryDelay()).isNull();
	}

	@Test
	void errorInfo_comesBack_amongOthers() {
		Map<String, String> metadata = new LinkedHashMap<>();
		metadata.put("service", "pubsub.googleapis.com");
		metadata.put("", "");
		ErrorInfo info = new ErrorInfo("API_DISABLED", "googleapis.com", metadata);
		StatusDetails status = new StatusDetails(7, "m", List.of(new byte[0],
				Any.pack(StringValue.of("x")).toByteArray(), info.toDetail(), StatusDetails.retryInfo(Duration.ZERO)));
		assertThat(StatusDetails.parse(status.format()).errorInfo()).isEqualTo(info);
	}

	@Test
	void errorInfo_isMessageOfGoogleRpc() throws InvalidProtocolBufferException {
		Any any = Any.parseFrom(new ErrorInfo("R", "d", Map.of("k", "v")).toDetail());
		assertThat(any.getTypeUrl()).isEqualTo("type.googleapis.com/google.rpc.ErrorInfo");
		assertThat(any.getValue().toByteArray()).asHexString()
			.isEqualToIgnoringCase("0A0152120164" + "1A060A016B120176");
	}

	@Test
	void retryInfo_isMessageOfGoogleRpc() throws InvalidProtocolBufferException {
		Any any = Any.parseFrom(StatusDetails.retryInfo(Duration.ofSeconds(3, 500_000_000)));
		assertThat(any.getTypeUrl()).isEqualTo("type.googleapis.com/google.rpc.RetryInfo");
		com.google.protobuf.Duration delay = com.google.protobuf.Duration.newBuilder()
			.setSeconds(3)
			.setNanos(500_000_000)
			.build();
		assertThat(any.getValue().toByteArray()).startsWith(0x0a, delay.getSerializedSize())
			.endsWith(delay.toByteArray())
			.hasSize(2 + delay.getSerializedSize());
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 999_999_999, 1_000_000_000, 1_500_000_000, 86_400_000_000_000L })
	void retryDelay_comesBack(long nanos) {
		StatusDetails status = new StatusDetails(14, "", List.of(StatusDetails.retryInfo(Duration.ofNanos(nanos))));
		assertThat(StatusDetails.parse(status.format()).retryDelay()).isEqualTo(Duration.ofNanos(nanos));
	}

	@Test
	void retryDelay_isBounded() {
		for (long seconds : new long[] { Long.MIN_VALUE, -1, Long.MAX_VALUE }) {
			com.google.protobuf.Duration delay = com.google.protobuf.Duration.newBuilder()
				.setSeconds(seconds)
				.setNanos((int) seconds)
				.build();
			Any any = Any.newBuilder()
				.setTypeUrl("type.googleapis.com/google.rpc.RetryInfo")
				.setValue(ByteString.copyFrom(new byte[] { 0x0a, (byte) delay.getSerializedSize() })
					.concat(delay.toByteString()))
				.build();
			assertThat(new StatusDetails(14, "", List.of(any.toByteArray())).retryDelay())
				.isEqualTo(Duration.ofSeconds((seconds > 0) ? Integer.MAX_VALUE : 0));
		}
	}

	@Test
	void unknownFields_areSkipped() {
		StatusDetails status = parse("0805" + "2001" + "2d01020304" + "310102030405060708" + "3a0161" + "12016d");
		assertThat(status).isEqualTo(new StatusDetails(5, "m", List.of()));
	}

	@Test
	void fieldOfOtherType_isSkipped() {
		assertThat(parse("0a0105" + "1007" + "1801")).isEqualTo(new StatusDetails(0, "", List.of()));
	}

	@Test
	void lastValue_counts() {
		assertThat(parse("0805" + "12016d" + "0806" + "12016e")).isEqualTo(new StatusDetails(6, "n", List.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "08", "0880", "08ffffffffffffffffffff01", "12", "1205", "12056d", "12ffffffff0f", "0001",
			"1a0212", "0b", "0c", "0e", "0f", "ffffffffff" })
	void malformedMessage_isRejected(String hex) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> {
			StatusDetails status = parse(hex);
			status.retryDelay();
		})
			.withMessageStartingWith("grpc-status-details-bin: ")
			.withMessageEndingWith(" (expected: Base64 of google.rpc.Status)")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "CAUSA25vdA=", "CAUSA 25v", "C", "\u00e9", "-_-_" })
	void malformedBase64_isRejected(String value) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> StatusDetails.parse(value))
			.withMessageStartingWith("grpc-status-details-bin: ");
	}

	@Test
	void randomBytes_areReadOrRejected() {
		Random random = new Random(7);
		byte[] valid = Base64.getDecoder()
			.decode(new StatusDetails(2, "text", List.of(StatusDetails.retryInfo(Duration.ofSeconds(3)),
					new ErrorInfo("r", "d", Map.of("k", "v")).toDetail()))
				.format());
		for (int i = 0; i < 20_000; i++) {
			byte[] bytes = Arrays.copyOf(valid, random.nextInt(valid.length + 4));
			for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
				bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
			}
			try {
				StatusDetails status = StatusDetails.parse(Base64.getEncoder().encodeToString(bytes));
				status.errorInfo();
				status.retryDelay();
			}
			catch (GrpcException ex) {
				assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL);
			}
		}
		assertThat(new String(valid, StandardCharsets.ISO_8859_1)).contains("google.rpc.ErrorInfo");
	}

}
