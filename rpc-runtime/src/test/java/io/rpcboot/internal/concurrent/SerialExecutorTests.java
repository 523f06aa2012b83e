package io.rpcboot.internal.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(30)
@Tag("races")
class SerialExecutorTests {

	private final Deque<Runnable> handed = new ArrayDeque<>();

	private final List<String> done = new ArrayList<>();

	private final SerialExecutor executor = new SerialExecutor(this.handed::add);

	@Test
	void tasks_areHandedOverInBatches() {
		for (int i = 0; i < 100; i++) {
			add("a" + i);
		}
		assertThat(this.handed).hasSize(1);
		this.handed.remove().run();
		assertThat(this.done).hasSize(64).startsWith("a0", "a1").endsWith("a63");
		assertThat(this.handed).hasSize(1);
		this.handed.remove().run();
		assertThat(this.done).hasSize(100).endsWith("a99");
		assertThat(this.handed).as("nothing is left").isEmpty();
	}

	@Test
	void executor_keepsTask_whenDelegateRejectsHandover() {
		SerialExecutor refused = new SerialExecutor((task) -> {
			if (this.done.isEmpty()) {
				this.done.add("refused");
				throw new OutOfMemoryError("injected");
			}
			task.run();
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> refused.execute(() -> this.done.add("a")));
		refused.execute(() -> this.done.add("b"));
		assertThat(this.done).containsExactly("refused", "a", "b");
	}

	/** As a pool that is closed: whoever adds a task runs it. */
	@Test
	void nestedTasks_runWithoutStackOverflow_whenDelegateRunsThemAtOnce() {
		SerialExecutor atOnce = new SerialExecutor(Runnable::run);
		AtomicInteger ran = new AtomicInteger();
		atOnce.execute(() -> {
			for (int i = 0; i < 20_000; i++) {
				atOnce.execute(ran::incrementAndGet);
			}
		});
		assertThat(ran).hasValue(20_000);
	}

	@Test
	void lateTask_isHandedOver_afterEarlierBatchEnded() {
		add("a");
		this.handed.remove().run();
		add("b");
		this.handed.remove().run();
		assertThat(this.done).containsExactly("a", "b");
	}

	@Test
	void task_mayAddAnotherTask() {
		this.executor.execute(() -> add("later"));
		this.handed.remove().run();
		assertThat(this.done).containsExactly("later");
	}

	@Test
	void failedTask_isReportedAndNextTaskRuns() {
		this.executor.execute(() -> {
			throw new IllegalStateException("on purpose");
		});
		add("next");
		assertThatIllegalStateException().isThrownBy(() -> this.handed.remove().run()).withMessage("on purpose");
		assertThat(this.handed).hasSize(1);
		this.handed.remove().run();
		assertThat(this.done).containsExactly("next");
	}

	@Test
	void tasks_runOnceEach_withoutOverlap() throws Exception {
		int count = 20_000;
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			SerialExecutor serial = new SerialExecutor(threads);
			AtomicInteger running = new AtomicInteger();
			AtomicInteger together = new AtomicInteger();
			CountDownLatch ended = new CountDownLatch(count);
			for (int i = 0; i < 4; i++) {
				new Thread(() -> {
					for (int j = 0; j < count / 4; j++) {
						serial.execute(() -> {
							together.addAndGet(running.getAndIncrement());
							running.decrementAndGet();
							ended.countDown();
						});
					}
				}).start();
			}
			assertThat(ended.await(20, TimeUnit.SECONDS)).as("%d are left", ended.getCount()).isTrue();
			assertThat(together).hasValue(0);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void add(String name) {
		this.executor.execute(() -> this.done.add(name));
	}

}
