package io.rpcboot.internal.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;

/**
 * An event loop without a thread: whoever runs it is its thread until another does. Tasks
 * may come from any thread; after its end they are refused as Netty's own loops refuse
 * them. Its time passes only when it has nothing else to do.
 */
final class HandDrivenLoop extends AbstractScheduledEventExecutor implements EventLoop {

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final MockTicker ticker = Ticker.newMockTicker();

	private volatile Thread owner = Thread.currentThread();

	private volatile boolean ended;

	/** From here on the calling thread is the loop. */
	void adopt() {
		this.owner = Thread.currentThread();
	}

	/** Run what is there now. Returns whether there was anything. */
	boolean runTasks() {
		boolean any = false;
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
			any = true;
		}
		return any;
	}

	/** Run all there is, timers as well, without waiting for their time. */
	void runToTheEnd() {
		while (runTasks() || runNextTimer()) {
			continue;
		}
	}

	/** Let time pass and run what is due then. */
	void pass(long nanos) {
		this.ticker.advance(nanos, TimeUnit.NANOSECONDS);
		for (Runnable task = pollScheduledTask(this.ticker.nanoTime()); task != null;) {
			task.run();
			task = pollScheduledTask(this.ticker.nanoTime());
		}
		runTasks();
	}

	private boolean runNextTimer() {
		long delayNanos = nextScheduledTaskNano();
		if (delayNanos < 0) {
			return false;
		}
		this.ticker.advance(delayNanos, TimeUnit.NANOSECONDS);
		Runnable task = pollScheduledTask(this.ticker.nanoTime());
		if (task != null) {
			task.run();
		}
		return true;
	}

	/** Take no more tasks; those that were taken are run. */
	void end() {
		this.ended = true;
		runTasks();
	}

	@Override
	public void execute(Runnable task) {
		if (!this.ended) {
			this.tasks.add(task);
			if (!this.ended || !this.tasks.remove(task)) {
				return;
			}
		}
		throw new RejectedExecutionException("the loop has ended");
	}

	@Override
	public boolean inEventLoop(Thread thread) {
		return thread == this.owner;
	}

	@Override
	public Ticker ticker() {
		return this.ticker;
	}

	@Override
	public ChannelFuture register(Channel channel) {
		return register(new DefaultChannelPromise(channel, this));
	}

	@Override
	public ChannelFuture register(ChannelPromise promise) {
		promise.channel().unsafe().register(this, promise);
		return promise;
	}

	@Override
	@Deprecated
	public ChannelFuture register(Channel channel, ChannelPromise promise) {
		channel.unsafe().register(this, promise);
		return promise;
	}

	@Override
	public EventLoopGroup parent() {
		return this;
	}

	@Override
	public EventLoop next() {
		return this;
	}

	@Override
	public boolean isShuttingDown() {
		return this.ended;
	}

	@Override
	public boolean isShutdown() {
		return this.ended;
	}

	@Override
	public boolean isTerminated() {
		return this.ended && this.tasks.isEmpty();
	}

	@Override
	public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
		this.ended = true;
		return terminationFuture();
	}

	@Override
	@Deprecated
	public void shutdown() {
		this.ended = true;
	}

	@Override
	public Future<?> terminationFuture() {
		return GlobalEventExecutor.INSTANCE.newSucceededFuture(null);
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) {
		return isTerminated();
	}

}
