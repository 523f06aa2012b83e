package io.rpcboot.internal.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.netty.channel.Channel;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.Connection.State;
import io.rpcboot.internal.transport.write.FlushPolicy.Decision;

/**
 * Sums of the counters of all connections of a transport. Connections count in plain
 * fields of their own, which are added up only for a reader. Any thread.
 */
final class ConnectionCounters {

	private final Set<Connection> open = ConcurrentHashMap.newKeySet();

	/** Sums of closed connections, by decision. */
	private final long[] endedDecisions = new long[Decision.values().length];

	private long endedGoAways;

	/** Adds a connection until its channel is closed. */
	void add(Connection connection, Channel channel) {
		this.open.add(connection);
		channel.closeFuture().addListener((closed) -> ended(connection));
	}

	private synchronized void ended(Connection connection) {
		if (!this.open.remove(connection)) {
			return;
		}
		this.endedGoAways += connection.goAways();
		for (Decision each : Decision.values()) {
			this.endedDecisions[each.ordinal()] += connection.queue().policy.decisions[each.ordinal()];
		}
	}

	/** Returns the number of connections in a state. */
	long in(State state) {
		return this.open.stream().filter((each) -> each.state() == state).count();
	}

	/** Returns the number of connections with GO_AWAY, sent or received. */
	synchronized long goAways() {
		return this.endedGoAways + this.open.stream().mapToLong(Connection::goAways).sum();
	}

	/** Returns how often mode AUTO has made a decision. */
	synchronized long decisions(Decision kind) {
		return this.endedDecisions[kind.ordinal()]
				+ this.open.stream().mapToLong((each) -> each.queue().policy.decisions[kind.ordinal()]).sum();
	}

}
