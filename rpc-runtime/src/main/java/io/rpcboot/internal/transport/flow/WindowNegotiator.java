package io.rpcboot.internal.transport.flow;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;

/**
 * Answers the other side of a connection when it needs a higher grant (NEED) or gives a
 * part of it back (YIELD). Stands beside incoming grant, for a client and for a server.
 * Event loop only.
 */
public final class WindowNegotiator {

	private final ReceiveWindow grant;

	private final MinDataRateMonitor leastRate;

	private final int maxFrameSize;

	private final WindowUpdateFrame window;

	private final Runnable announce;

	/**
	 * Create what answers.
	 * @param grant what the other side may send
	 * @param leastRate watches that it uses what it asked for
	 * @param maxFrameSize the longest body that it may ask for, in bytes
	 * @param window which says that something is an answer
	 * @param announce tells the other side what it may send
	 */
	public WindowNegotiator(ReceiveWindow grant, MinDataRateMonitor leastRate, int maxFrameSize,
			WindowUpdateFrame window, Runnable announce) {
		this.grant = grant;
		this.leastRate = leastRate;
		this.maxFrameSize = maxFrameSize;
		this.window = window;
		this.announce = announce;
	}

	/**
	 * The other side needs a higher grant for a frame.
	 * @param size of its body, in bytes
	 * @throws ProtocolException if no frame is that long, or if what was asked for before
	 * has not come
	 */
	public void need(long size) {
		if (size < 1 || size > this.maxFrameSize) {
			throw new ProtocolException(
					"NEED: %d (expected: 1 to max-frame-size, which is %d)".formatted(size, this.maxFrameSize));
		}
		if (size > ReceiveWindow.SHARE && this.grant.hasAsked()) {
			throw new ProtocolException(
					"NEED: %d, while what was asked for before has not come (expected: one long frame at a time)"
						.formatted(size));
		}
		if (this.grant.need((int) size)) {
			answer();
		}
		else {
			this.announce.run();
		}
	}

	/** What the other side needed is reserved. */
	public void admitted() {
		if (this.grant.admit()) {
			answer();
		}
	}

	private void answer() {
		this.leastRate.watch();
		this.window.answerNeed();
		this.announce.run();
	}

	/**
	 * The other side gives back a part of its grant.
	 * @param bytes count as sent and used
	 * @throws ProtocolException if so much was not granted
	 */
	public void yield(long bytes) {
		if (!this.grant.yield(bytes)) {
			throw new ProtocolException("YIELD: %d (expected: at most the %d granted and not sent)".formatted(bytes,
					this.grant.granted() - this.grant.received()));
		}
		this.announce.run();
	}

}
