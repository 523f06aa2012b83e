package io.rpcboot.internal.protocol.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Bodies in Base64, cut anywhere. */
class Base64BodyTests {

	private static byte[] text(String... parts) {
		StringBuilder text = new StringBuilder();
		for (String each : parts) {
			text.append(Base64.getEncoder().encodeToString(each.getBytes(StandardCharsets.UTF_8)));
		}
		return text.toString().getBytes(StandardCharsets.US_ASCII);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 7, 1000 })
	void parts_mayBeCutAnywhere_andEachMayHavePadding(int size) {
		byte[] in = text("a", "bc", "def", "ghijklm", "", "ä");
		Base64Body body = new Base64Body();
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int at = 0; at < in.length; at += size) {
			out.writeBytes(body.decode(in, at, Math.min(in.length, at + size)));
		}
		assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("abcdefghijklmä");
		assertThat(body.isComplete()).isTrue();
	}

	@Test
	void rest_isHeld() {
		Base64Body body = new Base64Body();
		assertThat(body.decode(text("abcd"), 0, 6)).isEqualTo("abc".getBytes(StandardCharsets.US_ASCII));
		assertThat(body.isComplete()).isFalse();
		assertThat(body.decode(new byte[0], 0, 0)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "****", "ab-_", "====", "a===", "=abc", "ab=c", "ab c", "ab\n\n" })
	void otherCharacters_areRefused(String text) {
		byte[] in = text.getBytes(StandardCharsets.US_ASCII);
		assertThatIllegalArgumentException().isThrownBy(() -> new Base64Body().decode(in, 0, in.length));
	}

}
