package io.rpcboot.internal.protocol.binary;

import java.nio.charset.StandardCharsets;

import io.rpcboot.internal.protocol.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PrefaceTests {

	private static void check(String hex) {
		Preface.check(Hex.bytes(hex), 0);
	}

	@Test
	void ownPreface_isAccepted() {
		check("8f525043 0001 0000");
		Preface.check(Hex.bytes("ffff 8f525043 0001 0000"), 2);
	}

	@Test
	void reservedBytes_areIgnored() {
		check("8f525043 0001 ffff");
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET / HTTP/1.1", "PRI * HTTP/2.0" })
	void otherProtocol_isRejected_withItsFirstBytes(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> Preface.check(bytes, 0))
			.withMessage("the other side speaks another protocol: first bytes 0x%s (expected: 0x8f525043)",
					Hex.of(bytes).substring(0, 8));
	}

	@Test
	void tlsRecord_isRejected() {
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> check("16030100 c8010000"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2, 65535 })
	void otherVersion_isRejected_withItsNumber(int version) {
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> check("8f525043 %04x 0000".formatted(version)))
			.withMessage("protocol version: %d (expected: 1)", version);
	}

	@Test
	void protocolException_hasNoStackTrace() {
		assertThat(new ProtocolException("x").getStackTrace()).isEmpty();
	}

}
