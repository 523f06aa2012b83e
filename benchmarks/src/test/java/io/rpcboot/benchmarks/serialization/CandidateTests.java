package io.rpcboot.benchmarks.serialization;

import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is measured works: every serializer brings every sample back equal.
 */
class CandidateTests {

	@ParameterizedTest
	@MethodSource
	void valueComesBackEqual(Serializers serializer, Sample sample) throws Exception {
		Candidate candidate = serializer.create(sample);
		Object value = sample.value();
		int size = candidate.serialize(value);
		assertThat(candidate.serialize(value)).isEqualTo(size);
		byte[] bytes = candidate.bytes();
		assertThat(bytes).hasSize(size);
		assertThat(candidate.deserialize(bytes)).usingRecursiveComparison().isEqualTo(value);
	}

	static Stream<Arguments> valueComesBackEqual() {
		return Arrays.stream(Serializers.values())
			.flatMap((serializer) -> Arrays.stream(Sample.values()).map((sample) -> Arguments.of(serializer, sample)));
	}

}
