package io.rpcboot.internal.client.connection;

import java.util.List;

import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.transport.frame.FrameSource;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;
import org.jspecify.annotations.Nullable;

/**
 * Pulls calls from the queues of references into one connection, and puts back calls that
 * the connection cannot write. Event loop only, except {@link #from}.
 * <p>
 * No wake-up is lost. A caller adds its call to the queue and then looks for a connection
 * that needs a wake-up. A connection that finds no call clears its flag
 * {@link ClientConnection#needsNoWakeUp} and then looks at the queues once more. The
 * second look is in {@link WriteQueue}: its method {@code pulled} calls {@link #next}
 * again after the first null.
 */
final class CallPuller implements FrameSource {

	private final ClientConnection connection;

	private final WriteQueue queue;

	/**
	 * Queues of the references that this connection serves. Set by the control thread.
	 */
	private volatile List<UnsentCallQueue> references = List.of();

	/** Queue that had the last turn: 2 * reference, + 1 for its long calls. */
	private int turn;

	/** The call that was pulled last. */
	private @Nullable ClientCall pulled;

	/**
	 * {@link WriteQueue#drainNanos} of the last drain in which a call was put back
	 * because the connection could write none. No call is pulled while the two are equal,
	 * that is, in the same drain: the same call would be pulled and put back again.
	 */
	private long blockedNanos;

	CallPuller(ClientConnection connection, WriteQueue queue) {
		this.connection = connection;
		this.queue = queue;
		this.blockedNanos = System.nanoTime();
		queue.source(this);
	}

	/** Sets the queues from which calls are pulled. Control thread. */
	void from(List<UnsentCallQueue> references) {
		this.references = references;
	}

	/**
	 * Puts a call back into the queue of its reference, so that any connection can take
	 * it.
	 * @param full true if the connection could write no other call either
	 * @return SKIP, so that the write queue drops the call
	 */
	WriteDecision putBack(ClientCall call, boolean full) {
		if (full) {
			this.connection.needsNoWakeUp = true;
			this.blockedNanos = this.queue.drainNanos();
		}
		if (call == this.pulled) {
			call.reference.giveBack(call);
		}
		else {
			call.reference.enqueue(call);
		}
		return WriteDecision.SKIP;
	}

	/**
	 * Returns true if a call must not be written yet, because it is long and long calls
	 * wait that came before it.
	 */
	boolean isBehindOthers(ClientCall call) {
		if (call == this.pulled || !UnsentCallQueue.isLong(call)) {
			return false;
		}
		boolean wait = this.connection.longCallsWait();
		for (UnsentCallQueue each : this.references) {
			wait |= each.hasLongCalls();
		}
		return wait;
	}

	@Override
	public @Nullable OutboundFrame next() {
		if (this.blockedNanos == this.queue.drainNanos()) {
			return null;
		}
		if (!this.connection.canWrite()) {
			this.connection.needsNoWakeUp = true;
			return null;
		}
		ClientCall call = poll(this.references);
		this.connection.needsNoWakeUp = call != null;
		this.pulled = call;
		if (call == null) {
			return null;
		}
		call.connection = this.connection;
		return this.connection.frame(call);
	}

	/** Takes the next call, each queue in its turn; null if no call may be sent. */
	private @Nullable ClientCall poll(List<UnsentCallQueue> references) {
		FairShare shares = this.connection.shares;
		int queues = 2 * references.size();
		for (int i = queues; i > 0; i--) {
			this.turn = (this.turn + 1 < queues) ? this.turn + 1 : 0;
			UnsentCallQueue reference = references.get(this.turn / 2);
			boolean isLong = this.turn % 2 != 0;
			if ((isLong && this.connection.longCallsWait())
					|| (shares != null && shares.isUsedUp(reference.reference(), this.connection.freeCalls()))) {
				continue;
			}
			ExpiringCallQueue<ClientCall> queue = isLong ? reference.longCalls() : reference.shortCalls();
			ClientCall call = queue.poll(this.queue.drainNanos(), reference.acceptedBy(this.connection));
			if (call != null) {
				return call;
			}
		}
		return null;
	}

}
