package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("races")
class DurationsTests {

	@Test
	void concurrentCalls_areCountedOnce_duringDrainAndResize() throws Exception {
		Durations durations = new Durations(1);
		int each = 300_000;
		List<Thread> threads = new ArrayList<>();
		CountDownLatch running = new CountDownLatch(3);
		for (int i = 0; i < 3; i++) {
			int bucket = i;
			Thread thread = new Thread(() -> {
				running.countDown();
				for (int call = 0; call < each; call++) {
					durations.add(bucket, 1);
				}
			});
			threads.add(thread);
			thread.start();
		}
		running.await();
		int[] counts = new int[Buckets.COUNT];
		long drained = 0;
		for (int round = 0; threads.stream().anyMatch(Thread::isAlive); round++) {
			drained += durations.drain(counts);
			if (round % 2 == 0) {
				durations.widen(4);
			}
		}
		drained += durations.drain(counts);
		assertThat(drained).isEqualTo(3L * each);
		assertThat(Arrays.copyOf(counts, 4)).containsExactly(each, each, each, 0);
	}

	@Test
	void removedStripes_areDrained_whenNarrowed() throws Exception {
		Durations durations = new Durations(1);
		durations.widen(8);
		for (int i = 0; i < 8; i++) {
			Thread thread = new Thread(() -> durations.add(7, 1));
			thread.start();
			thread.join();
		}
		durations.narrow();
		durations.add(7, 1);
		int[] counts = new int[Buckets.COUNT];
		assertThat(durations.stripes()).isEqualTo(1);
		assertThat(durations.drain(counts)).isEqualTo(9);
		assertThat(counts[7]).isEqualTo(9);
		assertThat(durations.drain(counts)).isZero();
	}

	@Test
	void longestDuration_isReset_whenTaken() {
		Durations durations = new Durations(2);
		durations.took(5);
		durations.took(9);
		durations.took(7);
		assertThat(durations.takeLongest()).isEqualTo(9);
		assertThat(durations.takeLongest()).isZero();
	}

}
