package io.rpcboot.internal.client.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.CallTable;

/**
 * Removes calls of a connection that end without a reply, and drains the connection:
 * takes no more calls, waits for the pending ones, closes. Event loop only, except
 * methods marked "Any thread."
 */
public final class ConnectionDrain {

	/** Time in which the server should close a connection that is drained. */
	private static final int HALF_CLOSE_SECONDS = 1;

	/** Time in which the server should confirm that it has read all one-way calls. */
	private static final int GO_AWAY_SECONDS = 60;

	private final Connection connection;

	private final ClientConnection calls;

	private final CallTable<ClientCall> pending;

	private int unwrittenOneWays;

	private boolean hadOneWays;

	/**
	 * True while one-way calls may be on their way; the server sends GO_AWAY when it has
	 * read them all.
	 */
	private boolean awaitsGoAway;

	private boolean closing;

	ConnectionDrain(Connection connection, ClientConnection calls) {
		this.connection = connection;
		this.calls = calls;
		this.pending = calls.pending;
	}

	/** Removes a call that was cancelled and may still run. */
	public void cancelled(ClientCall call) {
		this.pending.remove(call.id());
		this.calls.load.unanswered(call);
		countCancelled(call);
		closeWhenDrained();
	}

	private void countCancelled(ClientCall call) {
		if (this.calls.shares != null) {
			this.calls.shares.cancelled(call.reference.resources().index);
		}
	}

	/** Takes no more calls, waits for the pending ones and closes. Any thread. */
	public void drain() {
		this.connection.execute(() -> drainAfter(Long.MAX_VALUE));
	}

	/**
	 * Drains a connection that another one has replaced. Waits until the server has read
	 * all one-way calls, because a server drops those that it has not started when the
	 * connection closes. Any thread.
	 */
	public void drainReplaced() {
		this.connection.execute(() -> {
			if (!this.calls.draining) {
				this.awaitsGoAway = this.hadOneWays;
				stopAccepting(Long.MAX_VALUE);
				if (this.awaitsGoAway) {
					this.connection.loop()
						.schedule(() -> drainAfter(Long.MAX_VALUE), GO_AWAY_SECONDS, TimeUnit.SECONDS);
				}
			}
		});
	}

	/** Drains; calls with an id above {@code lastServed} did not run and go elsewhere. */
	public void drainAfter(long lastServed) {
		this.awaitsGoAway = false;
		stopAccepting(lastServed);
	}

	private void stopAccepting(long lastServed) {
		this.calls.stopAccepting();
		this.connection.queue().blocked.resume();
		removeAfter(lastServed).forEach((call) -> call.reference.dispatchAgain(call, RedispatchReason.GO_AWAY));
		closeWhenDrained();
	}

	/** Retries the calls of a frozen server at other instances where that is allowed. */
	public void leaveFrozen() {
		leave((call) -> call.method.isRepeatable, RedispatchReason.FAILED);
	}

	/**
	 * Retries some calls at other instances, where that is allowed.
	 * @return the ids that they had here
	 */
	List<Long> leave(Predicate<ClientCall> some, RedispatchReason why) {
		List<Long> left = new ArrayList<>();
		this.pending.removeIf((call) -> {
			long id = call.id();
			return some.test(call) && call.reference.retryElsewhere(call, why) && left.add(id);
		}).forEach(this::countCancelled);
		closeWhenDrained();
		return left;
	}

	/**
	 * Removes and returns the pending calls with an id above {@code id}. Ids begin at 1,
	 * so 0 removes all calls, and {@link Long#MAX_VALUE} none.
	 */
	List<ClientCall> removeAfter(long id) {
		return this.pending.removeIf((call) -> call.id() > id);
	}

	/**
	 * Closes a drained connection. The server closes first if it does so in time: closing
	 * a socket with unread bytes resets the connection, and the bytes written last may be
	 * lost.
	 */
	public void closeWhenDrained() {
		boolean done = this.pending.size() == 0 && !this.calls.hasOpenStreams() && this.unwrittenOneWays == 0
				&& !this.awaitsGoAway;
		if (this.calls.draining && done && !this.closing) {
			this.closing = true;
			this.connection.halfClose();
			this.connection.loop().schedule(this.connection::close, HALF_CLOSE_SECONDS, TimeUnit.SECONDS);
		}
	}

	/** Counts a one-way call that is being written. */
	public void oneWayBegins() {
		this.hadOneWays = true;
		this.unwrittenOneWays++;
		if (this.calls.shares != null) {
			this.calls.shares.oneWayBegins();
		}
	}

	/** Counts out a one-way call that was written or never will be. */
	public void oneWayWritten() {
		this.unwrittenOneWays--;
		closeWhenDrained();
	}

}
