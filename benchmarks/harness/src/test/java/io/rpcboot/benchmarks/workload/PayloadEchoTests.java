package io.rpcboot.benchmarks.workload;

import java.util.Arrays;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link PayloadEcho}.
 */
class PayloadEchoTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 16, 63, 65, 4096, 1_000_003 })
	void onlyTheSameBodyIsRight(int bytes) {
		PayloadEcho echo = new PayloadEcho(bytes);
		byte[] answer = (byte[]) echo.invoke(new DefaultBenchService(), 0);
		assertThat(answer).hasSize(bytes);
		assertThat(echo.isRight(0, answer.clone())).isTrue();
		assertThat(echo.isRight(0, Arrays.copyOf(answer, bytes + 1))).isFalse();
		assertThat(echo.isRight(0, Arrays.copyOf(answer, bytes - 1))).isFalse();
		for (int position : new int[] { 0, bytes - 1 }) {
			byte[] wrong = answer.clone();
			wrong[position]++;
			assertThat(echo.isRight(0, wrong)).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 256, 65_536, 4_194_304 })
	void aPartThatIsMissingOrMovedIsNoticed(int bytes) {
		PayloadEcho echo = new PayloadEcho(bytes);
		byte[] answer = (byte[]) echo.invoke(new DefaultBenchService(), 0);
		byte[] empty = answer.clone();
		Arrays.fill(empty, bytes / 2, bytes / 2 + bytes / 16, (byte) 0);
		assertThat(echo.isRight(0, empty)).isFalse();
		byte[] moved = answer.clone();
		System.arraycopy(answer, bytes / 4, moved, bytes / 4 + 1, bytes / 2);
		assertThat(echo.isRight(0, moved)).isFalse();
	}

}
