package io.rpcboot.internal.server.connection;

import java.util.Set;

import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.transport.Protocol;

/** Server side of a protocol that a port may speak. Any thread. */
public interface ServerProtocol {

	/** Returns the names of {@code rpc.server.protocols} for which the port speaks it. */
	Set<Protocol> names();

	/** Returns the name for messages to people. */
	String title();

	/**
	 * Returns true if a client that sends these bytes first speaks this protocol.
	 * @param first the first four bytes, big-endian
	 */
	boolean begins(int first);

	/**
	 * Creates the handler of received bytes for a new connection, whose first bytes were
	 * those of this protocol. Event loop only.
	 */
	InboundHandler open(Connection connection);

}
