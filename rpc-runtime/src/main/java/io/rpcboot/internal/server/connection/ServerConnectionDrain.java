package io.rpcboot.internal.server.connection;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Drain and end of a connection: whether later calls are rejected, why, and how the
 * connection is closed. Event loop only.
 */
public final class ServerConnectionDrain {

	/** Maximum length of a fault, in characters; it may quote the client. */
	private static final int MAX_FAULT = 1000;

	private final Connection connection;

	private final RateLimitedLogger log;

	private final Consumer<Runnable> afterFlush;

	/** True once later calls are rejected; never false again. */
	public boolean goingAway;

	/** True if one-way calls run while going away: the client cannot send them again. */
	private boolean servesOneWays;

	/** Fault of the client that ends the connection; null without one. */
	public @Nullable String problem;

	/** True once the connection is closed. */
	public boolean closed;

	/**
	 * Creates the drain of an open connection.
	 * @param afterFlush runs a task when all frames before it are written
	 */
	public ServerConnectionDrain(Connection connection, RateLimitedLogger log, Consumer<Runnable> afterFlush) {
		this.connection = connection;
		this.log = log;
		this.afterFlush = afterFlush;
	}

	/** Rejects later calls, except one-way calls. */
	public void start() {
		this.goingAway = true;
		this.servesOneWays = true;
	}

	/** Rejects all later calls, because of a fault of the client if there is one. */
	public void rejectAll(@Nullable String fault) {
		this.goingAway = true;
		this.problem = fault;
	}

	/** Returns true if a call that arrives now is ignored. */
	public boolean ignores(boolean oneWay) {
		return this.goingAway && !(oneWay && this.servesOneWays && this.problem == null);
	}

	/** Closes once the client has all frames. It may read slowly, but has to read. */
	public void closeOnceFlushed() {
		this.afterFlush.accept(() -> {
			this.connection.halfClose();
			this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
		});
	}

	/** Closes after all frames are written, and in a second at the latest. */
	public void closeAfterFlush() {
		this.afterFlush.accept(this.connection::halfClose);
		this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
	}

	/** Closes at once, because of a fault of the client; what was read is ignored. */
	public void closeWithError(String fault) {
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
	public void warn(String reason, Object kind, String detail) {
		this.log.warn(reason, kind, () -> this.connection + ": " + detail, null);
	}

	/** Logs a warning, whose kind is its text. */
	public void warn(String reason, String detail) {
		this.log.warn(reason, this.connection + ": " + detail);
	}

}
