package io.rpcboot.internal.protocol.grpc;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Tests the values of {@code grpc-message}. */
class GrpcMessageTests {

	private static Arguments[] messages() {
		return new Arguments[] { arguments("", ""), arguments("Hello", "Hello"), arguments("a b", "a b"),
				arguments("~!@#$^&*()_+{}|:\"<>?`-=[]\\;',./", "~!@#$^&*()_+{}|:\"<>?`-=[]\\;',./"),
				arguments("100%", "100%25"), arguments("%%", "%25%25"), arguments("%41", "%2541"),
				arguments("\u0000\u001f\u007f", "%00%1F%7F"), arguments("\u00e9", "%C3%A9"),
				arguments("\u4f60\u597d", "%E4%BD%A0%E5%A5%BD"), arguments("\ud83d\ude08", "%F0%9F%98%88"),
				arguments("\ufffd", "%EF%BF%BD"), arguments(" ", "%20"), arguments("  ", "%20%20"),
				arguments(" a  b ", "%20a  b%20"),
				// the message of the case special_status_message of the interop tests
				arguments("\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \ud83d\ude08\t\n",
						"%09%0Atest with whitespace%0D%0Aand Unicode BMP %E2%98%BA and non-BMP %F0%9F%98%88%09%0A") };
	}

	@ParameterizedTest
	@MethodSource("messages")
	void message_isPercentEncoded_andComesBack(String message, String encoded) {
		assertThat(GrpcMessage.encode(message)).isEqualTo(encoded);
		assertThat(GrpcMessage.decode(encoded)).isEqualTo(message);
	}

	@ParameterizedTest
	@CsvSource({ "%, %", "a%, a%", "%4, %4", "%G0, %G0", "%0G, %0G", "%%41, %A", "%4%41, %4A", "H%61o, Hao",
			"%c3%A9, \u00e9", "%-1, %-1", "%+1, %+1", "'% 1', '% 1'", "%C3, \ufffd", "%FFx, \ufffdx",
			"%E2%98, \ufffd" })
	void malformedMessage_isDecodedAsFarAsPossible(String encoded, String message) {
		assertThat(GrpcMessage.decode(encoded)).isEqualTo(message);
	}

	@Test
	void rawUtf8_isDecoded() {
		String raw = new String("gr\u00fc\u00df".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
		assertThat(GrpcMessage.decode(raw)).isEqualTo("gr\u00fc\u00df");
	}

	@Test
	void unpairedSurrogate_becomesQuestionMark() {
		assertThat(GrpcMessage.decode(GrpcMessage.encode("a\ud83db\ude08"))).isEqualTo("a?b?");
	}

	@Test
	void longMessage_isCutBetweenCharacters() {
		assertThat(GrpcMessage.encode("x".repeat(4096))).hasSize(4096);
		assertThat(GrpcMessage.encode("x".repeat(4097))).isEqualTo("x".repeat(4096));
		assertThat(GrpcMessage.encode("x".repeat(4094) + "\u00e9")).isEqualTo("x".repeat(4094));
		for (String each : new String[] { "\u00e9", "\u263a", "\ud83d\ude08" }) {
			for (int before = 0; before < 12; before++) {
				String encoded = GrpcMessage.encode("x".repeat(before) + each.repeat(5000));
				assertThat(encoded).hasSizeBetween(4096 - 11, 4096);
				assertThat(GrpcMessage.decode(encoded)).matches("x*(" + each + ")+");
			}
		}
	}

	@Test
	void cutMessage_doesNotEndWithBlank() {
		assertThat(GrpcMessage.encode("x".repeat(4090) + " ".repeat(20))).isEqualTo("x".repeat(4090));
	}

	@Test
	void randomMessages_areAsciiAndComeBack() {
		Random random = new Random(1);
		for (int i = 0; i < 2000; i++) {
			String message = random.ints(random.nextInt(40), 0, Character.MAX_CODE_POINT + 1)
				.map((each) -> (random.nextBoolean() || (each >= 0xd800 && each < 0xe000)) ? each & 0x7f : each)
				.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
				.toString();
			String encoded = GrpcMessage.encode(message);
			assertThat(encoded).matches("[ -~]*").doesNotStartWith(" ").doesNotEndWith(" ");
			assertThat(GrpcMessage.decode(encoded)).isEqualTo(message);
		}
	}

}
