package io.rpcboot.internal.server.runtime;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.transport.ConnectionInfo;

/** An open connection, as what all connections share knows it. Any thread. */
public interface ActiveConnection {

	/**
	 * Tell the client to send no more calls.
	 * @return completes when the client was told and every later call is refused
	 */
	CompletableFuture<Void> goAway();

	/** The same for each of them. Never fails. */
	static CompletableFuture<Void> goAway(Collection<ActiveConnection> connections) {
		return CompletableFuture
			.allOf(connections.stream().map(ActiveConnection::goAway).toArray(CompletableFuture[]::new))
			.exceptionally((failure) -> null);
	}

	/** Send nothing more; the client closes when it has read all. */
	void halfClose();

	/**
	 * Memory is short: end this connection if its client takes nothing of what waits for
	 * it. Once in each tick of a tenth of a second.
	 */
	void relieve(int tick);

	/** As it stands now, for people. */
	ConnectionInfo describe();

}
