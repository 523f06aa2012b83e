package io.rpcboot.internal.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.netty.channel.Channel;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.Connection.State;
import io.rpcboot.internal.transport.write.FlushPolicy.Decision;

/**
 * What all connections of a transport count together. They count in plain fields of their
 * own; nothing is added up until somebody looks. Any thread.
 */
final class ConnectionCounters {

	private final Set<Connection> open = ConcurrentHashMap.newKeySet();

	/** What connections that have ended had counted. */
	private final long[] endedDecisions = new long[Decision.values().length];

	private long endedGoAways;

	/** A connection is counted from here on until its channel is closed. */
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

	/** Connections that are in a state now. */
	long in(State state) {
		return this.open.stream().filter((each) -> each.state() == state).count();
	}

	/** GO_AWAY frames so far, sent or received, whichever the side does. */
	synchronized long goAways() {
		return this.endedGoAways + this.open.stream().mapToLong(Connection::goAways).sum();
	}

	/** What mode AUTO has decided so far. */
	synchronized long decisions(Decision kind) {
		return this.endedDecisions[kind.ordinal()]
				+ this.open.stream().mapToLong((each) -> each.queue().policy.decisions[kind.ordinal()]).sum();
	}

}
