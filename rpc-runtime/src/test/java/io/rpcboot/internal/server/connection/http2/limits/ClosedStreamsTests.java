package io.rpcboot.internal.server.connection.http2.limits;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Ids of streams that a client uses, skips and uses again. */
class ClosedStreamsTests {

	private final ClosedStreams closed = new ClosedStreams();

	@Test
	void ids_areNew_inRisingOrder() {
		assertThat(this.closed.last()).isZero();
		assertThat(this.closed.open(1)).isTrue();
		assertThat(this.closed.open(3)).isTrue();
		assertThat(this.closed.open(Integer.MAX_VALUE)).isTrue();
		assertThat(this.closed.last()).isEqualTo(Integer.MAX_VALUE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4, 5, 6, 8, Integer.MAX_VALUE - 1 })
	void id_isRejected_whenItIsEvenOrNotHigher(int streamId) {
		this.closed.open(5);
		assertThat(this.closed.open(streamId)).isFalse();
		assertThat(this.closed.last()).isEqualTo(5);
	}

	@Test
	void id_isIdle_untilItIsUsed() {
		assertThat(this.closed.isIdle(1)).isTrue();
		this.closed.open(1);
		assertThat(this.closed.isIdle(1)).isFalse();
		assertThat(this.closed.isIdle(2)).as("an id of a server").isTrue();
		assertThat(this.closed.isIdle(3)).isTrue();
	}

	@Test
	void skippedId_isIdle_untilLaterOnesAreSkipped() {
		this.closed.open(1);
		this.closed.open(7);
		assertThat(this.closed.isIdle(5)).isTrue();
		assertThat(this.closed.isIdle(1)).isFalse();
		this.closed.open(9);
		assertThat(this.closed.isIdle(5)).as("no id was skipped").isTrue();
		this.closed.open(13);
		assertThat(this.closed.isIdle(11)).isTrue();
		assertThat(this.closed.isIdle(5)).isFalse();
	}

	@Test
	void streamsThatTheClientHasReset_areTold_fromThoseThatEndedHere() {
		this.closed.endedHere(1, 100);
		this.closed.resetThere(3, 100);
		assertThat(this.closed.isResetThere(1)).isFalse();
		assertThat(this.closed.isEndedHere(3)).isFalse();
		assertThat(this.closed.isResetThere(3)).isTrue();
		this.closed.endedHere(3, 100);
		assertThat(this.closed.isEndedHere(3)).isTrue();
	}

	@Test
	void last256StreamsThatEndedHere_areRemembered() {
		for (int i = 1; i <= 257; i++) {
			this.closed.endedHere(2 * i - 1, 100);
		}
		assertThat(this.closed.isEndedHere(1)).as("the oldest").isFalse();
		assertThat(this.closed.isEndedHere(3)).isTrue();
		assertThat(this.closed.isEndedHere(2 * 257 - 1)).isTrue();
		assertThat(this.closed.isEndedHere(2 * 258 - 1)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 100, 128, 200, 1000, 4096 })
	void lastStreams_areRemembered_upToTwiceTheLimit(int limit) {
		int ended = 10 * limit;
		for (int i = 1; i <= ended; i++) {
			this.closed.endedHere(2 * i - 1, (i < limit) ? 100 : limit);
		}
		for (int i = ended - 2 * limit + 1; i <= ended; i++) {
			assertThat(this.closed.isEndedHere(2 * i - 1)).as("%d of %d", i, ended).isTrue();
		}
		assertThat(this.closed.isEndedHere(1)).isFalse();
		assertThat(this.closed.isEndedHere(2 * ended + 1)).isFalse();
	}

}
