package io.rpcboot.internal.transport;

import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.protocol.ProtocolException;

/**
 * Answers the other side of a connection when it needs a higher grant (NEED) or gives a
 * part of it back (YIELD). Stands beside incoming grant, for a client and for a server.
 * Event loop only.
 */
public final class GrantAnswers {

	private final IncomingGrant grant;

	private final LeastRate leastRate;

	private final int maxFrameSize;

	private final Runnable announce;

	/**
	 * Create what answers.
	 * @param grant what the other side may send
	 * @param leastRate watches that it uses what it asked for
	 * @param maxFrameSize the longest body that it may ask for, in bytes
	 * @param announce tells the other side what it may send
	 */
	public GrantAnswers(IncomingGrant grant, LeastRate leastRate, int maxFrameSize, Runnable announce) {
		this.grant = grant;
		this.leastRate = leastRate;
		this.maxFrameSize = maxFrameSize;
		this.announce = announce;
	}

	/**
	 * The other side needs a higher grant for its next frame.
	 * @param total what the grant must reach, in bytes
	 * @throws ProtocolException if no frame is that long
	 */
	public void need(long total) {
		long before = this.grant.granted();
		if (total < 0 || total - before > this.maxFrameSize) {
			throw new ProtocolException("NEED: %d (expected: at most the %d granted and max-frame-size, which is %d)"
				.formatted(total, before, this.maxFrameSize));
		}
		this.grant.need(total);
		if (this.grant.granted() > before) {
			this.leastRate.watch();
			this.announce.run();
		}
	}

	/**
	 * The other side gives back a part of its grant.
	 * @param total counts as sent and used, in bytes
	 * @throws ProtocolException if so much was never granted
	 */
	public void yield(long total) {
		if (!this.grant.yield(total)) {
			throw new ProtocolException(
					"YIELD: %d (expected: at most the %d granted)".formatted(total, this.grant.granted()));
		}
		this.announce.run();
	}

	/** What the other side needed is reserved. */
	public void admitted() {
		if (this.grant.admit()) {
			this.leastRate.watch();
			this.announce.run();
		}
	}

}
