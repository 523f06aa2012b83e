package io.rpcboot.internal.server.connection;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.flow.MinDataRateMonitor;
import io.rpcboot.internal.transport.flow.SendWindow;
import io.rpcboot.internal.transport.flow.WindowNegotiator;
import io.rpcboot.internal.transport.flow.WindowUpdateFrame;
import org.jspecify.annotations.Nullable;

/**
 * What a client may send and what it takes, where it is not a matter of single calls:
 * grants that it needs or gives back, bodies that come too slowly, answers that wait in
 * vain. Stands beside server connection. Event loop only, but for what says otherwise.
 */
public final class ServerFlowControl {

	/** Answers whose time is over are looked for so often while some wait. */
	private static final int STALE_MILLIS = 500;

	/**
	 * Looks in a row at a client that takes nothing while memory is short. Others wait
	 * for that memory until the end of these, which is to be less than a second on a busy
	 * event loop, too.
	 */
	private static final int MAX_STANDING_TICKS = 6;

	/** So many in a row, and it has to show anew that it takes its results. */
	private static final int STANDING_TICKS = 4;

	/** More than this waits for no client that takes its results, in bytes. */
	private static final int MOST_UNSENT = 64 * 1024;

	private final Connection connection;

	private final ServerTransport link;

	private final CallRejector refusals;

	private final CallWindow grant;

	private final MinDataRateMonitor leastRate;

	private final WindowUpdateFrame window;

	private final WindowNegotiator answers;

	private @Nullable Future<?> staleTimer;

	private int lastTick;

	private int standingTicks;

	private long progressAtTick = -1;

	/** Times at which the client raised its grant while answers waited for that. */
	private long raises;

	/**
	 * Whether the client has raised its grant since it got replies, and has not stood
	 * still since; written by the event loop.
	 */
	private volatile boolean takesResults;

	ServerFlowControl(Connection connection, ServerTransport link, CallRejector refusals, CallWindow grant,
			ServerOptions options) {
		this.connection = connection;
		this.link = link;
		this.refusals = refusals;
		this.grant = grant;
		this.window = new WindowUpdateFrame(connection.queue());
		this.leastRate = new MinDataRateMonitor(connection, options.memory.leastRate(), this.grant.bytes,
				link::closeWithError);
		this.answers = new WindowNegotiator(this.grant.bytes, this.leastRate, options.maxFrameSize, this.window,
				this::announce);
	}

	/** A long body has begun. Returns whether it is to be read: before HELLO none is. */
	boolean admits(int type, long callId, int length) {
		if (this.grant.bytes.covers(length)) {
			this.leastRate.watch();
			return true;
		}
		if (type != FrameType.REQUEST) {
			throw new ProtocolException("a body of %d bytes that was not granted".formatted(length));
		}
		this.refusals.overGrant(false, callId);
		return false;
	}

	/** Raise what the client may send, unless nothing more is wanted of it. */
	void raise() {
		if (!this.link.goingAway) {
			this.grant.raise();
			announce();
		}
	}

	/** Tell the client what it may send. */
	void announce() {
		this.window.allows(this.grant.allowance());
		this.window.announce(this.grant.calls(), this.grant.bytes.granted());
	}

	/** What the client needed is reserved. */
	void admitted() {
		this.answers.admitted();
	}

	/**
	 * Bytes of replies sent so far while some wait for the client's grant, -1 while none
	 * does.
	 */
	long heldBackReplies() {
		return this.connection.queue().blocked.waitsForWindow() ? this.link.replies.sent() : -1;
	}

	/** Answers wait: those whose time is over go. */
	void watchWaiting() {
		if (this.staleTimer == null) {
			this.staleTimer = this.connection.loop().schedule(this::dropStale, STALE_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	private void dropStale() {
		this.staleTimer = null;
		if (this.connection.queue().blocked.dropExpired()) {
			watchWaiting();
		}
	}

	/**
	 * Memory is short: end this connection if its client takes nothing of what waits for
	 * it. Any thread, once in each tick of a tenth of a second.
	 */
	void relieve(int tick) {
		if (this.link.unsent.get() > 0) {
			this.connection.execute(() -> relieveNow(tick));
		}
	}

	private void relieveNow(int tick) {
		long unsent = this.link.unsent.get();
		SendWindow replies = this.link.replies;
		// short answers pass a long one for which the client gives no memory
		long writes = replies.awaitsAnswer() ? 0 : this.connection.queue().completedWrites();
		long progress = writes + replies.longFrames() + this.raises;
		boolean stands = unsent > 0 && progress == this.progressAtTick && tick == this.lastTick + 1;
		this.standingTicks = stands ? this.standingTicks + 1 : 0;
		this.takesResults &= this.standingTicks < STANDING_TICKS;
		this.lastTick = tick;
		this.progressAtTick = progress;
		if (this.standingTicks >= MAX_STANDING_TICKS) {
			this.link.closeWithError(
					"memory.limit: memory is short, and its client takes none of the %d bytes of results that wait"
						.formatted(unsent));
		}
	}

	/**
	 * Whether the client has shown that it takes its results, and few wait for it now: to
	 * connect and to ask shows nothing. Any thread.
	 */
	boolean takesResults() {
		return this.takesResults && this.link.unsent.get() <= MOST_UNSENT;
	}

	/** The client has a call that does not fit into its grant. */
	void onNeed(long size, boolean hasBound) {
		if (!hasBound) {
			throw new ProtocolException("NEED before a service is bound");
		}
		this.answers.need(size);
	}

	/** The client gives back a part of its grant. */
	void onYield(long bytes) {
		this.answers.yield(bytes);
	}

	/**
	 * The client takes so many bytes of replies in total. One that is short of memory
	 * raises this in steps, and is at work; a byte or two are no step.
	 */
	public void onWindow(long total, int flags) {
		boolean isStep = total - this.link.replies.granted() >= ReceiveWindow.SHARE;
		if (isStep && this.connection.queue().blocked.waitsForWindow()) {
			this.raises++;
		}
		this.takesResults |= isStep && this.link.replies.sent() > 0;
		this.link.replies.raise(total, (flags & FrameHeader.FLAG_ANSWERS_NEED) != 0);
		this.connection.queue().blocked.resume();
	}

	/** A table has arrived; it counts in the grant as arguments do. */
	void takeTable(int bytes) {
		if (!this.grant.bytes.takes(bytes)) {
			throw new ProtocolException("a CONTRACT of %d bytes that were not granted".formatted(bytes));
		}
	}

	/** What was made of a table is kept elsewhere. */
	void releaseTable(int bytes) {
		if (this.grant.bytes.release(bytes)) {
			this.grant.raise();
			announce();
		}
	}

	/** The connection is closed. */
	void stop() {
		this.leastRate.stop();
		if (this.staleTimer != null) {
			this.staleTimer.cancel(false);
		}
	}

}
