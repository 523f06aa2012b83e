package io.rpcboot.internal.server.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests when the holders of threads are logged. */
@Timeout(60)
class PoolExhaustionMonitorTests {

	private final WorkerPool pool = new WorkerPool("watched-", 1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicBoolean waitsForLimits = new AtomicBoolean();

	private final AtomicLong clock = new AtomicLong();

	private final PoolExhaustionMonitor watch = new PoolExhaustionMonitor(new WorkerPoolStats(this.pool),
			this.waitsForLimits::get, this.clock::get);

	private final LogRecorder log = new LogRecorder("rpc.server");

	/** One task has the only thread, another waits for it. */
	@BeforeEach
	void usedUp() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		this.pool.publish(() -> {
			begun.countDown();
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		this.pool.wake();
		assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
		this.pool.publish(() -> {
		});
	}

	@AfterEach
	void close() {
		this.log.close();
		this.gate.countDown();
		this.pool.close();
	}

	private void looks(int number) {
		for (int i = 0; i < number; i++) {
			this.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
			this.watch.check();
		}
	}

	@Test
	void exhaustion_isLoggedOnceAMinute() {
		looks(1);
		assertThat(this.log.messages()).as("it may be over in a moment").isEmpty();
		looks(60);
		assertThat(this.log.messages()).singleElement()
			.asString()
			.startsWith(
					"All 1 threads are in use and 1 calls wait for one (pool.max-threads). In use for other tasks: 1");
		looks(60);
		assertThat(this.log.messages()).hasSize(2);
	}

	@Test
	void configuredLimit_isNotLoggedAsExhaustion() {
		this.waitsForLimits.set(true);
		looks(120);
		assertThat(this.log.messages()).isEmpty();
		assertThat(this.watch.describe().usedUp()).isNull();
		assertThat(this.watch.describe().waiting()).isOne();
		this.waitsForLimits.set(false);
		looks(2);
		assertThat(this.log.messages()).hasSize(1);
	}

}
