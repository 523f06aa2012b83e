package io.rpcboot.benchmarks.fork;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link LoadSpec}.
 */
class LoadSpecTests {

	static Stream<LoadSpec> loads() {
		return Stream.of(LoadSpec.blocking(32), LoadSpec.virtual(1000), LoadSpec.async(4, 1024),
				LoadSpec.async(32, 1024).atRate(5_000), LoadSpec.burst(), LoadSpec.blocking(16).withBody(65_536),
				LoadSpec.blocking(1).atRate(10).withBody(4 << 20), LoadSpec.blocking(1).withBody(100));
	}

	@ParameterizedTest
	@MethodSource("loads")
	void aProcessReadsWhatTheDriverWrote(LoadSpec load) {
		assertThat(LoadSpec.parse(load.toString())).isEqualTo(load);
		assertThat(load.toString()).doesNotContain(" ");
	}

	@Test
	void labelsTellLoadsApart() {
		assertThat(loads().map(LoadSpec::label).toList()).isEqualTo(
				List.of("blocking 32", "virtual 1000", "async 4", "async 32 at a fixed rate", "behind a sleeping call",
						"blocking 16 of 64 KB", "blocking 1 of 4 MB at a fixed rate", "blocking 1 of 100 B"));
	}

	@Test
	void aWrongLoadIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LoadSpec.blocking(0));
		assertThatIllegalArgumentException().isThrownBy(() -> LoadSpec.async(32, 31))
			.withMessageStartingWith("in flight: 31 (expected: at least one");
		assertThatIllegalArgumentException().isThrownBy(() -> LoadSpec.parse("blocking:32"))
			.withMessageStartingWith("load: blocking:32");
	}

}
