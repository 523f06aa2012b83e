package io.rpcboot.benchmarks.startup;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of {@link StartupFigures} and {@link StartupOptions}.
 */
class StartupFiguresTests {

	@Test
	void aLineHasAllFigures() {
		assertThat(StartupFigures.parse("FIGURES 1500 2900 11.100 18.250 3.5 11.200"))
			.isEqualTo(new StartupFigures(1500, 2900, 11.1, 18.25, 3.5, 11.2));
	}

	@Test
	void aLineWithoutAFigureIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> StartupFigures.parse("FIGURES 1500 2900"))
			.withMessageContaining("expected: 6 numbers");
	}

	@Test
	void optionsAreChecked() {
		assertThat(StartupOptions.parse("--rounds=3", "--services=20")).satisfies((options) -> {
			assertThat(options.rounds()).isEqualTo(3);
			assertThat(options.services()).isEqualTo(20);
		});
		assertThatIllegalArgumentException().isThrownBy(() -> StartupOptions.parse("--rounds=0"));
		assertThatIllegalArgumentException().isThrownBy(() -> StartupOptions.parse("--services=1001"));
		assertThatIllegalArgumentException().isThrownBy(() -> StartupOptions.parse("--unknown"));
	}

}
