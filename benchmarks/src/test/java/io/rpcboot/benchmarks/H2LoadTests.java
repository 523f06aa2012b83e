package io.rpcboot.benchmarks;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link H2Load}.
 */
class H2LoadTests {

	private static final String OUTPUT = """
			finished in 742.22ms, 404192.93 req/s, 58.98MB/s
			requests: 300000 total, 300000 started, 300000 done, %d succeeded, %d failed, 0 errored, 0 timeout
			status codes: 300000 2xx, 0 3xx, 0 4xx, 0 5xx
			traffic: 43.78MB (45903344) total, 585.95KB (600012) headers (space savings 98.33%%), 38.91MB (%d) data
			""";

	@Test
	void parse_everyCallAnswered_isCallsPerSecond() {
		assertThat(H2Load.parse(OUTPUT.formatted(300_000, 0, 40_800_000))).isEqualTo(404192.93);
	}

	@Test
	void parse_failedCalls_fails() {
		assertThatExceptionOfType(BenchmarkException.class)
			.isThrownBy(() -> H2Load.parse(OUTPUT.formatted(299_999, 1, 40_800_000)))
			.withMessageContaining("299999 succeeded");
	}

	@Test
	void parse_answersWithoutMessage_fails() {
		assertThatExceptionOfType(BenchmarkException.class)
			.isThrownBy(() -> H2Load.parse(OUTPUT.formatted(300_000, 0, 40_799_864)));
		assertThatExceptionOfType(BenchmarkException.class).isThrownBy(() -> H2Load.parse("no such option"));
	}

	@Test
	void ratio_isWithinTheRounds() {
		Spread ratio = H2Load.ratio(List.of(row("ours-h2-loop", 300), row("grpc-direct", 100), row("ours-h2", 1),
				row("ours-h2-loop", 500), row("grpc-direct", 250)));
		assertThat(ratio).isEqualTo(new Spread(2, 2.5, 3));
		assertThat(H2Load.ratio(List.of()).median()).isNaN();
	}

	private static H2Load.Row row(String system, double callsPerSecond) {
		return new H2Load.Row(system, callsPerSecond, 0, 0);
	}

}
