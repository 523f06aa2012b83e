package io.rpcboot.benchmarks;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link Options}.
 */
class OptionsTests {

	@Test
	void theShortPresetIsSixCellsAndUnderSixMinutes() {
		Options options = Options.parse("--preset=short");
		assertThat(options.parts()).hasSize(1);
		assertThat(options.parts().get(0).scenarios()).hasSize(6);
		assertThat(options.parts().get(0).systems()).containsExactly("ours", "ours-loop", "netty", "grpc");
		assertThat(options.overload().seconds()).isZero();
	}

	@Test
	void ownSystemsReplaceTheMainPartAndLeaveOutTheOthers() {
		Options options = Options.parse("--preset=short", "--systems=netty,grpc", "--calls=getUser", "--threads=",
				"--callers=4", "--rounds=3");
		assertThat(options.parts()).hasSize(1);
		Part part = options.parts().get(0);
		assertThat(part.systems()).containsExactly("netty", "grpc");
		assertThat(part.timing().rounds()).isEqualTo(3);
		assertThat(part.scenarios()).extracting(Scenario::toString).containsExactly("getUser async 4");
		assertThat(part.latencies()).isEmpty();
	}

	@Test
	void latenciesRepeatEveryScenarioAtAFixedRate() {
		Part part = Options.parse("--preset=short", "--systems=netty", "--calls=echo", "--latencies").parts().get(0);
		assertThat(part.latencies()).isEqualTo(part.scenarios());
	}

	@Test
	void virtualCallersNeedAJavaThatHasThem() {
		Options options = Options.parse("--preset=short", "--systems=netty", "--calls=echo", "--threads=", "--callers=",
				"--virtual=64", "--virtual-java=/there/java");
		assertThat(options.parts().get(0).virtualThreads()).isTrue();
		assertThat(options.environment().withVirtualThreads().java()).isEqualTo(Path.of("/there/java"));
		assertThat(options.parts().get(0).scenarios()).extracting(Scenario::toString)
			.containsExactly("echo virtual 64");
	}

	@Test
	void theToyPresetTakesTheNumbersOfTheArticle() {
		ToyOptions toy = Options
			.parse("--preset=toy", "--systems=ours", "--toy-threads=16", "--requests=500", "--warmup-rounds=0",
					"--rounds=2")
			.toy();
		assertThat(toy.systems()).containsExactly("ours");
		assertThat(toy.threads()).isEqualTo(16);
		assertThat(toy.requests()).isEqualTo(500);
		assertThat(toy.warmupRounds()).isZero();
		assertThat(toy.rounds()).isEqualTo(2);
	}

	@Test
	void aWrongValueNamesOptionValueAndRule() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--rounds=0"))
			.withMessage("--rounds: 0 (expected: a number, at least 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--slice=long"))
			.withMessageStartingWith("--slice: long");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--systems=nobody"))
			.withMessageContaining("ours-loop")
			.withMessageContaining("sofarpc");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=long"))
			.withMessage("--preset: long (expected: full, short, quick or toy)");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=short", "--parts=virtual"))
			.withMessageStartingWith("--parts: [virtual]");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--fast"))
			.withMessageStartingWith("option: --fast");
	}

}
