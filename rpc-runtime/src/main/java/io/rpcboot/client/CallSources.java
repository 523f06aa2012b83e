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

	/** Numbers of the methods that the server of the connection refuses. */
	private final Set<Integer> refused;

	private int turn;

	CallSources(List<CallQueue> queues, Set<Integer> refused) {
		this.queues = queues.toArray(new CallQueue[0]);
		this.refused = refused;
	}

	/** Take a call; null if none waits that the connection may send. */
	@Nullable ClientCall next(long now) {
		for (int i = this.queues.length; i > 0; i--) {
			this.turn = (this.turn + 1 < this.queues.length) ? this.turn + 1 : 0;
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
