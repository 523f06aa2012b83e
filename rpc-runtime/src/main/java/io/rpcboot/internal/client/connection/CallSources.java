package io.rpcboot.internal.client.connection;

import java.util.List;

import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.limits.AdaptiveLifoQueue;
import org.jspecify.annotations.Nullable;

/**
 * The queues from which one connection takes calls, each in its turn. Made by the control
 * thread, used by the event loop.
 */
public final class CallSources {

	static final CallSources NONE = new CallSources(List.of());

	private final List<PendingCallQueue> references;

	/** Short and long calls of a reference have their turns. */
	private int turn;

	public CallSources(List<PendingCallQueue> references) {
		this.references = references;
	}

	/** Whether they are of more than one reference. */
	boolean areSeveral() {
		return this.references.stream().mapToInt(PendingCallQueue::reference).distinct().count() > 1;
	}

	/**
	 * Take a call; null if none waits that the connection may send.
	 * @param taker the connection
	 * @param now as {@link System#nanoTime()}
	 * @param shares of the references in the connection that takes it, null if it has one
	 * @param free calls that may be sent beside those under way
	 * @param longCalls whether a long one may be sent
	 */
	@Nullable ClientCall next(CallTransport taker, long now, @Nullable FairShare shares, long free, boolean longCalls) {
		for (int i = 2 * this.references.size(); i > 0; i--) {
			this.turn = (this.turn + 1 < 2 * this.references.size()) ? this.turn + 1 : 0;
			PendingCallQueue reference = this.references.get(this.turn / 2);
			boolean isLong = this.turn % 2 != 0;
			if ((isLong && !longCalls) || (shares != null && shares.isUsedUp(reference.reference(), free))) {
				continue;
			}
			AdaptiveLifoQueue<ClientCall> queue = isLong ? reference.longCalls() : reference.shortCalls();
			ClientCall call = queue.poll(now, reference.acceptedBy(taker));
			if (call != null) {
				return call;
			}
		}
		return null;
	}

}
