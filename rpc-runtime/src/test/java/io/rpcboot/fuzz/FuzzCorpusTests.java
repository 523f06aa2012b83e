package io.rpcboot.fuzz;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** Every input that the fuzzer kept, read again, without the fuzzer. */
class FuzzCorpusTests {

	@ParameterizedTest
	@MethodSource("names")
	void fuzzTarget_handlesCorpusInputs(String name) {
		FuzzTarget target = FuzzTargets.all().get(name).get();
		List<byte[]> inputs = FuzzCorpus.load(name);
		assertThat(inputs).as("run the fuzzer and keep what it finds").isNotEmpty();
		for (int i = 0; i < inputs.size(); i++) {
			byte[] input = inputs.get(i);
			assertThatCode(() -> target.run(input)).as("line %d of %s.txt", i + 1, name).doesNotThrowAnyException();
		}
	}

	@ParameterizedTest
	@MethodSource("names")
	void fuzzTarget_handlesValidInputs(String name) {
		FuzzTarget target = FuzzTargets.all().get(name).get();
		assertThat(target.seeds()).isNotEmpty().allSatisfy(target::run);
	}

	static Iterable<String> names() {
		return FuzzTargets.all().keySet();
	}

}
