package io.rpcboot.internal.client.connection;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.flow.MinDataRateMonitor;
import io.rpcboot.internal.transport.flow.WindowNegotiator;
import io.rpcboot.internal.transport.flow.WindowUpdateFrame;

/**
 * Window for the replies of a connection, in bytes: grants the server more when callers
 * have consumed replies. Event loop only, except {@link #consumed}.
 */
final class ReplyWindow {

	/** Largest window, if the server and the memory of this client allow it. */
	private static final long MAX_WINDOW = 64 * 1024 * 1024;

	private final Connection connection;

	private final ReceiveWindow window;

	private final WindowUpdateFrame update;

	private final MinDataRateMonitor minRate;

	private final WindowNegotiator negotiator;

	/** Bytes that callers have consumed since the last release. Any thread. */
	private final AtomicLong consumed = new AtomicLong();

	/**
	 * Consumed bytes that wake the event loop to release them. Written by the event loop.
	 */
	private volatile long threshold = 2;

	/**
	 * Create the window of a connection.
	 * @param client whose memory is reserved
	 * @param end closes the connection, with a reason
	 */
	ReplyWindow(Connection connection, ClientResources client, Consumer<String> end) {
		this.connection = connection;
		this.window = new ReceiveWindow(client.memory().account(), MAX_WINDOW,
				() -> connection.execute(() -> negotiator().admitted()));
		this.update = new WindowUpdateFrame(connection.queue());
		this.minRate = new MinDataRateMonitor(connection, client.options().memory.leastRate(), this.window, end);
		this.negotiator = new WindowNegotiator(this.window, this.minRate, client.options().maxFrameSize, this.update,
				this::announce);
	}

	/** Sends the first window update. */
	void open() {
		this.window.open();
		announce();
	}

	private void announce() {
		threshold(this.window.untilWake());
		this.update.announce(0, this.window.granted());
	}

	/** Counts the body of a reply; false if the window does not cover it. */
	boolean takes(int length) {
		return this.window.takes(length);
	}

	static ProtocolException notGranted(int type, int length) {
		return new ProtocolException("%d bytes of frame type %d that were not granted".formatted(length, type));
	}

	/** Checks a large body whose first bytes have arrived, and watches its data rate. */
	void expect(int size) {
		if (!this.window.covers(size)) {
			throw new ProtocolException("a body of %d bytes that was not granted".formatted(size));
		}
		this.minRate.watch();
	}

	/** Counts reply bytes that no longer need memory. Any thread. */
	void consumed(long bytes) {
		long all = this.consumed.addAndGet(bytes);
		long enough = this.threshold;
		if (all >= enough && all - bytes < enough) {
			this.connection.execute(this::release);
		}
	}

	/** Releases the consumed bytes and grants the server more when that is worthwhile. */
	void release() {
		if (this.window.release(this.consumed.getAndSet(0))) {
			this.window.raise();
			announce();
		}
		threshold(this.window.untilWake());
	}

	/** Releases the consumed bytes if they are half of the threshold. */
	void releaseHalf() {
		if (2 * this.consumed.get() >= this.threshold) {
			release();
		}
	}

	/** Sets the threshold; bytes consumed before were compared with the old one. */
	private void threshold(long bytes) {
		this.threshold = bytes;
		if (this.consumed.get() >= bytes) {
			this.connection.execute(this::release);
		}
	}

	WindowNegotiator negotiator() {
		return this.negotiator;
	}

	/** Ends with the connection. */
	void close() {
		this.minRate.stop();
		this.window.close();
	}

}
