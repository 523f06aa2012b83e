package io.rpcboot.internal.server.connection.binary;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Drain and end of a connection: whether later calls are rejected, why, and how the
 * connection is closed. Event loop only.
 */
final class ServerConnectionDrain {

	/** Maximum length of a fault, in characters; it may quote the client. */
	private static final int MAX_FAULT = 1000;

	private final Connection connection;

	private final RateLimitedLogger log;

	/** True once later calls are rejected; never false again. */
	boolean goingAway;

	/** True if one-way calls run while going away: the client cannot send them again. */
	private boolean servesOneWays;

	/** Fault of the client that ends the connection; null without one. */
	@Nullable String problem;

	boolean closed;

	ServerConnectionDrain(Connection connection, RateLimitedLogger log) {
		this.connection = connection;
		this.log = log;
	}

	/** Rejects later calls, except one-way calls. */
	void start() {
		this.goingAway = true;
		this.servesOneWays = true;
	}

	/** Rejects all later calls, because of a fault of the client if there is one. */
	void rejectAll(@Nullable String fault) {
		this.goingAway = true;
		this.problem = fault;
	}

	/** Returns true if a call that arrives now is ignored. */
	boolean ignores(boolean oneWay) {
		return this.goingAway && !(oneWay && this.servesOneWays && this.problem == null);
	}

	/** Closes after all frames are written, and in a second at the latest. */
	void closeAfterFlush() {
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.PONG, 0, 0, OutboundFrame.NOTHING, this.connection::halfClose));
		this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
	}

	/** Closes at once, because of a fault of the client; what was read is ignored. */
	void closeWithError(String fault) {
		if (!this.closed) {
			rejectAll(PrintableText.of(fault, MAX_FAULT));
			warn("Connection closed", fault);
			this.connection.close();
		}
	}

	/**
	 * Logs a warning.
	 * @param kind key of the rate limit; no client chooses it
	 */
	void warn(String reason, Object kind, String detail) {
		this.log.warn(reason, kind, () -> this.connection + ": " + detail, null);
	}

	void warn(String reason, String detail) {
		this.log.warn(reason, this.connection + ": " + detail);
	}

}
