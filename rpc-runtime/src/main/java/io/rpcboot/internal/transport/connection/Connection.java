package io.rpcboot.internal.transport.connection;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.TransportRecorder;
import org.jspecify.annotations.Nullable;

/**
 * A TCP link with its write queue. Any thread, unless a method says otherwise.
 */
public final class Connection {

	private final Channel channel;

	private final WriteQueue queue;

	private final String remote;

	@SuppressWarnings("NullAway.Init")
	private FrameDecoder decoder;

	private volatile boolean closedHere;

	private volatile State state = State.OPENING;

	/** 1 once a side told the other to go away. Written by the event loop. */
	private volatile int goAways;

	private final long bornNanos = System.nanoTime();

	private Connection(Channel channel, String remote, WriteQueue queue) {
		this.channel = channel;
		this.remote = remote;
		this.queue = queue;
	}

	public static Connection install(Channel channel, String remote, FlushPolicy policy,
			@Nullable TransportRecorder recorder, int maxBody, Function<Connection, FrameListener> handlers) {
		if (Thread.currentThread() instanceof EventLoopThread) {
			EventLoopThread.pulse().start(channel.eventLoop());
		}
		WriteQueue queue = new WriteQueue(channel, policy, recorder);
		Connection connection = new Connection(channel, remote, queue);
		connection.decoder = new FrameDecoder(maxBody, connection, handlers.apply(connection));
		channel.pipeline().addLast(connection.decoder);
		return connection;
	}

	/**
	 * The only way to write.
	 * @return the queue
	 */
	public WriteQueue queue() {
		return this.queue;
	}

	/** How far a connection is, for people. */
	public enum State {

		/** Its socket is being connected, or the sides have not introduced themselves. */
		OPENING,

		/** It takes calls. */
		READY,

		/**
		 * It finishes what is under way; it takes new calls at most until another one has
		 * its place.
		 */
		LEAVING

	}

	public State state() {
		return this.state;
	}

	public int goAways() {
		return this.goAways;
	}

	/**
	 * The sides have introduced themselves. Event loop only.
	 * @param takesPlaces whether the other one is told where long values lie
	 */
	public void ready(boolean takesPlaces) {
		this.queue.batch.writesPlaces = takesPlaces;
		if (this.state == State.OPENING) {
			this.state = State.READY;
		}
	}

	/** It takes no new calls from here on. */
	public void leaves() {
		this.state = State.LEAVING;
	}

	/**
	 * One side tells the other to go away, maybe not for the first time. Event loop only.
	 */
	public void goesAway() {
		this.goAways = 1;
		leaves();
	}

	/**
	 * Since when it is there: from before its socket is connected.
	 * @return nanoseconds
	 */
	public long ageNanos() {
		return System.nanoTime() - this.bornNanos;
	}

	/** The timers of a connection. */
	public interface Timers {

		/**
		 * Run a task on the event loop, later. What it throws ends the connection.
		 * @param task touches what the loop confines
		 * @param delay pause before it
		 * @param unit of the pause
		 * @return cancels it
		 */
		ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit);

	}

	/**
	 * Let the handler learn of gaps in which the event loop stood still. Event loop only.
	 */
	public void watchGaps() {
		EventLoopThread.pulse().watchGaps();
	}

	/**
	 * The event loop, for timers.
	 * @return schedules tasks
	 */
	public Timers loop() {
		return (task, delay, unit) -> this.channel.eventLoop().schedule(() -> run(task), delay, unit);
	}

	/** A task that ended halfway may have left its timer unset. */
	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			if (!(ex instanceof Error)) { // the decoder reports these
				ResilientEventLoops.logSurvived("Task of a connection", ex);
			}
			this.channel.pipeline().fireExceptionCaught(ex);
		}
	}

	/**
	 * Run a task on the event loop.
	 * @param task touches what the loop confines
	 * @return false if the loop has ended, and the connection with it
	 */
	public boolean execute(Runnable task) {
		try {
			this.channel.eventLoop().execute(() -> run(task));
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

	/**
	 * The other side.
	 * @return address and port
	 */
	public String remote() {
		return this.remote;
	}

	/**
	 * Whether anything arrived since this was asked last. Event loop only.
	 * @return true for any byte
	 */
	public boolean takeActivity() {
		return this.decoder.takeActivity();
	}

	/**
	 * How often something has arrived. For a look from any thread.
	 * @return a number that changes with each read of the socket
	 */
	public int reads() {
		return this.decoder.reads;
	}

	/**
	 * Whether a large body has begun and not arrived whole. Event loop only.
	 * @return false between bodies
	 */
	public boolean isInBody() {
		return this.decoder.isInBody();
	}

	public boolean isBodySlow(long now, long graceNanos, long bytesPerSecond) {
		return this.decoder.isSlow(now, graceNanos, bytesPerSecond);
	}

	/**
	 * How far the socket lags behind. Event loop only.
	 * @return bytes that must leave before it takes more, 0 while it takes more
	 */
	public long backlog() {
		return this.channel.isWritable() ? 0 : this.channel.bytesBeforeWritable();
	}

	/**
	 * Whether this side has closed it, or has begun to.
	 * @return false while it is open, and after the other side closed it
	 */
	public boolean isClosedHere() {
		return this.closedHere;
	}

	/** Close now; what is queued is rejected. */
	public void close() {
		this.closedHere = true;
		this.queue.trouble.close();
	}

	/**
	 * Send nothing more, but read until the other side closes, so that nothing it has not
	 * read yet is lost.
	 */
	public void halfClose() {
		if (this.channel instanceof DuplexChannel duplex) {
			this.closedHere = true;
			duplex.shutdownOutput();
		}
		else {
			close();
		}
	}

	@Override
	public String toString() {
		return this.remote;
	}

}
