package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.List;

import io.rpcboot.benchmarks.streams.Direction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Preset}: what is promised of its length, and that it fills the table.
 */
class PresetTests {

	@Test
	void thePresetsEndInTime() {
		assertThat(estimate(Preset.FULL).plusSeconds(60)).isLessThan(Duration.ofMinutes(45));
		assertThat(estimate(Preset.SHORT)).isLessThan(Duration.ofMinutes(4));
		assertThat(estimate(Preset.GATE)).isLessThan(Duration.ofMinutes(18));
		assertThat(estimate(Preset.GATE_SHORT)).isLessThan(Duration.ofMinutes(4));
		assertThat(estimate(Preset.GATE_H2_SHORT)).isLessThan(Duration.ofMinutes(6));
		assertThat(estimate(Preset.INSTANCES)).isLessThan(Duration.ofMinutes(6));
		assertThat(estimate(Preset.PAYLOAD)).isLessThan(Duration.ofMinutes(7));
		assertThat(estimate(Preset.H2)).isLessThan(Duration.ofMinutes(24));
		assertThat(estimate(Preset.TLS)).isLessThan(Duration.ofMinutes(8));
		assertThat(estimate(Preset.QUICK)).isLessThan(Duration.ofSeconds(70));
	}

	@Test
	void theGoodputMatrixOfOneSystemTakesTenMinutes() {
		GoodputOptions ours = GoodputOptions.DEFAULT.withSystems(List.of("ours"));
		assertThat(ours.estimate()).isLessThan(Duration.ofMinutes(10));
	}

	@Test
	void streamsAndJsonTakeTenMinutesEach() {
		assertThat(StreamsOptions.DEFAULT.estimate()).isLessThan(Duration.ofMinutes(10));
		assertThat(JsonOptions.DEFAULT.estimate()).isLessThan(Duration.ofMinutes(10));
	}

	@Test
	void theEstimateOfStreamsAddsUpWhatASystemSupports() {
		StreamsOptions one = new StreamsOptions(List.of("ours", "socket"), List.of(Direction.DOWN, Direction.BYTES),
				List.of(1), List.of(100), 2, 3, 100, 1_000);
		Duration warm = one.preparation().plus(StreamsOptions.WARMUP);
		assertThat(one.estimate())
			.isEqualTo(warm.plusMillis(300).plus(warm.plusSeconds(6).multipliedBy(2)).plusSeconds(10).multipliedBy(2));
	}

	private static Duration estimate(Preset preset) {
		return preset.parts().stream().map(Part::estimate).reduce(Duration.ZERO, Duration::plus);
	}

	@Test
	void anEstimateAddsUpEveryTurn() {
		Part part = Part.of("part", List.of("ours", "netty"), Preset.SHORT.parts().get(0).scenarios(),
				Timing.ofMillis(3, 100, 50, 1_000));
		assertThat(part.estimate()).isEqualTo(Duration.ofMillis(2 * (1_000 + 6 * 350)));
		assertThat(part.withForks(2).estimate()).isEqualTo(Duration.ofMillis(4 * (1_000 + 6 * 350)));
	}

	@Test
	void theGateHasTheCellsOfTheIssues() {
		assertThat(Preset.GATE.parts().get(0).scenarios()).extracting(Scenario::toString)
			.containsExactly("echo blocking 1", "echo blocking 32", "echo blocking 128", "echo async 1",
					"echo async 32", "existUser blocking 32", "existUser async 32", "createUser blocking 32",
					"getUser blocking 32", "listUser blocking 32");
		assertThat(Preset.GATE_SHORT.parts().get(0).scenarios()).hasSize(6);
	}

	@Test
	void theFullPresetHasEverySystemAndEveryPart() {
		List<Part> parts = Preset.FULL.parts();
		assertThat(parts).extracting(Part::name)
			.containsExactly(Part.MAIN, Part.BATCHING, Part.BATCHING_LOOP, Part.VIRTUAL, Part.BURST);
		assertThat(parts.get(0).systems()).containsExactly("ours", "ours-loop", "netty", "grpc", "grpc-direct", "dubbo",
				"sofarpc", "rocketmq");
		assertThat(parts.get(1).scenarios()).hasSize(8);
		assertThat(parts.get(1).timing().rounds()).isEqualTo(7);
		assertThat(parts.get(1).forks()).isEqualTo(2);
	}

}
