package io.rpcboot.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link PayloadPart} and {@link PayloadReport}.
 */
class PayloadTests {

	@Test
	void everySizeIsMeasuredWithOneCallerAndWithMany() {
		Part part = PayloadPart.of(PayloadPart.SYSTEMS, PayloadPart.SIZES, PayloadPart.THREADS);
		assertThat(part.scenarios()).extracting(Scenario::toString)
			.containsExactly("echo blocking 1 of 16 B", "echo blocking 1 of 256 B", "echo blocking 1 of 4 KB",
					"echo blocking 1 of 16 KB", "echo blocking 1 of 64 KB", "echo blocking 1 of 256 KB",
					"echo blocking 1 of 1 MB", "echo blocking 1 of 4 MB", "echo blocking 16 of 16 B",
					"echo blocking 16 of 256 B", "echo blocking 16 of 4 KB", "echo blocking 16 of 16 KB",
					"echo blocking 16 of 64 KB", "echo blocking 16 of 256 KB", "echo blocking 16 of 1 MB",
					"echo blocking 16 of 4 MB");
		assertThat(part.scenarios().get(7).load().bodyBytes()).isEqualTo(4 * 1024 * 1024);
	}

	@Test
	void theReportHasRatesMultiplesAndRatios() {
		PayloadReport report = new PayloadReport(results());
		assertThat(report.csv()).containsExactly(
				"cell,body_bytes,system,calls_per_second,megabytes_per_second,cpu_micros,client_allocated,"
						+ "server_allocated,ours_min,ours_median,ours_max",
				"echo blocking 16 of 64 KB,65536,ours,1000.0000,65.5360,50.0000,131072.0000,65536.0000,,,",
				"echo blocking 16 of 64 KB,65536,netty-payload,4000.0000,262.1440,25.0000,65536.0000,65536.0000,"
						+ "0.2500,0.2500,0.2500");
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		report.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
		assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("131,072 (2.00)", "65.5", "0.25 [0.25-0.25]");
		assertThat(report.markdown())
			.anyMatch((line) -> line.startsWith("| echo blocking 16 of 64 KB | ours | 1,000 |"));
	}

	private static Results results() {
		Scenario scenario = Scenario.blocking(BenchCall.ECHO, 16);
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		turns.put("ours", List.of(turn(1_000, 50, 131_072)));
		turns.put("netty-payload", List.of(turn(4_000, 25, 65_536)));
		Results results = new Results();
		results.add(new ScenarioResult(Part.PAYLOAD, new Scenario(scenario.call(), scenario.load().withBody(65_536)),
				turns, Map.of()));
		return results;
	}

	private static Turn turn(double throughput, double cpu, double clientAllocated) {
		return new Turn(1, Map.of(Measure.THROUGHPUT, throughput, Measure.CPU, cpu, Measure.CLIENT_ALLOCATED,
				clientAllocated, Measure.SERVER_ALLOCATED, 65_536.0));
	}

}
