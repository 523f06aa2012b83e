package io.rpcboot.internal.client.routing;

import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.connection.ClientConnection;
import org.jspecify.annotations.Nullable;

/**
 * Known instance of a reference, whether ordinary calls go there or not. Its fields are a
 * snapshot; its connections are live.
 *
 * @param info snapshot of its state
 * @param connections connections that take calls, including frozen ones
 */
public record BroadcastTarget(ReferenceInfo.Instance info, ClientConnection[] connections) {

	public Endpoint endpoint() {
		return this.info.endpoint();
	}

	/** Returns true if it takes calls, or its first connection is being opened. */
	public boolean isReachable() {
		return this.connections.length > 0 || this.info.state() == State.CONNECTING;
	}

	/** Returns a random connection that needs a wake-up to take a call, or null. */
	public @Nullable ClientConnection freeConnection() {
		int count = this.connections.length;
		int first = (count > 1) ? ThreadLocalRandom.current().nextInt(count) : 0;
		for (int i = 0; i < count; i++) {
			ClientConnection each = this.connections[(first + i) % count];
			if (!each.needsNoWakeUp) {
				return each;
			}
		}
		return null;
	}

	/** Offers waiting calls to its connections. */
	void offer() {
		for (ClientConnection each : this.connections) {
			each.offer();
		}
	}

	/** Returns the reason why no call goes there. */
	String why() {
		String problem = this.info.problem();
		return "the instance is " + this.info.state() + (problem.isEmpty() ? "" : ": " + problem);
	}

}
