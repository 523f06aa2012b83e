package io.rpcboot.internal.server.runtime;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.transport.ConnectionInfo;

/** Open connection as seen by shutdown, memory and description. Any thread. */
public interface ActiveConnection {

	/**
	 * Sends GO_AWAY.
	 * @return completes when it is written and later calls are rejected
	 */
	CompletableFuture<Void> goAway();

	/** Sends GO_AWAY on all connections. The result never fails. */
	static CompletableFuture<Void> goAway(Collection<ActiveConnection> connections) {
		return CompletableFuture
			.allOf(connections.stream().map(ActiveConnection::goAway).toArray(CompletableFuture[]::new))
			.exceptionally((failure) -> null);
	}

	/**
	 * Asks the client to replace the connection if it uses TLS, as at its maximum age.
	 * @param minAgeNanos younger connections stay
	 * @param afterNanos time until the client is asked
	 */
	void renewTls(long minAgeNanos, long afterNanos);

	/** Ends the output; the client closes when it has read everything. */
	void halfClose();

	/**
	 * Closes the connection if its client reads no responses, because memory is short.
	 * Called once in each tick of 100 ms.
	 */
	void relieve(int tick);

	/** Returns a snapshot for operators. */
	ConnectionInfo describe();

}
