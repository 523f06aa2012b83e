package io.rpcboot.internal.transport;

import java.util.function.Function;

import io.rpcboot.transport.BatchingOptions;

/**
 * A connection on a loop that is driven by hand, for tests of what looks at its frames.
 * What is flushed is on the wire at once.
 */
public final class HandDrivenConnection {

	private final HandDrivenChannel channel;

	/**
	 * Open a connection; the calling thread is its loop.
	 * @param handlers makes what looks at the frames
	 */
	public HandDrivenConnection(Function<Connection, FrameHandler> handlers) {
		this.channel = new HandDrivenChannel(BatchingOptions.defaults(), null, handlers);
	}

	/** From here on the calling thread is the loop. */
	public void adopt() {
		this.channel.loop.adopt();
	}

	/**
	 * Run what the loop has to do now, no timers.
	 * @return whether there was anything
	 */
	public boolean runTasks() {
		return this.channel.loop.runTasks();
	}

	/** Close it, and run all that the loop has to do. */
	public void close() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
	}

}
