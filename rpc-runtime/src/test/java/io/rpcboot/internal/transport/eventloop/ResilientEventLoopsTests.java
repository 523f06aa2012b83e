package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.concurrent.EngineHealth;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ResilientEventLoopsTests {

	private final EngineHealth health = new EngineHealth();

	private final AtomicBoolean closing = new AtomicBoolean();

	private final BrokenIo io = new BrokenIo();

	private final ResilientEventLoops loops = new ResilientEventLoops(1, "test-loop-", (executor) -> this.io,
			this.health, this.closing::get);

	private final EventLoop loop = this.loops.next();

	@AfterEach
	void stop() {
		this.closing.set(true);
		this.loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(20, TimeUnit.SECONDS);
		assertThat(this.loops.isTerminated()).isTrue();
	}

	private Thread thread() throws Exception {
		CompletableFuture<Thread> result = new CompletableFuture<>();
		this.loop.execute(() -> result.complete(Thread.currentThread()));
		return result.get(20, TimeUnit.SECONDS);
	}

	@Test
	void busyTime_isCountedAndReadingStartsNoThread() throws Exception {
		assertThat(this.loops.busyNanos()).isZero();
		assertThat(this.loops.pendingTasks()).isZero();
		long start = System.nanoTime();
		this.loop.submit(() -> spin(TimeUnit.MILLISECONDS.toNanos(20))).get(20, TimeUnit.SECONDS);
		Eventually.until("it is counted", () -> this.loops.busyNanos() >= TimeUnit.MILLISECONDS.toNanos(20));
		assertThat(this.loops.busyNanos()).isLessThanOrEqualTo(System.nanoTime() - start);
	}

	@Test
	void blockedLoop_reportsLastBusyTimeAndPendingTasks() throws Exception {
		thread();
		thread(); // behind the task that says that the loop has started
		CompletableFuture<Boolean> gate = new CompletableFuture<>();
		Future<Boolean> stuck = this.loop.submit(() -> gate.get(20, TimeUnit.SECONDS));
		long before = this.loops.busyNanos();
		Eventually.until("the question waits, too", () -> this.loops.pendingTasks() > 0);
		assertThat(this.loops.busyNanos()).isEqualTo(before);
		gate.complete(true);
		assertThat(stuck.get(20, TimeUnit.SECONDS)).isTrue();
		Eventually.until("it is counted when it is over", () -> this.loops.busyNanos() > before);
	}

	private static void spin(long nanos) {
		long start = System.nanoTime();
		while (System.nanoTime() - start < nanos) {
			Thread.onSpinWait();
		}
	}

	@Test
	void ioError_endsNoEventLoop() throws Exception {
		Thread before = thread();
		this.io.failures.set(3);
		this.loop.execute(() -> {
		});
		Eventually.until("it has failed", () -> this.io.failures.get() == 0);
		assertThat(thread()).isSameAs(before);
		CompletableFuture<Boolean> timer = new CompletableFuture<>();
		this.loop.schedule(() -> timer.complete(true), 5, TimeUnit.MILLISECONDS);
		assertThat(timer.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.health.failure()).isEmpty();
	}

	@Test
	void permanentIoFailure_endsLoopAndIsReported() throws Exception {
		thread();
		this.io.failures.set(Integer.MAX_VALUE);
		this.loop.execute(() -> {
		});
		Eventually.until("it is told", () -> !this.health.failure().isEmpty());
		assertThat(this.health.failure()).isEqualTo("thread test-loop-1 has ended: java.lang.OutOfMemoryError: io");
	}

	@Test
	void taskError_endsNoEventLoop() throws Exception {
		Thread before = thread();
		this.loop.execute(() -> {
			throw new OutOfMemoryError("task");
		});
		this.loop.schedule((Runnable) () -> {
			throw new StackOverflowError("timer");
		}, 1, TimeUnit.MILLISECONDS);
		assertThat(thread()).isSameAs(before);
	}

	@Test
	void repeatedTask_runsAgain_afterError() {
		AtomicInteger runs = new AtomicInteger();
		this.loop.scheduleWithFixedDelay(() -> {
			runs.incrementAndGet();
			throw new OutOfMemoryError("repeated");
		}, 1, 1, TimeUnit.MILLISECONDS);
		Eventually.until("it runs again", () -> runs.get() > 3);
	}

	@Test
	void lateRegistration_isNotLogged_afterShutdown() throws Exception {
		thread();
		this.closing.set(true);
		this.loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(20, TimeUnit.SECONDS);
		try (LogRecorder log = new LogRecorder("rpc.engine")) {
			NioSocketChannel channel = new NioSocketChannel();
			ChannelFuture registered = this.loop.register(channel).awaitUninterruptibly();
			assertThat(registered.cause()).isInstanceOf(RejectedExecutionException.class);
			assertThat(channel.isOpen()).isFalse();
			assertThat(log.messages()).isEmpty();
		}
	}

	@Test
	void registerError_failsRegistration() throws Exception {
		thread();
		this.io.refusesHandles = true;
		NioSocketChannel channel = new NioSocketChannel();
		ChannelFuture registered = this.loop.register(channel).awaitUninterruptibly();
		assertThat(registered.cause()).isInstanceOf(OutOfMemoryError.class);
		assertThat(channel.isOpen()).isFalse();
		assertThat(thread()).isInstanceOf(EventLoopThread.class);
	}

	@Test
	void startFailure_isReportedAsEngineFailure() {
		this.io.cannotStart = true;
		this.loop.execute(() -> {
		});
		Eventually.until("it is told", () -> !this.health.failure().isEmpty());
		assertThat(this.health.failure())
			.isEqualTo("thread test-loop-1 has ended: java.lang.NoClassDefFoundError: native");
	}

	@Test
	void foreignShutdown_isReportedAsEngineFailure() throws Exception {
		thread();
		this.loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
		Eventually.until("it is told", () -> !this.health.failure().isEmpty());
		assertThat(this.health.failure()).isEqualTo("thread test-loop-1 has ended: it was stopped from outside");
	}

	@Test
	void ownShutdown_isNotReported() throws Exception {
		Thread before = thread();
		this.closing.set(true);
		this.loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
		before.join(20_000);
		assertThat(before.isAlive()).isFalse();
		assertThat(this.health.failure()).isEmpty();
	}

	/** Waits for nothing but tasks, and fails when it is told to. */
	private static final class BrokenIo implements IoHandler {

		final AtomicInteger failures = new AtomicInteger();

		volatile boolean cannotStart;

		volatile boolean refusesHandles;

		@Override
		public void initialize() {
			if (this.cannotStart) {
				throw new NoClassDefFoundError("native");
			}
		}

		@Override
		public int run(IoHandlerContext context) {
			if (this.failures.get() > 0 && this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
				throw new OutOfMemoryError("io");
			}
			if (context.canBlock()) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
			return 0;
		}

		@Override
		public IoRegistration register(IoHandle handle) {
			if (this.refusesHandles) {
				throw new OutOfMemoryError("register");
			}
			throw new UnsupportedOperationException();
		}

		@Override
		public void wakeup() {
			// it never sleeps long
		}

		@Override
		public boolean isCompatible(Class<? extends IoHandle> type) {
			return NioIoHandle.class.isAssignableFrom(type);
		}

	}

}
