package io.rpcboot.internal.client.routing;

import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.connection.ClientConnection;
import org.jspecify.annotations.Nullable;

/**
 * An instance of a reference, whether calls go there or not. Immutable, for any thread.
 *
 * @param info how it stood when this was made
 * @param connections those that take calls, frozen ones among them
 */
public record BroadcastTarget(ReferenceInfo.Instance info, ClientConnection[] connections) {

	public Endpoint endpoint() {
		return this.info.endpoint();
	}

	/** Whether a call may go there now or in a moment. */
	public boolean isReachable() {
		return this.connections.length > 0 || this.info.state() == State.CONNECTING;
	}

	/** A connection with room; null if there is none. */
	public @Nullable ClientConnection withRoom() {
		int count = this.connections.length;
		int first = (count > 1) ? ThreadLocalRandom.current().nextInt(count) : 0;
		for (int i = 0; i < count; i++) {
			ClientConnection each = this.connections[(first + i) % count];
			if (!each.saturated) {
				return each;
			}
		}
		return null;
	}

	/** Have its connections look at calls that wait. */
	void offer() {
		for (ClientConnection each : this.connections) {
			each.offer();
		}
	}

	/** Why no call goes there, for people. */
	String why() {
		String problem = this.info.problem();
		return "the instance is " + this.info.state() + (problem.isEmpty() ? "" : ": " + problem);
	}

}
