package io.rpcboot.internal.client.connection;

import java.util.Collection;
import java.util.Map;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.transport.BatchingOptions;

/**
 * Owner of a connection: knows its endpoint and options and receives its events. Any
 * thread.
 */
public interface ConnectionObserver {

	/** Returns the address of the server. */
	Endpoint endpoint();

	/** Returns host and port of the server as this client calls it. */
	Endpoint authority();

	/** Returns the flush policy of the connection. */
	BatchingOptions batching();

	/** Returns the services that are bound when the connection opens. */
	Collection<ServiceBinding> bindings();

	/** Called when the handshake is done and the connection takes calls. */
	void onReady();

	/**
	 * Called when the server takes no more calls: it shuts down, or it refuses the
	 * handshake with GO_AWAY.
	 * @param served true if the server has served a call of this connection
	 */
	void onDraining(String reason, boolean served);

	/**
	 * Called before the end of a connection whose handshake fails because client and
	 * server do not fit, such as by their serializers.
	 */
	void onIncompatible();

	/**
	 * Called before the end of a connection whose handshake fails because the server
	 * refuses the client.
	 * @param refusal status and reason, as calls get them
	 */
	void onUnauthenticated(BindRejection refusal);

	/**
	 * Called when the server asks the client to replace this connection because of its
	 * age.
	 * @param ends true if the connection takes no more calls from now on
	 */
	void onOld(boolean ends);

	/** Called when the connection is closed. */
	void onClosed(String why);

	/** Called when the server rejects a whole service. */
	void onBindRefused(ServiceBinding binding, BindRejection refusal);

	/**
	 * Called when the server or the comparison of contracts rejects methods.
	 * @param refused reasons by index of the rejected methods; may be empty
	 */
	void onMethodsRefused(ServiceBinding binding, Map<Integer, String> refused);

}
