package io.rpcboot.hotpath;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the lines of Java source that hold more than blanks and comments. */
final class SourceLines {

	private static final Pattern COMMENT_OR_LITERAL = Pattern.compile("//[^\\n]*" + "|/\\*.*?\\*/"
			+ "|\"\"\".*?(?<!\\\\)\"\"\"" + "|\"(?:\\\\.|[^\"\\\\])*+\"" + "|'(?:\\\\.|[^'\\\\])*+'", Pattern.DOTALL);

	private SourceLines() {
	}

	static long count(String source) {
		String code = COMMENT_OR_LITERAL.matcher(source)
			.replaceAll((match) -> match.group().startsWith("/") ? "" : Matcher.quoteReplacement(match.group()));
		return code.lines().filter((line) -> !line.isBlank()).count();
	}

}
