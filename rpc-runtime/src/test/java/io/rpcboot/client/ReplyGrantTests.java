package io.rpcboot.client;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplyGrantTests {

	@Test
	void isRaisedWhenHalfOfTheWindowIsFree() {
		ReplyGrant grant = new ReplyGrant(100);
		assertThat(grant.granted()).isEqualTo(100);
		assertThat(grant.take(49)).isFalse();
		assertThat(grant.take(1)).isTrue();
		assertThat(grant.granted()).isEqualTo(150);
		assertThat(grant.take(49)).isFalse();
		assertThat(grant.take(5000)).isTrue();
		assertThat(grant.granted()).isEqualTo(5199);
	}

	/**
	 * What a loser of the race took must not be forgotten: nobody would tell it later.
	 */
	@Test
	void nothingIsForgottenWhenManyTakeAtOnce() throws InterruptedException {
		for (int round = 0; round < 200; round++) {
			ReplyGrant grant = new ReplyGrant(2);
			int threads = 4;
			CountDownLatch go = new CountDownLatch(1);
			AtomicLong taken = new AtomicLong();
			Thread[] all = new Thread[threads];
			for (int i = 0; i < threads; i++) {
				all[i] = new Thread(() -> {
					awaitQuietly(go);
					for (int n = 0; n < 50; n++) {
						grant.take(1000);
						taken.addAndGet(1000);
					}
				});
				all[i].start();
			}
			go.countDown();
			for (Thread each : all) {
				each.join();
			}
			assertThat(grant.granted()).isEqualTo(taken.get() + 2);
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
