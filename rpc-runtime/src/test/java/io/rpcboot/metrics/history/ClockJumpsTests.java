package io.rpcboot.metrics.history;

import java.time.Duration;
import java.util.Arrays;

import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClockJumpsTests {

	private final ManualHistory manual = new ManualHistory();

	private final CallRecorder recorder = this.manual.client(0);

	@Test
	void timestamps_followWallClock() {
		this.manual.ticks(3);
		assertThat(this.manual.history.values(0).times()).containsExactly(ManualHistory.START + 5_000,
				ManualHistory.START + 10_000, ManualHistory.START + 15_000);
	}

	@Test
	void timestamps_areShifted_whenClockIsSetBack() {
		this.manual.ticks(3);
		this.manual.setWallClock(Duration.ofHours(-1));
		this.manual.tick();
		assertThat(this.manual.history.values(0).times()).containsExactly(this.manual.now() - 15_000,
				this.manual.now() - 10_000, this.manual.now() - 5_000, this.manual.now());
	}

	@Test
	void reader_receivesEverything_afterClockIsSetBack() {
		this.manual.ticks(3);
		long read = this.manual.now();
		this.manual.setWallClock(Duration.ofHours(-1));
		this.manual.tick();
		assertThat(this.manual.history.values(read).times()).hasSize(4);
		assertThat(this.manual.history.values(this.manual.now()).times()).isEmpty();
		this.manual.tick();
		assertThat(this.manual.history.values(this.manual.now() - 5_000).times()).containsExactly(this.manual.now());
	}

	@Test
	void timestamps_haveGap_whenClockIsSetForward() {
		this.manual.ticks(2);
		long before = this.manual.now();
		this.manual.setWallClock(Duration.ofHours(1));
		ManualHistory.calls(this.recorder, 50);
		this.manual.tick();
		assertThat(this.manual.history.values(0).times()).containsExactly(before - 5_000, before,
				before + 3_600_000 + 5_000);
		assertThat(this.manual.last(HistoryValue.CLIENT_CALLS)).isEqualTo(10);
	}

	@Test
	void timestamps_increase_withAnyClockJumps() {
		for (int i = 0; i < 200; i++) {
			this.manual.setWallClock(Duration.ofMillis((i * 7919L) % 40_000 - 20_000));
			this.manual.tick();
			long[] times = this.manual.history.values(0).times();
			assertThat(times).isSorted().doesNotHaveDuplicates().hasSize(Math.min(180, i + 1));
			assertThat(times[times.length - 1]).isEqualTo(this.manual.now());
		}
	}

	@Test
	void lateTick_isOneTickOfLongerTime() {
		ManualHistory.calls(this.recorder, 200);
		this.manual.pass(Duration.ofSeconds(15));
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.CLIENT_CALLS)).isEqualTo(10);
		assertThat(this.manual.series(Side.CLIENT, 0).calls()).containsExactly(200);
	}

	@Test
	void tick_isSkipped_withoutElapsedTime() {
		ManualHistory.call(this.recorder);
		this.manual.tick();
		ManualHistory.calls(this.recorder, 2);
		this.manual.history.tick();
		assertThat(this.manual.history.values(0).times()).hasSize(1);
		this.manual.tick();
		assertThat(this.manual.series(Side.CLIENT, 0).calls()).containsExactly(1, 2);
	}

	@Test
	void history_keeps15Minutes() {
		ManualHistory.call(this.recorder);
		this.manual.ticks(180);
		assertThat(Arrays.stream(this.manual.series(Side.CLIENT, 0).calls()).sum()).isEqualTo(1);
		this.manual.tick();
		assertThat(this.manual.history.values(0).times()).hasSize(180)
			.startsWith(ManualHistory.START + 10_000)
			.endsWith(this.manual.now());
		assertThat(Arrays.stream(this.manual.history.values(0).values().get("clientCalls")).sum()).isZero();
	}

}
