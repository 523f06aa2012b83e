package io.rpcboot.internal.protocol.http2;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HuffmanDecoderTests {

	private static byte[] decode(byte[] in) {
		byte[] out = new byte[HuffmanDecoder.decode(in, 0, in.length, null)];
		assertThat(HuffmanDecoder.decode(in, 0, in.length, out)).isEqualTo(out.length);
		return out;
	}

	@Test
	void everyByte_isDecoded_inEveryPlace() {
		for (int i = 0; i < 256; i++) {
			for (String before : new String[] { "", "a", "aa", "aaa", "\u0000a" }) {
				String text = before + (char) i + "z" + (char) i;
				assertThat(decode(NettyHpack.huffman(text))).as("byte %d behind '%s'", i, before)
					.isEqualTo(text.getBytes(StandardCharsets.ISO_8859_1));
			}
		}
	}

	@Test
	void randomStrings_areDecoded() {
		Random random = new Random(7541);
		for (int i = 0; i < 2000; i++) {
			StringBuilder text = new StringBuilder();
			int length = random.nextInt(200);
			for (int j = 0; j < length; j++) {
				text.append((char) (random.nextBoolean() ? random.nextInt(256) : 'a' + random.nextInt(26)));
			}
			assertThat(decode(NettyHpack.huffman(text.toString())))
				.isEqualTo(text.toString().getBytes(StandardCharsets.ISO_8859_1));
		}
	}

	/** From 'a', 00011: paddings of 3 bits. */
	@ParameterizedTest
	@ValueSource(strings = { "18", "19", "1b", "1c", "1d", "1e", "1fff", "ff", "ffffffff", "fffffffc", "1fffffffff" })
	void wrongEnd_isRejected(String hex) {
		byte[] in = HexFormat.of().parseHex(hex);
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> decode(in))
			.satisfies((ex) -> assertThat(ex.error()).isEqualTo(Http2Error.COMPRESSION_ERROR));
	}

	@Test
	void emptyString_isDecoded() {
		assertThat(decode(new byte[0])).isEmpty();
	}

	@Test
	void paddingOfOnes_isAccepted() {
		assertThat(decode(HexFormat.of().parseHex("1f"))).containsExactly('a');
	}

}
