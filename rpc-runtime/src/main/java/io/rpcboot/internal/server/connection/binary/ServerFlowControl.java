package io.rpcboot.internal.server.connection.binary;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.binary.WindowNegotiator;
import io.rpcboot.internal.transport.binary.WindowUpdateFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;
import org.jspecify.annotations.Nullable;

/**
 * Flow control of one client beside single calls: announces its window, answers requests
 * for more bytes, watches slow bodies, drops expired responses and closes connections
 * whose client reads nothing while memory is short. Event loop only, except where a
 * method says "Any thread".
 */
public final class ServerFlowControl {

	/** Interval of the search for expired responses while some are blocked. */
	private static final int STALE_MILLIS = 500;

	/**
	 * Ticks of 100 ms in a row without progress, while memory is short, after which the
	 * connection is closed. Other clients wait for its memory until then: less than a
	 * second, also on a busy event loop.
	 */
	private static final int MAX_STANDING_TICKS = 6;

	/**
	 * Ticks in a row without progress after which {@link #takesResults} becomes false.
	 */
	private static final int STANDING_TICKS = 4;

	/** Unsent bytes above which a client does not count as one that reads responses. */
	private static final int MAX_UNSENT = 64 * 1024;

	private final Connection connection;

	private final ServerTransport transport;

	private final SendWindow replies;

	private final ServerConnectionDrain drain;

	private final CallWindow window;

	private final MinDataRateMonitor leastRate;

	private final WindowUpdateFrame updates;

	private final WindowNegotiator negotiator;

	private @Nullable Future<?> staleTimer;

	private int lastTick;

	private int standingTicks;

	private long progressAtTick = -1;

	/** Raises of the window by the client while responses were blocked by it. */
	private long raises;

	/**
	 * True if the client has raised its window after it received responses, and has made
	 * progress since. Written by the event loop.
	 */
	private volatile boolean takesResults;

	ServerFlowControl(Connection connection, ServerTransport transport, SendWindow replies, ServerConnectionDrain drain,
			CallWindow window, ServerOptions options) {
		this.connection = connection;
		this.transport = transport;
		this.replies = replies;
		this.drain = drain;
		this.window = window;
		this.updates = new WindowUpdateFrame(connection.queue());
		this.leastRate = new MinDataRateMonitor(connection, options.memory.leastRate(), window.bytes,
				drain::closeWithError);
		this.negotiator = new WindowNegotiator(window.bytes, this.leastRate, options.maxFrameSize, this.updates,
				this::announce);
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

	/** Drops blocked responses at their deadlines, from now on until none is blocked. */
	void watchBlocked() {
		if (this.staleTimer == null) {
			this.staleTimer = this.connection.loop().schedule(this::dropStale, STALE_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	private void dropStale() {
		this.staleTimer = null;
		if (this.replies.blocked.dropExpired()) {
			watchBlocked();
		}
	}

	/**
	 * Checks the progress of the client while memory is short, and closes the connection
	 * after MAX_STANDING_TICKS without progress. Any thread, once in each tick of 100 ms.
	 */
	void relieve(int tick) {
		if (this.transport.unsent().get() > 0) {
			this.connection.execute(() -> relieveNow(tick));
		}
	}

	private void relieveNow(int tick) {
		long unsent = this.transport.unsent().get();
		// a long response that waits for memory of the client lets short ones pass
		long writes = this.replies.awaitsAnswer() ? 0 : this.connection.queue().completedWrites();
		long progress = writes + this.replies.longFrames() + this.raises;
		boolean stands = unsent > 0 && progress == this.progressAtTick && tick == this.lastTick + 1;
		this.standingTicks = stands ? this.standingTicks + 1 : 0;
		this.takesResults &= this.standingTicks < STANDING_TICKS;
		this.lastTick = tick;
		this.progressAtTick = progress;
		if (this.standingTicks >= MAX_STANDING_TICKS) {
			this.drain.closeWithError(
					"rpc.server.memory.limit: memory is short, and its client takes none of the %d bytes of results that wait"
						.formatted(unsent));
		}
	}

	/**
	 * Returns true if the client has shown that it reads its responses and few of them
	 * wait. A connection and a request alone show nothing. Any thread.
	 */
	boolean takesResults() {
		return this.takesResults && this.transport.unsent().get() <= MAX_UNSENT;
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
		this.takesResults |= isStep && this.replies.sent() > 0;
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

	/** Stops the timers: the connection is closed. */
	void stop() {
		this.leastRate.stop();
		if (this.staleTimer != null) {
			this.staleTimer.cancel(false);
		}
	}

}
