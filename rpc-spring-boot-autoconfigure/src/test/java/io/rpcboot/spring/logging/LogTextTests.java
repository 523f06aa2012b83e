package io.rpcboot.spring.logging;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LogTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "\n", "\r", "\t", "\0", "\u001b", "\u007f", "\u0085", "\u2028", "\u2029", "\u202e",
			"\u200b", "\ufeff" })
	void controlAndInvisibleCharacters_areReplaced(String bad) {
		assertThat(LogText.of("a" + bad + "b")).isEqualTo("a?b");
	}

	@Test
	void otherCharacters_areKept() {
		assertThat(LogText.of("größe \ud83d\ude00 \"=\\")).isEqualTo("größe \ud83d\ude00 \"=\\");
	}

	@Test
	void longText_isCut() {
		assertThat(LogText.of("x".repeat(128))).hasSize(128).doesNotContain(".");
		assertThat(LogText.of("x".repeat(100_000))).hasSize(128).endsWith("x...");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', value = { "till,till", "my till,`\"my till\"`", "a=b,`\"a=b\"`",
			"x\" status=OK,`\"x\\\" status=OK\"`", "a\\,`\"a\\\\\"`", "``,`\"\"`" })
	void value_isQuoted_whenAmbiguous(String text, String value) {
		assertThat(LogText.value(text)).isEqualTo(value);
	}

}
