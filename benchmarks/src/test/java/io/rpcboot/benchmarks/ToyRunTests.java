package io.rpcboot.benchmarks;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ToyRun}.
 */
class ToyRunTests {

	@Test
	void theAverageIsOfEachColumn() {
		ToyRun.Row average = ToyRun.Row
			.average(List.of(new ToyRun.Row(100, 10, 1, 2, 3, 4), new ToyRun.Row(200, 30, 3, 4, 5, 6)));
		assertThat(average).isEqualTo(new ToyRun.Row(150, 20, 2, 3, 4, 5));
		assertThat(average.csv()).isEqualTo("150.0,20.000,2.0000,3.0000,4.0000,5.0000");
	}

}
