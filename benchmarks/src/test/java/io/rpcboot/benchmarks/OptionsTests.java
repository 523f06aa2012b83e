package io.rpcboot.benchmarks;

import io.rpcboot.benchmarks.system.RpcSystem;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link Options}.
 */
class OptionsTests {

	@Test
	void defaultsAreEveryCallUnderEveryLoad() {
		Options options = Options.parse();
		assertThat(options.systems()).extracting(RpcSystem::name).containsExactly("ours", "netty", "grpc");
		assertThat(options.scenarios()).hasSize(20)
			.extracting(Scenario::toString)
			.contains("echo blocking 1", "listUser async 1024");
	}

	@Test
	void laterArgumentsOverrideEarlierOnes() {
		Options options = Options.parse("--quick", "--rounds=3", "--calls=getUser", "--threads=", "--in-flight=64");
		assertThat(options.rounds()).isEqualTo(3);
		assertThat(options.scenarios()).extracting(Scenario::toString).containsExactly("getUser async 64");
	}

	@Test
	void aWrongValueNamesOptionValueAndRule() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--rounds=0"))
			.withMessage("--rounds: 0 (expected: a number, at least 1)");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--slice=long"))
			.withMessageStartingWith("--slice: long");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--systems=dubbo"))
			.withMessageContaining("[ours, netty, grpc, grpc-direct]");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--fast"))
			.withMessageStartingWith("option: --fast");
	}

}
