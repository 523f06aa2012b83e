package io.rpcboot.internal.transport.eventloop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecoveryTaskTests {

	private final EmbeddedChannel channel = new EmbeddedChannel();

	private final LoopHeartbeat pulse = new LoopHeartbeat();

	/** Calls that find no memory from now on. */
	private int failures;

	private final EventLoop loop = starved(EventLoop.class, this.channel.eventLoop(), Set.of("execute"));

	private final Channel starved = starved(Channel.class, this.channel, Set.of("close"));

	private <T> T starved(Class<T> type, T target, Set<String> methods) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				if (methods.contains(method.getName()) && this.failures-- > 0) {
					throw new OutOfMemoryError("injected");
				}
				if (method.getName().equals("eventLoop")) {
					return this.loop;
				}
				try {
					return method.invoke(target, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	private RecoveryTask trouble() {
		return new RecoveryTask(this.starved, () -> {
		}, this.pulse);
	}

	@Test
	void failedClose_isRepeatedByHeartbeat() {
		this.failures = 3;
		trouble().close();
		for (int i = 0; i < 2; i++) {
			assertThat(this.channel.isOpen()).isTrue();
			this.pulse.run();
		}
		assertThat(this.channel.isOpen()).isTrue();
		this.pulse.run();
		assertThat(this.channel.isOpen()).isFalse();
	}

	@Test
	void failedTasks_areRepeatedSeparately() {
		RecoveryTask[] all = { trouble(), trouble(), trouble() };
		this.failures = 6;
		for (RecoveryTask each : all) {
			each.close();
		}
		this.pulse.run();
		assertThat(this.failures).as("three attempts, and three more").isZero();
		assertThat(this.channel.isOpen()).isTrue();
		this.pulse.run();
		assertThat(this.channel.isOpen()).isFalse();
	}

	/** A task that throws beats never again. */
	@Test
	void failedDrain_isRepeated_withoutEndingHeartbeat() {
		AtomicInteger runs = new AtomicInteger();
		RecoveryTask first = new RecoveryTask(this.channel, () -> {
			if (runs.incrementAndGet() == 1) {
				throw new OutOfMemoryError("on purpose");
			}
		}, this.pulse);
		AtomicInteger others = new AtomicInteger();
		RecoveryTask second = new RecoveryTask(this.channel, others::incrementAndGet, this.pulse);
		second.drainLater(new OutOfMemoryError("on purpose"));
		first.drainLater(new OutOfMemoryError("on purpose"));
		this.pulse.run();
		assertThat(others).hasValue(1);
		this.pulse.run();
		assertThat(runs).hasValue(2);
	}

	@Test
	void unscheduledQueue_isDrained_afterRetry() {
		WriteQueue queue = new WriteQueue(this.starved, new FlushPolicy(BatchingOptions.defaults()), null);
		queue.afterBatch(() -> {
		});
		TestFrame first = new TestFrame(1, 10);
		TestFrame second = new TestFrame(2, 10);
		this.failures = 1;
		assertThat(queue.enqueue(first)).isTrue();
		assertThat(queue.enqueue(second)).isTrue();
		this.channel.runPendingTasks();
		assertThat(first.ends() + second.ends()).isZero();
		queue.trouble.tryAgain();
		this.channel.runPendingTasks();
		assertThat(first.ends()).isOne();
		assertThat(second.ends()).isOne();
		TestFrame third = new TestFrame(3, 10);
		queue.enqueue(third);
		this.channel.runPendingTasks();
		assertThat(third.ends()).as("and the next is scheduled as ever").isOne();
		this.channel.finishAndReleaseAll();
	}

}
