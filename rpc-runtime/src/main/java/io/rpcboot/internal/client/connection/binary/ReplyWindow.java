package io.rpcboot.internal.client.connection.binary;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;
import io.rpcboot.internal.transport.binary.WindowNegotiator;
import io.rpcboot.internal.transport.binary.WindowUpdateFrame;

/**
 * Window for the replies of a connection, in bytes: grants the server more when callers
 * have consumed replies. Event loop only.
 */
final class ReplyWindow {

	/** Largest window, if the server and the memory of this client allow it. */
	private static final long MAX_WINDOW = 64 * 1024 * 1024;

	private final ReceiveWindow window;

	private final WindowUpdateFrame update;

	private final MinDataRateMonitor minRate;

	private final WindowNegotiator negotiator;

	private final LongConsumer onThreshold;

	/**
	 * Create the window of a connection.
	 * @param client whose memory is reserved
	 * @param onThreshold receives, after each change, the consumed bytes after which
	 * {@link #release} must follow
	 * @param end closes the connection, with a reason
	 */
	ReplyWindow(Connection connection, ClientResources client, LongConsumer onThreshold, Consumer<String> end) {
		this.onThreshold = onThreshold;
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
		this.onThreshold.accept(this.window.untilWake());
		this.update.announce(0, this.window.granted());
	}

	/** Returns the window, which counts the bodies that arrive. */
	ReceiveWindow received() {
		return this.window;
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

	/** Releases consumed bytes and grants the server more when that is worthwhile. */
	void release(long consumed) {
		if (this.window.release(consumed)) {
			this.window.raise();
			announce();
		}
		this.onThreshold.accept(this.window.untilWake());
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
