package io.rpcboot.internal.text;

import java.nio.charset.StandardCharsets;

import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PrintableTextTests {

	private static final String FORGED = "x\n12:00:00.000 ERROR [main] forged\u001b[31m\u0085\u009b\u2028\u202Ey";

	private static final String CLEAN = "x 12:00:00.000 ERROR [main] forged?[31m????y";

	@Test
	void controlCharacters_becomeSpacesAndQuestionMarks() {
		assertThat(PrintableText.of(FORGED)).isEqualTo(CLEAN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "plain ~", "M\u00fcller", "\u4f60\u597d", "\uD83D\uDE00", "a\u00a0b", "{0} ${x} %s" })
	void visibleText_isKept(String text) {
		assertThat(PrintableText.of(text)).isEqualTo(text);
		assertThat(PrintableText.of(text, 100)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(chars = { 0, 7, 8, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0xad, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
			0x202e, 0x2066, 0x2069, 0xfeff, 0xd800, 0xdfff })
	void invisibleCharacter_becomesQuestionMark(char each) {
		assertThat(PrintableText.of("a" + each + "b")).isEqualTo("a?b");
	}

	@ParameterizedTest
	@CsvSource({ "abcdef, 6, abcdef", "abcdef, 5, abcde...", "abcdef, 1, a..." })
	void longText_isCut(String text, int most, String expected) {
		assertThat(PrintableText.of(text, most)).isEqualTo(expected);
	}

	@Test
	void cut_keepsSurrogatePairsWhole() {
		assertThat(PrintableText.of("ab\uD83D\uDE00c", 3)).isEqualTo("ab...");
		assertThat(PrintableText.of("ab\uD83D\uDE00c", 4)).isEqualTo("ab\uD83D\uDE00...");
	}

	@ParameterizedTest
	@ValueSource(strings = { "java.lang.IllegalStateException", "com.acme.Outer$Inner", "ValueError", "a.\u00e4.B_1",
			"com.acme.X$$Lambda/0x00000001" })
	void classNames_areKept(String name) {
		assertThat(PrintableText.className(name)).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "java.lang.X\nforged", "a b", "<img src=x>", "a\u202Eb", "a\u0000b", "x: y", "'",
			"\u001b[31m" })
	void otherTexts_areNoClassNames(String name) {
		assertThat(PrintableText.className(name)).isEmpty();
		assertThat(PrintableText.className("a".repeat(501))).isEmpty();
	}

	@Test
	void failureOfPeer_isClean() {
		Failure read = Failure.decode(new Failure(FORGED, "java.lang.X\nforged").encode());
		assertThat(read.message()).isEqualTo(CLEAN);
		assertThat(read.type()).isEmpty();
	}

	@Test
	void helloOfPeer_isCleanAndCut() {
		Hello read = Hello.decode(new Hello(1, java.util.List.of(FORGED), FORGED + "z".repeat(1000), 0).encode());
		assertThat(read.serializers()).containsExactly(CLEAN);
		assertThat(read.application()).startsWith(CLEAN).hasSize(131);
	}

	@Test
	void protocolException_isCleanAndCut() {
		assertThat(new ProtocolException(FORGED)).hasMessage(CLEAN);
		assertThat(new ProtocolException("x".repeat(5000)).getMessage()).hasSize(1003);
	}

	@Test
	void logLine_isCleanAndCut() {
		try (LogRecorder log = new LogRecorder(PrintableTextTests.class.getName())) {
			RateLimitedLogger logger = new RateLimitedLogger(PrintableTextTests.class.getName(), System::nanoTime);
			logger.warn("Service refused", FORGED);
			logger.warn("Another", "\u202E".repeat(5000));
			assertThat(log.messages()).containsExactly("Service refused: " + CLEAN,
					"Another: " + "?".repeat(1000) + "...");
		}
	}

	@Test
	void malformedUtf8_isReplacedAndVisible() {
		assertThat(PrintableText.of(new String(new byte[] { (byte) 0xff }, StandardCharsets.UTF_8)))
			.isEqualTo("\uFFFD");
	}

}
