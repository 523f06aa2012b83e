package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.rpcboot.benchmarks.streams.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link Options}.
 */
class OptionsTests {

	@TempDir
	Path folder;

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
	void theGateComparesWithTheOlderBuildInFiveForks() throws IOException {
		Options options = Options.parse("--preset=gate", baseline());
		assertThat(options.parts()).extracting(Part::name)
			.containsExactly(Part.GATE, Part.GATE_LOOP, Part.GATE_INSTANCES);
		assertThat(options.parts()).allMatch((part) -> part.forks() == 5);
		assertThat(options.parts().get(0).systems()).containsExactly("ours", "before");
		assertThat(options.parts().get(1).systems()).containsExactly("ours-loop", "before-loop");
		assertThat(options.gate()).isEqualTo(new GateBounds(0.97, 0.93));
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=gate"))
			.withMessageContaining("--baseline");
	}

	@Test
	void theGateOfGrpcComparesWithTheOlderBuildInFiveForks() throws IOException {
		Options options = Options.parse("--preset=gate-h2-short", baseline());
		assertThat(options.parts()).extracting(Part::name).containsExactly(Part.GATE, Part.GATE_LOOP);
		assertThat(options.parts()).allMatch((part) -> part.forks() == 5);
		assertThat(options.parts().get(0).systems()).containsExactly("ours-h2", "before-h2");
		assertThat(options.parts().get(1).systems()).containsExactly("ours-h2-loop", "before-h2-loop");
		assertThat(options.gate()).isEqualTo(new GateBounds(0.97, 0.93));
	}

	@Test
	void theGateCanBeNarrowedAndItsBoundsMoved() throws IOException {
		Options options = Options.parse("--preset=gate-short", baseline(), "--systems=ours-loop,before-loop",
				"--calls=echo", "--threads=32", "--callers=", "--forks=2", "--gate-mean=0.95", "--gate-cell=0.9");
		Part part = options.parts().get(0);
		assertThat(part.scenarios()).extracting(Scenario::toString).containsExactly("echo blocking 32");
		assertThat(part.forks()).isEqualTo(2);
		assertThat(part.systemCalls()).isEmpty();
		assertThat(options.gate()).isEqualTo(new GateBounds(0.95, 0.9));
		assertThat(Options.parse("--preset=gate-short", baseline(), "--calls=echo").parts().get(0).forks())
			.isEqualTo(5);
	}

	@Test
	void bodiesOfChosenSizesAreComparedWithTheOlderBuildToo() throws IOException {
		assertThat(Options.parse("--preset=payload").parts().get(0).systems()).containsExactly("ours", "netty-payload",
				"grpc");
		Part part = Options.parse("--preset=payload", baseline(), "--sizes=65536,100", "--threads=4", "--rounds=3")
			.parts()
			.get(0);
		assertThat(part.systems()).containsExactly("ours", "before", "netty-payload", "grpc");
		assertThat(part.scenarios()).extracting(Scenario::toString)
			.containsExactly("echo blocking 4 of 64 KB", "echo blocking 4 of 100 B");
		assertThat(part.timing().rounds()).isEqualTo(3);
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=short", "--sizes=16"))
			.withMessageStartingWith("--sizes: [16]");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=payload", "--calls=getUser"))
			.withMessageContaining("--systems, --sizes and --threads");
	}

	@Test
	void theGoodputMatrixHasTheCellsOfTheIssueAndCanBeNarrowed() throws IOException {
		Options options = Options.parse("--preset=goodput", "--systems=ours,grpc-pool");
		assertThat(options.parts()).isEmpty();
		assertThat(options.environment().jvmArgs()).contains("-Xmx512m").doesNotContain("-Xmx1g");
		assertThat(options.goodput().seconds()).isEqualTo(15);
		assertThat(options.goodput().cells()).extracting(GoodputCell::word)
			.containsExactly("200-300ms-1", "200-300ms-10", "200-3000ms-1", "200-3000ms-10", "10000-300ms-1",
					"10000-300ms-10", "10000-3000ms-1", "10000-3000ms-10", "no-op-300ms-1", "no-op-300ms-10",
					"no-op-3000ms-1", "no-op-3000ms-10", "cpu-200ms-1-2x", "cpu-200ms-1-5x", "cpu-200ms-1-10x");
		GoodputOptions narrowed = Options
			.parse("--preset=goodput", baseline(), "--systems=ours,before", "--seconds=2", "--capacities=no-op",
					"--timeouts=300", "--clients=3", "--open=")
			.goodput();
		assertThat(narrowed.systems()).containsExactly("ours", "before");
		assertThat(narrowed.cells()).extracting(GoodputCell::word).containsExactly("no-op-300ms-3");
		assertThat(narrowed.seconds()).isEqualTo(2);
	}

	@Test
	void theGoodputMatrixRefusesWhatItDoesNotKnow() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=goodput", "--capacities=300"))
			.withMessage("--capacities: 300 (expected: some of [200, 10000, no-op, cpu])");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=short", "--seconds=3"))
			.withMessageEndingWith("(expected: only with --preset=goodput)");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=goodput", "--threads=3"))
			.withMessageStartingWith("--threads");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Options.parse("--preset=goodput", "--systems=ours", "--capacities=", "--open="))
			.withMessageContaining("at least one");
	}

	@Test
	void theStreamsHaveTheCellsOfTheIssueAndCanBeNarrowed() {
		Options options = Options.parse("--preset=streams");
		assertThat(options.parts()).isEmpty();
		assertThat(options.environment().jvmArgs()).contains("-Xmx512m");
		assertThat(options.streams().systems()).containsExactly("ours", "ours-loop", "grpc-direct", "rsocket",
				"grpc-to-ours", "ours-to-grpc", "socket");
		assertThat(options.streams().cells()).extracting(StreamCell::toString)
			.containsExactly("server stream, 1 of 100 B", "server stream, 100 of 100 B", "server stream, 1 of 4 KB",
					"server stream, 100 of 4 KB", "client stream, 1 of 100 B", "client stream, 100 of 100 B",
					"client stream, 1 of 4 KB", "client stream, 100 of 4 KB", "both ways, 1 of 100 B",
					"both ways, 100 of 100 B", "both ways, 1 of 4 KB", "both ways, 100 of 4 KB", "InputStream of 1 GB");
		StreamsOptions narrowed = Options
			.parse("--preset=streams", "--systems=ours,rsocket", "--directions=up", "--streams=7", "--sizes=16",
					"--forks=1", "--rounds=2", "--slice=100", "--preparation=50")
			.streams();
		assertThat(narrowed).isEqualTo(new StreamsOptions(List.of("ours", "rsocket"), List.of(Direction.UP), List.of(7),
				List.of(16), 1, 2, 100, 50));
	}

	@Test
	void theStreamsRefuseWhatTheyDoNotKnow() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=streams", "--directions=left"))
			.withMessage("direction: left (expected one of [down, up, both, bytes])");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=streams", "--systems=dubbo"))
			.withMessageStartingWith("system: dubbo");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=short", "--streams=1"))
			.withMessageEndingWith("(expected: only with --preset=streams)");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=streams", "--threads=3"))
			.withMessageStartingWith("--threads");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=streams", "--directions="))
			.withMessageContaining("at least one");
	}

	@Test
	void theServersOfJsonCanBeNarrowed() {
		assertThat(JsonOptions.DEFAULT.systems()).containsExactly("ours-http", "ours-http-loop", "webmvc",
				"netty-http");
		JsonOptions narrowed = Options
			.parse("--preset=json", "--systems=ours-http,netty-http", "--forks=1", "--rounds=2", "--slice=300",
					"--preparation=70")
			.json();
		assertThat(narrowed).isEqualTo(new JsonOptions(List.of("ours-http", "netty-http"), 1, 2, 300, 70));
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=json", "--systems=nobody"))
			.withMessageStartingWith("system: nobody");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=json", "--systems="))
			.withMessageStartingWith("--systems: empty");
	}

	private String baseline() throws IOException {
		for (String jar : List.of("rpc-runtime-1.jar", "rpc-spring-boot-autoconfigure-1.jar")) {
			Files.write(this.folder.resolve(jar), new byte[0]);
		}
		return "--baseline=" + this.folder;
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
			.withMessage(
					"--preset: long (expected one of [full, short, quick, toy, gate, gate-short, gate-h2-short, instances, payload, h2, tls, goodput, streams, json])");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--preset=short", "--parts=virtual"))
			.withMessageStartingWith("--parts: [virtual]");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--gate-mean=97"))
			.withMessage("--gate-mean: 97 (expected: a ratio such as 0.97)");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--fast"))
			.withMessageStartingWith("option: --fast");
	}

	@Test
	void h2load_isAPartOfH2_andOfNoOtherPreset() {
		assertThat(Options.parse("--preset=h2").h2load()).isTrue();
		assertThat(Options.parse("--preset=h2", "--parts=h2load").parts()).isEmpty();
		assertThat(Options.parse("--preset=h2", "--parts=h2").h2load()).isFalse();
		assertThat(Options.parse("--preset=h2", "--systems=ours-h2,grpc").h2load()).isFalse();
		assertThat(Options.parse("--preset=short").h2load()).isFalse();
	}

	@Test
	void tlsCosts_areAPartOfTls_andOfNoOtherPreset() {
		assertThat(Options.parse("--preset=tls").tlsCosts()).isTrue();
		assertThat(Options.parse("--preset=tls", "--parts=tls-costs").parts()).isEmpty();
		assertThat(Options.parse("--preset=tls", "--parts=tls").tlsCosts()).isFalse();
		assertThat(Options.parse("--preset=tls", "--systems=ours,ours-tls-jdk").tlsCosts()).isFalse();
		assertThat(Options.parse("--preset=h2").tlsCosts()).isFalse();
	}

}
