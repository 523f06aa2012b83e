package io.rpcboot.client;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The queues from which one connection takes calls, each in its turn. Made by the control
 * thread, used by the event loop.
 */
final class CallSources {

	static final CallSources NONE = new CallSources(List.of(), Set.of());

	private final CallQueue[] queues;

	/** Their numbers. */
	private final int[] references;

	/** Numbers of the methods that the server of the connection refuses. */
	private final Set<Integer> refused;

	private int turn;

	CallSources(List<ServiceProxy> references, Set<Integer> refused) {
		this.queues = references.stream().map((reference) -> reference.queue.calls()).toArray(CallQueue[]::new);
		this.references = references.stream().mapToInt((reference) -> reference.index).toArray();
		this.refused = refused;
	}

	/** Whether they are of more than one reference. */
	boolean areSeveral() {
		return this.queues.length > 1;
	}

	/** Take a call; null if none waits that the connection may send. */
	@Nullable ClientCall next(long now, ClientLink connection) {
		CallShares shares = connection.shares;
		for (int i = this.queues.length; i > 0; i--) {
			this.turn = (this.turn + 1 < this.queues.length) ? this.turn + 1 : 0;
			if (shares != null && shares.isUsedUp(this.references[this.turn], connection.window())) {
				continue;
			}
			ClientCall call = this.queues[this.turn].poll(now);
			while (call != null && this.refused.contains(call.method.number())) {
				call.proxy.directory.await(call);
				call = this.queues[this.turn].poll(now);
			}
			if (call != null) {
				return call;
			}
		}
		return null;
	}

}
