package io.rpcboot.internal.client.connection;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.flow.MinDataRateMonitor;
import io.rpcboot.internal.transport.flow.WindowNegotiator;
import io.rpcboot.internal.transport.flow.WindowUpdateFrame;

/**
 * Raises the grant of what a server may send on a connection, in bytes. Stands beside
 * client connection, which counts the bytes that callers have taken. Event loop only.
 */
final class ReplyWindow {

	/** What a server may send ahead, if it is there. */
	private static final long MOST_AHEAD = 64 * 1024 * 1024;

	private final ReceiveWindow grant;

	private final WindowUpdateFrame window;

	private final MinDataRateMonitor leastRate;

	private final WindowNegotiator answers;

	private final LongConsumer wakeAfter;

	/**
	 * Create what raises the grant.
	 * @param connection to the server
	 * @param client whose memory is reserved
	 * @param wakeAfter receives, after each change, for how many bytes that callers have
	 * taken {@link #release} must follow
	 * @param end closes the connection, with a reason
	 */
	ReplyWindow(Connection connection, ClientResources client, LongConsumer wakeAfter, Consumer<String> end) {
		this.grant = new ReceiveWindow(client.memory().account(), MOST_AHEAD,
				() -> connection.execute(() -> answers().admitted()));
		this.wakeAfter = wakeAfter;
		this.window = new WindowUpdateFrame(connection.queue());
		this.leastRate = new MinDataRateMonitor(connection, client.options().memory.leastRate(), this.grant, end);
		this.answers = new WindowNegotiator(this.grant, this.leastRate, client.options().maxFrameSize, this.window,
				this::announce);
	}

	/** The server may send. */
	void open() {
		this.grant.open();
		announce();
	}

	private void announce() {
		this.wakeAfter.accept(this.grant.untilWake());
		this.window.announce(0, this.grant.granted());
	}

	/** Counts the bodies that arrive. */
	ReceiveWindow grant() {
		return this.grant;
	}

	static ProtocolException notGranted(int type, int length) {
		return new ProtocolException("%d bytes of frame type %d that were not granted".formatted(length, type));
	}

	/** A long body has begun. */
	void expect(int size) {
		if (!this.grant.covers(size)) {
			throw new ProtocolException("a body of %d bytes that was not granted".formatted(size));
		}
		this.leastRate.watch();
	}

	/** Bytes need no room any more. */
	void release(long taken) {
		if (this.grant.release(taken)) {
			this.grant.raise();
			announce();
		}
		this.wakeAfter.accept(this.grant.untilWake());
	}

	/** What the server says of its grant. */
	WindowNegotiator answers() {
		return this.answers;
	}

	/** The connection has ended. */
	void close() {
		this.leastRate.stop();
		this.grant.close();
	}

}
