package io.rpcboot.hotpath;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SourceLinesTests {

	@Test
	void blankLinesAndCommentsDoNotCount() {
		assertThat(SourceLines.count("""
				/*
				 * two
				 */
				package a;

				// one
				/** One. */
				int a = 1; // behind code
				int /* within */ b;
				/* before */ int c;
				""")).isEqualTo(4);
	}

	@Test
	void commentMarksInLiteralsAreCode() {
		assertThat(SourceLines.count("""
				String a = "/*";
				char b = '"', c = '\\'';
				String d = "\\"//";
				int e; /* " */
				String f = "*/";
				""")).isEqualTo(5);
	}

	@Test
	void textBlockCountsWhole() {
		assertThat(SourceLines.count("String a = \"\"\"\n// text\n/* \"text\" */\n\"\"\";\n")).isEqualTo(4);
	}

}
