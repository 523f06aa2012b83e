package io.rpcboot.internal.transport.http2.message;

import java.util.Arrays;
import java.util.Random;

import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A message whose prefix and bytes arrive in pieces. */
class InboundMessageTests {

	private final InboundMessage message = new InboundMessage(17);

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6 })
	void prefix_isGathered_fromPieces(int piece) {
		byte[] in = { 9, 9, 1, 0, 1, 2, 3, 77, 78 };
		int at = 2;
		while (!this.message.hasPrefix()) {
			assertThat(this.message.isComplete()).isFalse();
			at += this.message.takePrefix(in, at, Math.min(piece, in.length - at));
		}
		assertThat(at).as("no byte of the message is taken").isEqualTo(2 + MessagePrefix.LENGTH);
		assertThat(this.message.length()).isEqualTo(0x010203);
		assertThat(this.message.isCompressed()).isTrue();
		assertThat(this.message.prefix()).containsExactly(1, 0, 1, 2, 3);
		assertThat(this.message.beganNanos()).isEqualTo(17);
	}

	@ParameterizedTest
	@CsvSource({ "00000000, 0", "00000001, 1", "7fffffff, 2147483647", "80000000, 2147483648", "ffffffff, 4294967295" })
	void length_has32BitsWithoutSign(String hex, long expected) {
		byte[] in = new byte[MessagePrefix.LENGTH + 1];
		int length = Integer.parseUnsignedInt(hex, 16);
		MessagePrefix.write(in, 1, false, length);
		this.message.takePrefix(in, 1, MessagePrefix.LENGTH);
		assertThat(this.message.length()).isEqualTo(expected);
		assertThat(InboundMessage.length(in, 1)).isEqualTo(expected);
		assertThat(this.message.isCompressed()).isFalse();
	}

	@Test
	void emptyMessage_isComplete_withItsPrefix() {
		this.message.takePrefix(new byte[4], 0, 4);
		assertThat(this.message.isComplete()).isFalse();
		this.message.takePrefix(new byte[1], 0, 1);
		assertThat(this.message.isComplete()).isTrue();
		assertThat(this.message.filled()).isZero();
	}

	/** Small arrays, and those of the pool. */
	@ParameterizedTest
	@CsvSource({ "100, 300", "100, 70000", "65535, 100000", "65535, 3000000" })
	void bytes_areKept_whenSpaceGrows(int first, int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		byte[] prefix = new byte[MessagePrefix.LENGTH];
		MessagePrefix.write(prefix, 0, false, length);
		this.message.takePrefix(prefix, 0, prefix.length);
		this.message.allocate(first);
		this.message.take(bytes, 0, first - 1);
		this.message.allocate(length);
		assertThat(this.message.filled()).isEqualTo(first - 1);
		assertThat(this.message.isComplete()).isFalse();
		this.message.take(bytes, first - 1, length - first + 1);
		assertThat(this.message.isComplete()).isTrue();
		assertThat(Arrays.equals(this.message.array(), 0, length, bytes, 0, length)).isTrue();
	}

}
