package io.rpcboot.internal.client.pool;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The clock is what the tests say; it may begin anywhere, as that of the JVM. */
class WaitForReadyTests {

	private static final long WAIT = 1000;

	private final WaitForReady outlook = new WaitForReady();

	@ParameterizedTest
	@ValueSource(longs = { 0, Long.MAX_VALUE - 500, Long.MIN_VALUE })
	void unknownInstance_isAwaited_fromStartOfWait(long start) {
		assertThat(this.outlook.mayWait(start, WAIT, start)).isTrue();
		assertThat(this.outlook.mayWait(start, WAIT, start + WAIT - 1)).isTrue();
		assertThat(this.outlook.mayWait(start, WAIT, start + WAIT)).isFalse();
		this.outlook.onFirstOutcome();
		assertThat(this.outlook.mayWait(start, WAIT, start)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, Long.MAX_VALUE - 500, Long.MIN_VALUE })
	void lostInstance_isAwaited_fromLoss(long loss) {
		this.outlook.onFirstOutcome();
		this.outlook.onLost(loss);
		assertThat(this.outlook.mayWait(loss - 50 * WAIT, WAIT, loss + WAIT - 1)).isTrue();
		assertThat(this.outlook.mayWait(loss + WAIT, WAIT, loss + WAIT)).isFalse();
		this.outlook.onLost(loss + 3 * WAIT);
		assertThat(this.outlook.mayWait(loss, WAIT, loss + 4 * WAIT - 1)).isTrue();
		assertThat(this.outlook.mayWait(loss, WAIT, loss + 4 * WAIT)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void zeroTimeout_neverWaits(boolean lost) {
		if (lost) {
			this.outlook.onFirstOutcome();
			this.outlook.onLost(7);
		}
		assertThat(this.outlook.mayWait(7, 0, 7)).isFalse();
	}

}
