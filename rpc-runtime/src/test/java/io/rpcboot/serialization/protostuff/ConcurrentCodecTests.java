package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.zoo.Zoo;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One codec serves all threads.
 */
@Tag("races")
class ConcurrentCodecTests {

	private static final int THREADS = 8;

	private static final int ROUNDS = 500;

	private static final int CODECS = 50;

	@Test
	void codec_isSharedByThreads() throws Exception {
		shareAmongThreads(Codecs.method(Zoo.class, "users"), ROUNDS);
	}

	@Test
	void codec_isSharedByThreads_forFirstMessages() throws Exception {
		for (int codec = 0; codec < CODECS; codec++) {
			shareAmongThreads(Codecs.method(Zoo.class, "users"), 1);
		}
	}

	private static void shareAmongThreads(MethodCodec codec, int rounds) throws Exception {
		CountDownLatch start = new CountDownLatch(THREADS);
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				int number = thread;
				results.add(threads.submit(() -> {
					start.countDown();
					start.await();
					for (int round = 0; round < rounds; round++) {
						Page<User> page = new UserServiceImpl().listUser(number * rounds + round);
						assertThat(Codecs.echo(codec, page).equals(page)).isTrue();
					}
					return null;
				}));
			}
			for (Future<?> each : results) {
				each.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

}
