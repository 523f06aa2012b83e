package io.rpcboot.internal.transport.eventloop;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import io.rpcboot.internal.concurrent.EngineHealth;
import org.jspecify.annotations.Nullable;

/**
 * Event loops that survive what is thrown on them, and report their end to
 * {@link EngineHealth}.
 * <p>
 * Netty catches and logs the exceptions of handlers and tasks. An exception from anywhere
 * else, such as one of an appender of logs, would end the loop. Here the loop goes on
 * with the next round: the selector reports unprocessed events again, and the tasks and
 * timers are still in their queues. A loop that fails in {@value #MAX_FAILED_ROUNDS}
 * rounds in a row, which takes five seconds, ends.
 */
public final class ResilientEventLoops extends MultiThreadIoEventLoopGroup {

	private static final int MAX_FAILED_ROUNDS = 100;

	/**
	 * Longest time for tasks between two rounds of I/O. With Netty's default of one
	 * second hundreds of large results delay a small call for that second.
	 */
	private static final long TASKS_MILLIS = 20;

	/** Longest time to wait for the numbers of all loops together. */
	private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * Creates loops. Their threads start when needed.
	 * @param threads number of loops
	 * @param prefix begins the names of the threads
	 * @param handlers creates the I/O handlers
	 * @param health notified when a loop ends although it was not closed
	 * @param closing true if the loops may end
	 */
	public ResilientEventLoops(int threads, String prefix, IoHandlerFactory handlers, EngineHealth health,
			BooleanSupplier closing) {
		super(threads, executor(prefix, health, closing), handlers, health);
	}

	private static Executor executor(String prefix, EngineHealth health, BooleanSupplier closing) {
		AtomicInteger number = new AtomicInteger();
		return new ThreadPerTaskExecutor(
				(task) -> new LoopThread(task, prefix + number.incrementAndGet(), health, closing));
	}

	@Override
	protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... arguments) {
		return new Loop(this, executor, handlers, (EngineHealth) arguments[0]);
	}

	/** Returns the number of waiting tasks of all loops. Any thread. */
	public long pendingTasks() {
		return loops().mapToLong(Loop::pendingTasks).sum();
	}

	/**
	 * Returns the time in nanoseconds that all loops have spent on I/O and tasks. Netty
	 * measures it in each round, which needs the clock anyway; a running round counts
	 * when it is over. Any thread: asks each loop, and uses the last number of a loop
	 * that does not answer within 5 ms.
	 */
	public long busyNanos() {
		long deadline = System.nanoTime() + LONGEST_LOOK_NANOS;
		boolean waits = !(Thread.currentThread() instanceof EventLoopThread);
		for (Future<?> look : loops().flatMap((loop) -> loop.look().stream()).toList()) {
			if (waits) {
				look.awaitUninterruptibly(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
			}
		}
		return loops().mapToLong((loop) -> loop.busyNanos).sum();
	}

	private Stream<Loop> loops() {
		return StreamSupport.stream(spliterator(), false).map(Loop.class::cast);
	}

	/** Logs a failure on the event loop that is the current thread. Never throws. */
	public static void logSurvived(String where, Throwable failure) {
		if (Thread.currentThread() instanceof LoopThread loop) {
			loop.health.log().survived(where, failure);
		}
	}

	/** Logs why a connection was closed if that is an Error. Never throws. */
	public static void closed(Throwable reason) {
		if (reason instanceof Error) {
			logSurvived("A connection was closed", reason);
		}
	}

	private static final class LoopThread extends EventLoopThread {

		private final EngineHealth health;

		private final BooleanSupplier closing;

		/** Failure that ends the loop. */
		private @Nullable Throwable cause;

		LoopThread(Runnable target, String name, EngineHealth health, BooleanSupplier closing) {
			super(target, name);
			this.health = health;
			this.closing = closing;
		}

		@Override
		public void run() {
			try {
				super.run();
			}
			finally {
				if (!this.closing.getAsBoolean()) {
					this.health.failed("thread " + getName(), this.cause);
				}
			}
		}

		static void endsBy(Throwable cause) {
			if (Thread.currentThread() instanceof LoopThread loop) {
				loop.cause = cause;
			}
		}

	}

	private static final class Loop extends SingleThreadIoEventLoop {

		private final EngineHealth health;

		/** True after its I/O handler was set up. Written once by its thread. */
		private volatile boolean started;

		/** Time spent working up to the last look. Written by its thread. */
		private volatile long busyNanos;

		/** Failed rounds in a row. Written by its thread. */
		private int failedRounds;

		Loop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, EngineHealth health) {
			super(parent, executor, handlers, DEFAULT_MAX_PENDING_TASKS, RejectedExecutionHandlers.reject(),
					TASKS_MILLIS);
			this.health = health;
		}

		@Override
		protected void run() {
			try {
				execute(() -> this.started = true);
				super.run();
			}
			catch (Throwable ex) {
				if (!this.started) {
					LoopThread.endsBy(ex);
					throw ex;
				}
				survived(ex);
				goOn();
			}
		}

		/** Repeats the round of {@link SingleThreadIoEventLoop#run()}. */
		private void goOn() {
			boolean ended = false;
			while (!ended) {
				try {
					runIo();
					if (isShuttingDown()) {
						ioHandler().prepareToDestroy();
					}
					runAllTasks(TimeUnit.MILLISECONDS.toNanos(TASKS_MILLIS));
					ended = confirmShutdown();
					this.failedRounds = 0;
				}
				catch (Throwable ex) {
					survived(ex);
					if (this.failedRounds == MAX_FAILED_ROUNDS) {
						LoopThread.endsBy(ex);
						throw ex;
					}
				}
			}
		}

		/** Repeats a task also after a failure, with which Netty would end it. */
		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
			return super.scheduleWithFixedDelay(() -> runSafely(task), initialDelay, delay, unit);
		}

		private void runSafely(Runnable task) {
			try {
				task.run();
			}
			catch (Throwable ex) {
				this.health.log().survived("Timer of an event loop", ex);
			}
		}

		private void survived(Throwable failure) {
			this.health.log().survived("Event loop", failure);
			this.failedRounds++;
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(this.failedRounds));
		}

		/**
		 * Takes the time spent working since the last look on its own thread, where Netty
		 * adds to it without a lock. Empty for a loop without a thread.
		 */
		Optional<Future<?>> look() {
			try {
				return (this.started && !isShuttingDown()) ? Optional.of(submit(this::takeBusyTime)) : Optional.empty();
			}
			catch (RejectedExecutionException ex) {
				return Optional.empty();
			}
		}

		private void takeBusyTime() {
			this.busyNanos += getAndResetAccumulatedActiveTimeNanos();
		}

		/**
		 * Registers a channel, or closes it. Netty leaves a channel half registered after
		 * an Error, and logs a warning after the end of the loop.
		 */
		@Override
		public ChannelFuture register(ChannelPromise promise) {
			try {
				if (inEventLoop()) {
					super.register(promise);
				}
				else {
					execute(() -> register(promise));
				}
			}
			catch (Throwable ex) {
				promise.channel().unsafe().closeForcibly();
				promise.tryFailure(ex);
				if (!(ex instanceof RejectedExecutionException && isShutdown())) {
					this.health.log().survived("Registering a connection", ex);
				}
			}
			return promise;
		}

	}

}
