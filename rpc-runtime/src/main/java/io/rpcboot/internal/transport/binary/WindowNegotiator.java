package io.rpcboot.internal.transport.binary;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;

/**
 * Answers a peer that needs a larger window (NEED) or returns a part of it (YIELD), for a
 * client and for a server. Event loop only.
 */
public final class WindowNegotiator {

	private final ReceiveWindow received;

	private final MinDataRateMonitor leastRate;

	private final int maxFrameSize;

	private final WindowUpdateFrame update;

	private final Runnable announce;

	/**
	 * Creates a negotiator.
	 * @param received window of the peer
	 * @param leastRate checks that the peer uses what it requested
	 * @param maxFrameSize longest body in bytes that may be requested
	 * @param update next window update, which is marked as an answer
	 * @param announce sends the window update
	 */
	public WindowNegotiator(ReceiveWindow received, MinDataRateMonitor leastRate, int maxFrameSize,
			WindowUpdateFrame update, Runnable announce) {
		this.received = received;
		this.leastRate = leastRate;
		this.maxFrameSize = maxFrameSize;
		this.update = update;
		this.announce = announce;
	}

	/**
	 * Handles NEED: the peer needs a larger window for a frame.
	 * @param size length of its body in bytes
	 * @throws ProtocolException if no frame may be that long, or if the body of an
	 * earlier request has not arrived
	 */
	public void need(long size) {
		if (size < 1 || size > this.maxFrameSize) {
			throw new ProtocolException(
					"NEED: %d (expected: 1 to max-frame-size, which is %d)".formatted(size, this.maxFrameSize));
		}
		if (size > ReceiveWindow.SHARE && this.received.hasAsked()) {
			throw new ProtocolException(
					"NEED: %d, while what was asked for before has not come (expected: one long frame at a time)"
						.formatted(size));
		}
		if (this.received.need((int) size)) {
			answer();
		}
		else {
			this.announce.run();
		}
	}

	/** Answers the request whose memory is reserved now. */
	public void admitted() {
		if (this.received.admit()) {
			answer();
		}
	}

	private void answer() {
		this.leastRate.watch();
		this.update.answerNeed();
		this.announce.run();
	}

	/**
	 * Handles YIELD: the peer returns a part of its window.
	 * @param bytes count as received and released
	 * @throws ProtocolException if the peer returns more than it was granted
	 */
	public void yield(long bytes) {
		if (!this.received.yield(bytes)) {
			throw new ProtocolException("YIELD: %d (expected: at most the %d granted and not sent)".formatted(bytes,
					this.received.granted() - this.received.received()));
		}
		this.announce.run();
	}

}
