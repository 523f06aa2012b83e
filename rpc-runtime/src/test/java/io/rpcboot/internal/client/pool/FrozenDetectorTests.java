package io.rpcboot.internal.client.pool;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.client.pool.FrozenDetector.Finding;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FrozenDetectorTests {

	private final FrozenDetector silence = new FrozenDetector();

	private long sent;

	private boolean loopRuns = true;

	private long now = Long.MAX_VALUE - 5 * FrozenDetector.CHECK_NANOS; // it overflows

	private Finding look(int reads, int pending) {
		this.now += FrozenDetector.CHECK_NANOS;
		Finding found = this.silence.check(reads, pending, this.sent, this.now);
		if (found == Finding.CHECK_LOOP && this.loopRuns) {
			this.silence.loopRuns(this.silence.loopCheck());
		}
		return found;
	}

	private List<Finding> looks(int count, int reads, int pending) {
		List<Finding> found = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			found.add(look(reads, pending));
		}
		return found;
	}

	@Test
	void idleServer_isNeverFrozen_withoutPendingReply() {
		assertThat(looks(100_000, 7, 0)).containsOnly(Finding.NONE);
		assertThat(this.silence.isFrozen()).isFalse();
	}

	@Test
	void respondingServer_isNeverProbed() {
		for (int i = 1; i < 100; i++) {
			assertThat(looks(4, i, 3)).containsOnly(Finding.NONE);
		}
	}

	/** A slow implementation leaves its event loop free. */
	@Test
	void slowServer_isNotFrozen_whenItAnswersProbes() {
		int reads = 1;
		int probes = 0;
		for (int i = 0; i < 1000; i++) {
			Finding found = look(reads, 1);
			assertThat(found).isIn(Finding.NONE, Finding.PROBE);
			if (found == Finding.PROBE) {
				probes++;
				reads++;
			}
		}
		assertThat(probes).isBetween(150, 200);
	}

	@Test
	void silentServer_isFrozen_within3s() {
		look(1, 0);
		List<Finding> found = looks(10, 1, 2);
		assertThat(found).containsOnlyOnce(Finding.PROBE, Finding.CHECK_LOOP, Finding.FROZEN);
		assertThat(found.indexOf(Finding.PROBE)).isEqualTo(4);
		assertThat(found.indexOf(Finding.FROZEN)).isEqualTo(9);
		assertThat(looks(1000, 1, 2)).containsOnly(Finding.NONE);
		assertThat(this.silence.isFrozen()).isTrue();
	}

	/** Silence tells nothing of a server that was not asked. */
	@Test
	void slowServer_isNotFrozen_whenItMayNotBeProbed() {
		int probes = 0;
		for (int i = 0; i < 1000; i++) {
			Finding found = look(1, 1);
			assertThat(found).isIn(Finding.NONE, Finding.PROBE);
			if (found == Finding.PROBE) {
				probes++;
				this.silence.notProbed(this.now);
			}
		}
		assertThat(probes).isBetween(150, 250);
	}

	/** With short timeouts nothing is pending most of the time. */
	@Test
	void expiredCall_countsAsUnanswered() {
		look(1, 0);
		look(1, 1);
		assertThat(looks(10, 1, 0)).contains(Finding.PROBE, Finding.FROZEN);
	}

	@Test
	void frozenServer_recovers_afterAnyByte() {
		look(1, 0);
		looks(20, 1, 2);
		assertThat(look(2, 2)).isEqualTo(Finding.RECOVERED);
		assertThat(this.silence.isFrozen()).isFalse();
		assertThat(looks(9, 2, 0)).containsOnly(Finding.NONE);
	}

	/** What stood still was this process. */
	@Test
	void pauseOfClient_isNotCountedAsSilence() {
		look(1, 0);
		look(1, 1);
		this.now += 60_000_000_000L;
		assertThat(look(1, 1)).isEqualTo(Finding.PROBE);
		this.now += 60_000_000_000L;
		assertThat(look(1, 1)).isEqualTo(Finding.NONE);
		assertThat(look(2, 1)).isEqualTo(Finding.NONE);
		assertThat(this.silence.isFrozen()).isFalse();
	}

	/** Its answer to the probe comes after what was sent. */
	@Test
	void verdict_isDelayed_whileLargeOutputIsTransferred() {
		look(1, 0);
		this.sent = 8_000_000;
		assertThat(looks(4 * 9, 1, 1)).doesNotContain(Finding.FROZEN);
		assertThat(looks(8, 1, 1)).contains(Finding.FROZEN);
		look(2, 1);
		assertThat(looks(10, 2, 1)).as("what was sent before counts no more").contains(Finding.FROZEN);
	}

	/** A client whose event loop is blocked hears nobody. */
	@Test
	void verdict_isDeferred_whileEventLoopIsBlocked() {
		this.loopRuns = false;
		look(1, 0);
		assertThat(looks(100, 1, 1)).containsOnlyOnce(Finding.PROBE, Finding.CHECK_LOOP).doesNotContain(Finding.FROZEN);
		this.silence.loopRuns(this.silence.loopCheck());
		assertThat(look(1, 1)).isEqualTo(Finding.FROZEN);
		assertThat(look(2, 1)).isEqualTo(Finding.RECOVERED);
	}

	/** The event loop answers the check of an earlier silence after the next read. */
	@Test
	void verdict_isDeferred_whenOnlyEarlierLoopCheckIsAnswered() {
		this.loopRuns = false;
		look(1, 0);
		assertThat(looks(20, 1, 1)).contains(Finding.CHECK_LOOP);
		int earlier = this.silence.loopCheck();
		look(2, 1);
		this.silence.loopRuns(earlier);
		assertThat(looks(100, 2, 1)).contains(Finding.CHECK_LOOP).doesNotContain(Finding.FROZEN);
		this.silence.loopRuns(this.silence.loopCheck());
		assertThat(look(2, 1)).isEqualTo(Finding.FROZEN);
	}

}
