package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.atomic.AtomicBoolean;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.rpcboot.internal.concurrent.SurvivedErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Closes a channel for certain. Without memory a close of Netty may leave the channel
 * open, or close the socket and not tell the handlers. So the {@link LoopHeartbeat}
 * repeats what is missing until the channel has ended. Created with the channel, because
 * nothing can be allocated later. Any thread.
 */
public final class ChannelCloser implements ChannelFutureListener {

	private final Channel channel;

	private final LoopHeartbeat pulse;

	private final AtomicBoolean watched = new AtomicBoolean();

	/** Next one in the list of the heartbeat. */
	@Nullable ChannelCloser next;

	/**
	 * Creates a closer.
	 * @param channel the channel
	 * @param pulse heartbeat of its event loop
	 */
	public ChannelCloser(Channel channel, LoopHeartbeat pulse) {
		this.channel = channel;
		this.pulse = pulse;
		try {
			SurvivedErrorLog.rehearse();
		}
		catch (Throwable ex) {
			ResilientEventLoops.logSurvived("Closing a connection", ex);
		}
	}

	/** Closes the channel, now or as soon as there is memory. Never throws. */
	public void close() {
		watch(); // first, because the close may fail
		try {
			this.channel.close();
		}
		catch (Throwable ex) {
			ResilientEventLoops.logSurvived("Closing a connection", ex);
		}
	}

	/** Watches a closed channel until its handlers know of it. Never throws. */
	@Override
	public void operationComplete(ChannelFuture closed) {
		watch();
	}

	private void watch() {
		if (this.watched.compareAndSet(false, true)) {
			this.pulse.watch(this);
		}
	}

	/**
	 * Repeats the close, or the message about it. Event loop only. Never throws.
	 * @return true if the channel has ended
	 */
	boolean repeat() {
		try {
			if (!this.channel.isRegistered()) {
				return true;
			}
			if (this.channel.isOpen()) {
				this.channel.unsafe().close(this.channel.unsafe().voidPromise());
			}
			else {
				this.channel.pipeline().fireChannelInactive();
				this.channel.unsafe().deregister(this.channel.unsafe().voidPromise());
			}
		}
		catch (Throwable ex) {
			ResilientEventLoops.logSurvived("Closing a connection", ex);
		}
		return false;
	}

}
