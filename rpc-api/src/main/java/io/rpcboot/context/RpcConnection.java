package io.rpcboot.context;

import java.util.concurrent.ConcurrentMap;

import io.rpcboot.Side;

/**
 * Established connection between a client and a server, one object per connection. An
 * implementation gets it from its context, a listener when the connection opens and
 * closes:
 *
 * <pre>{@code
 * RpcConnection connection = RpcContext.current().connection();
 * connection.attributes().putIfAbsent("session", new Session(connection.remote()));
 * }</pre>
 *
 * Thread-safe.
 *
 * @since 0.1.0
 */
public interface RpcConnection {

	/**
	 * Returns the side of this application.
	 * @return client or server
	 */
	Side side();

	/**
	 * Returns the name of the protocol.
	 * @return {@code native} or {@code grpc}
	 */
	default String protocol() {
		return "native";
	}

	/**
	 * Returns the address of the peer.
	 * @return address and port, such as {@code 10.0.0.7:51324}
	 */
	String remote();

	/**
	 * Returns the application name that the peer announced. It is not verified. Clients
	 * of gRPC announce it with their first call, in {@code user-agent}.
	 * @return the name, empty for none
	 */
	String application();

	/**
	 * Returns the identity that the peer has proved by its certificate, or by credentials
	 * for the whole connection. It may change, when the peer renews its credentials or
	 * they expire.
	 * @return the identity, {@link CallerIdentity#anonymous()} without a proof
	 */
	default CallerIdentity identity() {
		return CallerIdentity.anonymous();
	}

	/**
	 * Returns the attributes of the connection, which applications may set. They end with
	 * the connection.
	 * @return a thread-safe map, empty at first
	 */
	ConcurrentMap<String, Object> attributes();

}
