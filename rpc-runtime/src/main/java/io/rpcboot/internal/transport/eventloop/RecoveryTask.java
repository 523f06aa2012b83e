package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.atomic.AtomicBoolean;

import io.netty.channel.Channel;
import io.rpcboot.internal.concurrent.SurvivedErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Retries what a connection could not do for lack of memory: run its write queue, or
 * close. A beat of the event loop runs the retry, and schedules another one if it fails.
 * Created with the connection, because nothing can be allocated later. Any thread.
 */
public final class RecoveryTask {

	static {
		try {
			SurvivedErrorLog.rehearse();
		}
		catch (Throwable ex) { // resolves the catch clause, see rehearse()
		}
	}

	private final Channel channel;

	private final Runnable queue;

	private final LoopHeartbeat pulse;

	private final AtomicBoolean listed = new AtomicBoolean();

	private volatile boolean mustDrain;

	private volatile boolean mustClose;

	/** Next task in the list of the heartbeat. */
	@Nullable RecoveryTask next;

	public RecoveryTask(Channel channel, Runnable queue, LoopHeartbeat pulse) {
		this.channel = channel;
		this.queue = queue;
		this.pulse = pulse;
	}

	/** Runs the write queue later, which the event loop could not take. Never throws. */
	public void drainLater(Throwable cause) {
		this.mustDrain = true;
		schedule(cause);
	}

	/** Fires a failure in the pipeline and closes the connection. Never throws. */
	public void end(Throwable reason) {
		try {
			this.channel.pipeline().fireExceptionCaught(reason);
		}
		catch (Throwable ex) {
			ResilientEventLoops.logSurvived("The end of a connection", ex);
		}
		close();
	}

	/** Closes the connection, now or as soon as there is memory. Never throws. */
	public void close() {
		try {
			this.channel.close();
		}
		catch (Throwable ex) {
			this.mustClose = true;
			schedule(ex);
		}
	}

	private void schedule(Throwable cause) {
		if (this.listed.compareAndSet(false, true)) {
			this.pulse.schedule(this);
		}
		ResilientEventLoops.logSurvived("A connection has to wait for memory", cause);
	}

	/** Retries. Event loop only. Never throws. */
	void tryAgain() {
		this.listed.set(false);
		if (this.mustClose) {
			this.mustClose = false;
			close();
		}
		if (this.mustDrain) {
			this.mustDrain = false;
			try {
				this.queue.run();
			}
			catch (Throwable ex) { // the other tasks of this beat must run
				drainLater(ex);
			}
		}
	}

}
