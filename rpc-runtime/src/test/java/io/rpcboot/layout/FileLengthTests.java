package io.rpcboot.layout;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bound of lines of code of a file, in all modules but the benchmarks. Blank lines,
 * comments, imports and the line of the package are free, so that none is cut to keep a
 * file short.
 */
class FileLengthTests {

	private static final int MAX_LINES = 400;

	/** Literals are tokens, too: a comment mark within one is code. */
	private static final Pattern TOKEN = Pattern.compile("\"\"\"(?s:.*?)(?<!\\\\)\"\"\""
			+ "|\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"|'[^'\\\\\n]*+(?:\\\\.[^'\\\\\n]*+)*+'"
			+ "|//[^\n]*+|/\\*(?s:.*?)\\*/");

	private static final Pattern HEAD = Pattern.compile("^\\s*+(?:package|import)\\s[^;]*+;\\s*+$");

	@Test
	void files_haveAtMost400LinesOfCode() throws IOException {
		Map<String, Long> lengths = new TreeMap<>();
		Modules.mainTexts().forEach((path, text) -> lengths.put(path, lines(text)));
		Modules.testTexts().forEach((path, text) -> lengths.put(path, lines(text)));
		assertThat(lengths).hasSizeGreaterThan(1000);
		lengths.values().removeIf((lines) -> lines <= MAX_LINES);
		assertThat(lengths).isEmpty();
	}

	@Test
	void comments_areFree_exceptInLiterals() {
		assertThat(lines("""
				package a;

				import b.C; // why
				import static d.E.*;

				/** Comment
				 of two lines. */
				class F {
				  // a line
				  String g = "/* none"; /* one */ char h = '"'; // */
				  /* two */
				  String i = \"""
				    // text
				    \\\""" \""";
				}
				""")).isEqualTo(6);
	}

	private static long lines(String text) {
		return TOKEN.matcher(text)
			.replaceAll((token) -> token.group().startsWith("/") ? " " + "\n".repeat(breaks(token.group()))
					: "x" + "\nx".repeat(breaks(token.group())))
			.lines()
			.filter((line) -> !line.isBlank() && !HEAD.matcher(line).matches())
			.count();
	}

	private static int breaks(String text) {
		return (int) text.chars().filter((each) -> each == '\n').count();
	}

}
