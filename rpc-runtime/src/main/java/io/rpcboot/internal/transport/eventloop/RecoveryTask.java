package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.atomic.AtomicBoolean;

import io.netty.channel.Channel;
import io.rpcboot.internal.concurrent.SurvivedErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * What a connection could not do because there was no memory for it: run its write queue,
 * or close. It is tried again with each beat of the event loop. Made with the connection,
 * because in trouble nothing can be made. Any thread.
 */
public final class RecoveryTask {

	static {
		try {
			SurvivedErrorLog.rehearse();
		}
		catch (Throwable ex) { // so that the next one finds the way here
		}
	}

	private final Channel channel;

	private final Runnable queue;

	private final LoopHeartbeat pulse;

	private final AtomicBoolean listed = new AtomicBoolean();

	private volatile boolean mustDrain;

	private volatile boolean mustClose;

	/** In the list of the pulse. */
	@Nullable RecoveryTask next;

	public RecoveryTask(Channel channel, Runnable queue, LoopHeartbeat pulse) {
		this.channel = channel;
		this.queue = queue;
		this.pulse = pulse;
	}

	/** The queue is scheduled, but its task could not be handed over. Never throws. */
	public void drainLater(Throwable cause) {
		this.mustDrain = true;
		schedule(cause);
	}

	/** Something failed that was not read: end the connection with it. Never throws. */
	public void end(Throwable reason) {
		try {
			this.channel.pipeline().fireExceptionCaught(reason);
		}
		catch (Throwable ex) {
			ResilientEventLoops.logSurvived("The end of a connection", ex);
		}
		close();
	}

	/** Close the connection, now or as soon as there is memory for that. Never throws. */
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

	/** Try again. Event loop only. Never throws. */
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
			catch (Throwable ex) { // the beat goes on
				drainLater(ex);
			}
		}
	}

}
