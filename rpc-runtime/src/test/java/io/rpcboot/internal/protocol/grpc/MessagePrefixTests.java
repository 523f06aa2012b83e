package io.rpcboot.internal.protocol.grpc;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the prefix of messages. */
class MessagePrefixTests {

	private static byte[] prefix(boolean compressed, int length) {
		byte[] bytes = new byte[MessagePrefix.LENGTH + 2];
		MessagePrefix.write(bytes, 1, compressed, length);
		return bytes;
	}

	@Test
	void prefix_isFlagAndBigEndianLength() {
		assertThat(prefix(true, 0x01020304)).containsExactly(0, 1, 1, 2, 3, 4, 0);
		assertThat(prefix(false, 0xffff)).containsExactly(0, 0, 0, 0, 0xff, 0xff, 0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 127, 128, 255, 256, 65535, 65536, 0x00ffffff, 0x01000000, Integer.MAX_VALUE })
	void length_isRead_upToLimit(int length) {
		assertThat(MessagePrefix.length(prefix(true, length), 1, length, Side.SERVER)).isEqualTo(length);
		assertThat(MessagePrefix.length(prefix(false, length), 1, Integer.MAX_VALUE, Side.CLIENT)).isEqualTo(length);
	}

	@ParameterizedTest
	@CsvSource({ "1025, 1024, SERVER, rpc.server.max-frame-size: the message takes 1025 bytes (expected: at most 1024)",
			"2147483647, 8388608, CLIENT, rpc.client.max-frame-size: the message takes 2147483647 bytes (expected: at most 8388608)",
			"-2147483648, 2147483647, SERVER, rpc.server.max-frame-size: the message takes 2147483648 bytes (expected: at most 2147483647)",
			"-1, 1024, SERVER, rpc.server.max-frame-size: the message takes 4294967295 bytes (expected: at most 1024)" })
	void lengthOverLimit_isRejected_withProperty(int length, int limit, Side receiver, String message) {
		assertThatExceptionOfType(GrpcException.class)
			.isThrownBy(() -> MessagePrefix.length(prefix(false, length), 1, limit, receiver))
			.withMessage(message)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED));
	}

	@Test
	void flag_isRead() {
		assertThat(MessagePrefix.isCompressed(prefix(true, 7), 1, true)).isTrue();
		assertThat(MessagePrefix.isCompressed(prefix(false, 7), 1, true)).isFalse();
		assertThat(MessagePrefix.isCompressed(prefix(false, 7), 1, false)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "1, false", "2, true", "2, false", "128, true", "255, true" })
	void invalidFlag_isRejected(int flag, boolean hasEncoding) {
		byte[] bytes = { (byte) flag, 0, 0, 0, 0 };
		assertThatExceptionOfType(GrpcException.class)
			.isThrownBy(() -> MessagePrefix.isCompressed(bytes, 0, hasEncoding))
			.withMessageStartingWith("compressed flag of the message: " + flag + " (expected: 0")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
	}

}
