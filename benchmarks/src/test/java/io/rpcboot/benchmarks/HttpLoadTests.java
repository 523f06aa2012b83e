package io.rpcboot.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of {@link HttpLoad}: only answers with the status and the length of the right one
 * count.
 */
class HttpLoadTests {

	private static final String GOOD = """
			finished in 1.91s, 262.22 req/s, 126.76KB/s
			requests: 500 total, 500 started, 500 done, 500 succeeded, 0 failed, 0 errored, 0 timeout
			status codes: 500 2xx, 0 3xx, 0 4xx, 0 5xx
			traffic: 241.70KB (247500) total, 38.09KB (39000) headers (space savings 0.00%), 189.45KB (194000) data
			""";

	/** Tomcat writes a status line without a reason, of which the tool makes nothing. */
	private static final String UNSEEN = GOOD.replace("500 succeeded, 0 failed", "0 succeeded, 500 failed")
		.replace("500 2xx", "0 2xx");

	@Test
	void rightAnswers_tellTheirRate() {
		assertThat(HttpLoad.parse(GOOD, true, 500, 388)).isEqualTo(262.22);
		assertThat(HttpLoad.parse(GOOD, false, 500, 388)).isEqualTo(262.22);
	}

	@Test
	void unseenStatus_countsOverHttp1Alone() {
		assertThat(HttpLoad.parse(UNSEEN, false, 500, 388)).isEqualTo(262.22);
		assertRefused(UNSEEN, true, 500, 388);
	}

	@Test
	void answersOfAnotherLengthOrStatus_areRefused() {
		assertRefused(GOOD, true, 500, 389);
		assertRefused(GOOD, true, 501, 388);
		assertRefused(GOOD.replace("500 2xx, 0 3xx, 0 4xx, 0 5xx", "499 2xx, 0 3xx, 0 4xx, 1 5xx"), true, 500, 388);
		assertRefused(UNSEEN.replace("0 5xx", "1 5xx"), false, 500, 388);
		assertRefused(GOOD.replace("0 errored", "1 errored"), true, 500, 388);
		assertRefused("Could not connect", true, 500, 388);
	}

	private static void assertRefused(String output, boolean http2, int calls, int answer) {
		assertThatThrownBy(() -> HttpLoad.parse(output, http2, calls, answer)).isInstanceOf(BenchmarkException.class)
			.hasMessageContaining("(expected: " + calls + " answers with 2xx and " + answer + " bytes each)");
	}

}
