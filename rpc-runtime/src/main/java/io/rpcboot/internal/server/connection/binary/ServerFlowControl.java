package io.rpcboot.internal.server.connection.binary;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.connection.ConnectionLifecycle;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.binary.WindowNegotiator;
import io.rpcboot.internal.transport.binary.WindowUpdateFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;

/**
 * Flow control of one client beside single calls: announces its window, answers requests
 * for more bytes and watches slow bodies. Event loop only.
 */
public final class ServerFlowControl {

	private final SendWindow replies;

	private final ServerConnectionDrain drain;

	private final CallWindow window;

	private final MinDataRateMonitor leastRate;

	private final WindowUpdateFrame updates;

	private final WindowNegotiator negotiator;

	private final Connection connection;

	private final ConnectionLifecycle life;

	/** Raises of the window by the client while responses were blocked by it. */
	private long raises;

	ServerFlowControl(Connection connection, ConnectionLifecycle life, SendWindow replies, CallWindow window,
			ServerOptions options) {
		this.connection = connection;
		this.life = life;
		this.replies = replies;
		this.drain = life.drain;
		this.window = window;
		this.updates = new WindowUpdateFrame(connection.queue());
		this.leastRate = new MinDataRateMonitor(connection, options.memory.leastRate(), window.bytes,
				this.drain::closeWithError);
		this.negotiator = new WindowNegotiator(window.bytes, this.leastRate, options.maxFrameSize, this.updates,
				this::announce);
	}

	/** Returns a number that changes while the client takes responses. */
	long progress() {
		// a long response that waits for memory of the client lets short ones pass
		long writes = this.replies.awaitsAnswer() ? 0 : this.connection.queue().completedWrites();
		return writes + this.replies.longFrames() + this.raises;
	}

	/**
	 * Begins to receive a long body.
	 * @return false if it is a call that was not granted
	 */
	boolean admits(int type, int length) {
		if (this.window.bytes.covers(length)) {
			this.leastRate.watch();
			return true;
		}
		if (type != FrameType.REQUEST) {
			throw new ProtocolException("a body of %d bytes that was not granted".formatted(length));
		}
		return false;
	}

	/** Raises and announces the window, unless the connection is going away. */
	void raise() {
		if (!this.drain.goingAway) {
			this.window.raise();
			announce();
		}
	}

	/** Releases the permit of a call that was rejected. */
	void released(int bytes) {
		if (this.window.release(bytes)) {
			raise();
		}
	}

	/** Announces the window to the client. */
	void announce() {
		this.updates.allows(this.window.allowance());
		this.updates.announce(this.window.calls(), this.window.bytes.granted());
	}

	/** Grants the bytes that the client has asked for, because they are reserved. */
	void reserved() {
		this.negotiator.admitted();
	}

	/**
	 * Returns the total of response bytes sent while some are blocked by the window of
	 * the client, -1 while none is.
	 */
	long blockedReplyBytes() {
		return this.replies.blocked.waitsForWindow() ? this.replies.sent() : -1;
	}

	/** Handles a request for more bytes: a call of the client exceeds its grant. */
	void onNeed(long size, boolean hasBound) {
		if (!hasBound) {
			throw new ProtocolException("NEED before a service is bound");
		}
		this.negotiator.need(size);
	}

	/** Takes a part of the grant back that the client does not need. */
	void onYield(long bytes) {
		this.negotiator.yield(bytes);
	}

	/**
	 * Raises the window of response bytes. Only a raise of {@link ReceiveWindow#SHARE} or
	 * more counts as progress, so that a client cannot feign it byte by byte.
	 * @param total bytes that the client accepts since the start of the connection
	 */
	public void onWindow(long total, int flags) {
		boolean isStep = total - this.replies.granted() >= ReceiveWindow.SHARE;
		if (isStep && this.replies.blocked.waitsForWindow()) {
			this.raises++;
		}
		if (isStep && this.replies.sent() > 0) {
			this.life.progress.onResultsTaken();
		}
		this.replies.raise(total, (flags & FrameHeader.FLAG_ANSWERS_NEED) != 0);
		this.replies.blocked.resume();
	}

	/** Counts a contract in the granted bytes, as arguments are. */
	void takeTable(int bytes) {
		if (!this.window.bytes.takes(bytes)) {
			throw new ProtocolException("a CONTRACT of %d bytes that were not granted".formatted(bytes));
		}
	}

	/** Releases the bytes of a contract, because it was parsed or dropped. */
	void releaseTable(int bytes) {
		if (this.window.bytes.release(bytes)) {
			this.window.raise();
			announce();
		}
	}

	/** Stops the timer: the connection is closed. */
	void stop() {
		this.leastRate.stop();
	}

}
