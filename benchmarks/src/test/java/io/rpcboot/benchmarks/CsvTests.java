package io.rpcboot.benchmarks;

import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Csv}: other programs read it.
 */
class CsvTests {

	private final Results results = new Results();

	CsvTests() {
		this.results.add(new ScenarioResult(Part.MAIN, Scenario.async(BenchCall.ECHO, 4),
				Map.of("ours", List.of(new Turn(7, Map.of(Measure.THROUGHPUT, 30.0))), "grpc",
						List.of(new Turn(7, Map.of(Measure.THROUGHPUT, 10.0)))),
				Map.of()));
	}

	@Test
	void everyLineHasAsManyFieldsAsTheFirst() {
		for (List<String> lines : List.of(Csv.turns(this.results), Csv.ratios(this.results),
				Csv.targets(Targets.of(this.results)))) {
			int fields = fields(lines.get(0));
			assertThat(lines).hasSizeGreaterThan(1).allMatch((line) -> fields(line) == fields);
		}
	}

	private static int fields(String line) {
		return line.replaceAll("\"[^\"]*\"", "").split(",", -1).length;
	}

	@Test
	void turnsNamePartScenarioAndSystem() {
		assertThat(Csv.turns(this.results))
			.anyMatch((line) -> line.startsWith("main,echo,async,4,1024,0,0,ours,1,7,30.0000,"));
	}

	@Test
	void ratiosAreOursToTheOthers() {
		assertThat(Csv.ratios(this.results))
			.contains("main,echo,async,4,1024,0,0,ours,grpc,throughput,3.0000,3.0000,3.0000")
			.noneMatch((line) -> line.contains(",grpc,ours,"));
	}

}
