package io.rpcboot.internal.client.connection;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallCompletion;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.RedispatchReason;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * Calls of a connection that end otherwise than by a reply, and the connection's own way
 * to its end: it takes no more calls, finishes those under way and closes. Stands beside
 * client connection. Event loop only, but for what says otherwise.
 */
public final class ConnectionDrain {

	/** How long a server may take to close a connection when all has been said. */
	private static final int LAST_READ_SECONDS = 1;

	private final Connection connection;

	private final WriteQueue queue;

	private final ClientConnectionBase calls;

	private final CallTable<ClientCall> pending;

	/** Those that do not end. */
	public final StuckCallDetector overdue;

	/** How long a server may take to say the last word. */
	private static final int LAST_WORD_SECONDS = 60;

	private int unwrittenOneWays;

	private boolean hadOneWays;

	/** One-way calls may be on their way, and the server says when it has them all. */
	private boolean awaitsLastWord;

	private boolean closing;

	ConnectionDrain(Connection connection, ClientConnectionBase calls, CallTable<ClientCall> pending) {
		this.connection = connection;
		this.queue = connection.queue();
		this.calls = calls;
		this.pending = pending;
		this.overdue = new StuckCallDetector(calls, pending);
	}

	/** A call will not be sent: those that wait behind it may go. Any thread. */
	void gaveUp(ClientCall call) {
		this.connection.execute(() -> {
			if (this.queue.isNext(call)) {
				this.queue.resume();
				this.queue.pull();
			}
		});
	}

	/** The call is over, its reply no longer wanted. Any thread. */
	void forget(ClientCall call) {
		this.queue.enqueue(new CancelFrame(this, call));
	}

	boolean isPending(ClientCall call) {
		return this.pending.get(call.id()) == call;
	}

	void remove(ClientCall call) {
		this.pending.remove(call.id());
		this.calls.measureUnanswered(call);
		if (this.calls.shares != null) {
			this.calls.shares.cancelled(call.reference.index);
		}
		closeWhenDrained();
	}

	/**
	 * The server does not take a call of this size, or so many attachments. It goes on
	 * without what is optional, or ends.
	 */
	WriteDecision tooLarge(ClientCall call, boolean writable) {
		if (call.context != null && call.context.leaveOff(call)) {
			return this.calls.admit(call, writable);
		}
		call.fail(RpcStatus.INVALID_ARGUMENT,
				CallCompletion.largerThanServerAccepts(call, call.length() + FrameHeader.DEADLINE_LENGTH,
						this.calls.serverMaxFrame, this.calls.serverMaxAttachments));
		return WriteDecision.SKIP;
	}

	/** Take no more calls, finish those under way, close. Any thread. */
	public void drain() {
		this.connection.execute(() -> drainAfter(Long.MAX_VALUE));
	}

	/**
	 * Another connection to the same server has its place: take no more calls, finish
	 * those under way. A server drops one-way calls that it has not begun when the
	 * connection ends. Any thread.
	 */
	public void leave() {
		this.connection.execute(() -> {
			if (!this.calls.isDraining()) {
				this.awaitsLastWord = this.hadOneWays;
				takeNoMore(Long.MAX_VALUE);
				if (this.awaitsLastWord) {
					this.connection.loop()
						.schedule(() -> drainAfter(Long.MAX_VALUE), LAST_WORD_SECONDS, TimeUnit.SECONDS);
				}
			}
		});
	}

	/** Take no more calls; those beyond the last one that is served did not run. */
	void drainAfter(long lastServed) {
		this.awaitsLastWord = false;
		takeNoMore(lastServed);
	}

	private void takeNoMore(long lastServed) {
		this.calls.takesNoMore();
		this.queue.resume();
		takeBeyond(lastServed).forEach((call) -> call.reference.dispatchAgain(call, RedispatchReason.GO_AWAY));
		closeWhenDrained();
	}

	/** The server stands still: calls that may be made once more are, elsewhere. */
	public void leaveFrozen() {
		this.pending.removeIf((call) -> call.method.isRepeatable && call.reference.retryFromFrozen(call))
			.forEach((call) -> {
				if (this.calls.shares != null) {
					this.calls.shares.cancelled(call.reference.index);
				}
			});
		closeWhenDrained();
	}

	List<ClientCall> takeBeyond(long id) {
		return this.pending.removeIf((call) -> call.id() > id);
	}

	/**
	 * A socket that is closed with something unread is reset, and what was written last
	 * may be lost. So the server closes first, if it does so in time.
	 */
	void closeWhenDrained() {
		boolean done = this.pending.size() == 0 && this.unwrittenOneWays == 0 && !this.awaitsLastWord;
		if (this.calls.isDraining() && done && !this.closing) {
			this.closing = true;
			this.connection.halfClose();
			this.connection.loop().schedule(this.connection::close, LAST_READ_SECONDS, TimeUnit.SECONDS);
		}
	}

	/** A one-way call is being written. */
	void oneWayBegins() {
		this.hadOneWays = true;
		this.unwrittenOneWays++;
		if (this.calls.shares != null) {
			this.calls.shares.oneWayBegins();
		}
	}

	/** A one-way call was written, or never will be. */
	void oneWayWritten() {
		this.unwrittenOneWays--;
		closeWhenDrained();
	}

}
