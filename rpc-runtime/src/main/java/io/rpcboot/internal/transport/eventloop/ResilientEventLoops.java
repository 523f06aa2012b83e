package io.rpcboot.internal.transport.eventloop;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import io.rpcboot.internal.concurrent.EngineHealth;
import io.rpcboot.internal.concurrent.SurvivedErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Event loops that outlive what is thrown on them.
 * <p>
 * Netty catches what handlers and tasks throw, and logs it; an Error ends the loop when
 * it comes from anywhere else, as when there is no memory left for that line. These loops
 * then go round again: what was not processed is reported once more by the selector, and
 * the tasks are still in the queue. A loop whose I/O fails in each of many rounds closes
 * its connections, because it cannot know which of them is the cause.
 */
public final class ResilientEventLoops extends MultiThreadIoEventLoopGroup {

	private static final int MAX_FAILED_ROUNDS = 16;

	/**
	 * The time for tasks before I/O is looked at again. Netty's default is a second, and
	 * when hundreds of connections have large results to write it takes all of it: who
	 * sends a small call meanwhile waits for that second.
	 */
	private static final long TASKS_MILLIS = 20;

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Who asks loops for their numbers waits no longer for all of them together. */
	private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * Create loops; their threads start when needed.
	 * @param threads the number of loops
	 * @param prefix begins the names of the threads
	 * @param handlers makes what waits for sockets
	 * @param owner the owner of the loops
	 */
	public ResilientEventLoops(int threads, String prefix, IoHandlerFactory handlers, Owner owner) {
		super(threads, executor(prefix, owner), handlers, owner);
	}

	/**
	 * What loops have to do with the one that uses them.
	 *
	 * @param health is told when a loop has ended by itself
	 * @param closing whether the loops may end
	 * @param lastResort closes the connections of a loop
	 */
	public record Owner(EngineHealth health, BooleanSupplier closing, Consumer<EventLoop> lastResort) {

		void ended(Thread thread, @Nullable Throwable cause) {
			if (!this.closing.getAsBoolean()) {
				this.health.failed("thread " + thread.getName(), cause);
			}
		}

	}

	private static Executor executor(String prefix, Owner owner) {
		AtomicInteger number = new AtomicInteger();
		return new ThreadPerTaskExecutor((task) -> new LoopThread(task, prefix + number.incrementAndGet(), owner));
	}

	@Override
	protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... arguments) {
		return new Loop(this, executor, handlers, (Owner) arguments[0]);
	}

	/** Tasks that wait for their turn, in all loops. Any thread. */
	public long pendingTasks() {
		return loops().mapToLong(Loop::pendingTasks).sum();
	}

	/**
	 * Time that all loops together have spent on I/O and tasks, in nanoseconds. Netty
	 * takes it in each round, as it needs the clock there anyway; what a loop is in the
	 * middle of counts when it is over. Any thread: asks each loop, and has the number of
	 * the last time from one that does not answer in a moment.
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

	/** Log what was thrown on the event loop that is the current thread. Never throws. */
	public static void logSurvived(String where, Throwable failure) {
		if (Thread.currentThread() instanceof LoopThread loop) {
			loop.owner.health().log().survived(where, failure);
		}
	}

	/** Log why a connection was closed, if that was an Error. Never throws. */
	public static void closed(Throwable reason) {
		if (reason instanceof Error) {
			logSurvived("A connection was closed", reason);
		}
	}

	private static final class LoopThread extends EventLoopThread {

		private final Owner owner;

		/** Why its loop cannot go on. */
		private @Nullable Throwable cause;

		LoopThread(Runnable target, String name, Owner owner) {
			super(target, name);
			this.owner = owner;
		}

		@Override
		public void run() {
			try {
				super.run();
			}
			finally {
				this.owner.ended(this, this.cause);
			}
		}

		static void endsBy(Throwable cause) {
			if (Thread.currentThread() instanceof LoopThread loop) {
				loop.cause = cause;
			}
		}

	}

	private static final class Loop extends SingleThreadIoEventLoop {

		private final Owner owner;

		// made at the beginning, because making one needs memory

		private final BooleanSupplier io = this::runOnlyIo;

		private final BooleanSupplier tasks = this::runTasks;

		private final BooleanSupplier end = this::confirmShutdown;

		private final BooleanSupplier lastResort = this::closeConnections;

		/** Whether its I/O handler could be set up. Written by its thread, once. */
		private volatile boolean started;

		/** Time spent working until somebody looked last. Written by its thread. */
		private volatile long busyNanos;

		private int failedRounds;

		Loop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, Owner owner) {
			super(parent, executor, handlers, DEFAULT_MAX_PENDING_TASKS, RejectedExecutionHandlers.reject(),
					TASKS_MILLIS);
			this.owner = owner;
			attempt(SurvivedErrorLog::rehearse);
			this.failedRounds = 0;
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

		/** The same rounds as before, step by step. Allocates nothing outside a step. */
		private void goOn() {
			do {
				this.owner.health().log().retry();
				attempt(this.io);
				attempt(this.tasks);
			}
			while (!attempt(this.end));
		}

		/**
		 * Take the time spent working since the last look, on its own thread: Netty adds
		 * to it there without a lock. Empty from a loop that has no thread.
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

		private boolean runOnlyIo() {
			runIo();
			this.failedRounds = 0;
			return false;
		}

		private boolean runTasks() {
			if (isShuttingDown()) {
				ioHandler().prepareToDestroy();
			}
			return runAllTasks(TimeUnit.MILLISECONDS.toNanos(TASKS_MILLIS));
		}

		private boolean closeConnections() {
			this.owner.lastResort().accept(this);
			return false;
		}

		private boolean attempt(BooleanSupplier step) {
			try {
				return step.getAsBoolean();
			}
			catch (Throwable ex) {
				survived(ex);
				return false;
			}
		}

		private void survived(Throwable failure) {
			this.owner.health().log().survived("Event loop", failure);
			this.failedRounds++;
			if (this.failedRounds > 1) {
				LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, 1_000_000L << Math.min(this.failedRounds, 10)));
			}
			if (this.failedRounds >= MAX_FAILED_ROUNDS) {
				this.failedRounds = 0;
				attempt(this.lastResort);
			}
		}

		/** Netty leaves a channel half registered when this ends with an Error. */
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
			catch (Throwable ex) { // closed first: there may be no memory for anything
									// else
				promise.channel().unsafe().closeForcibly();
				promise.tryFailure(ex);
				if (!(ex instanceof RejectedExecutionException && isShutdown())) {
					this.owner.health().log().survived("Registering a connection", ex);
				}
			}
			return promise;
		}

	}

}
