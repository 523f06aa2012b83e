package io.rpcboot.internal.transport;

import java.util.function.Consumer;
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

	/**
	 * Open a connection at which nobody looks at frames.
	 * @param opened is given what others use of it
	 * @return the connection; the calling thread is its loop
	 */
	public static HandDrivenConnection open(Consumer<Connection> opened) {
		return new HandDrivenConnection((connection) -> {
			opened.accept(connection);
			return new RecordingHandler();
		});
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

	/**
	 * Let time pass and run what is due then.
	 * @param nanos how much time
	 */
	public void pass(long nanos) {
		this.channel.loop.pass(nanos);
	}

	/** The socket of the peer is full from now on. */
	public void peerStopsReading() {
		this.channel.peerStopsReading();
	}

	/** The peer reads all there is, and what follows. */
	public void peerReadsAgain() {
		this.channel.peerReadsAgain();
	}

	/** Close it, and run all that the loop has to do. */
	public void close() {
		this.channel.close();
		this.channel.loop.runToTheEnd();
	}

}
