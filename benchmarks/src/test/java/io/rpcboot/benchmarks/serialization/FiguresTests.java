package io.rpcboot.benchmarks.serialization;

import java.nio.file.Path;
import java.util.List;

import io.rpcboot.benchmarks.Spread;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FiguresTests {

	private final Figures.Row ours = new Figures.Row(new Setup("JDK", Path.of("java"), List.of(), false), Sample.USER,
			Serializers.OURS);

	private final Figures.Row other = this.ours.of(Serializers.PROTOSTUFF);

	private final Figures figures = new Figures(3);

	@Test
	void ratioIsOfTheSumsOfEachRound() {
		add(this.ours, 1, 4, 3);
		add(this.other, 4, 4, 4);
		Spread ratio = this.figures.ratio(this.ours, this.other);
		assertThat(ratio).isEqualTo(new Spread(0.25, 0.75, 1));
		assertThat(this.figures.nanos(this.ours, Figures.SERIALIZE)).isEqualTo(1);
		assertThat(this.figures.allocated(this.ours, Figures.DESERIALIZE)).isEqualTo(8);
	}

	@Test
	void noRatioToWhatFailed() {
		add(this.ours, 1, 2, 3);
		assertThat(this.figures.ratio(this.ours, this.other).median()).isNaN();
		assertThat(this.figures.nanos(this.other, Figures.SERIALIZE)).isNaN();
	}

	@Test
	void onlyNewJdksAreMeasuredWithUnsafeDenied() {
		assertThat(Setup.of(Path.of("java"), 17)).extracting(Setup::denied).containsExactly(false);
		assertThat(Setup.of(Path.of("java"), 25)).extracting(Setup::denied).containsExactly(false, true);
	}

	@Test
	void optionsAreChecked() {
		assertThat(SerializationOptions.parse("--quick", "--rounds=5").rounds()).isEqualTo(1);
		assertThat(SerializationOptions.parse("--rounds=5").rounds()).isEqualTo(5);
		assertThatIllegalArgumentException().isThrownBy(() -> SerializationOptions.parse("--rounds=0"))
			.withMessage("--rounds: 0 (expected: 1 to 99)");
		assertThatIllegalArgumentException().isThrownBy(() -> SerializationOptions.parse("--fast"))
			.withMessageStartingWith("option: --fast (expected one of)");
	}

	private void add(Figures.Row row, double... nanos) {
		for (double each : nanos) {
			this.figures.add(new Figures.Key(row, Figures.SERIALIZE), new Figures.Figure(each, 0));
			this.figures.add(new Figures.Key(row, Figures.DESERIALIZE), new Figures.Figure(each, 8));
		}
	}

}
