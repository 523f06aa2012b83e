package io.rpcboot.internal.client.connection;

import java.util.Collection;
import java.util.Map;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.transport.BatchingOptions;

/**
 * Who has opened a connection: says what it is for, and learns what becomes of it. Any
 * thread.
 */
public interface ConnectionObserver {

	/** Where the connection leads. */
	Endpoint endpoint();

	/** When it flushes. */
	BatchingOptions batching();

	/** The services that it gives numbers to as soon as it is open. */
	Collection<ServiceBinding> bindings();

	/** The handshake is done: it takes calls. */
	void onReady();

	/**
	 * The server wants no more calls.
	 * @param served whether it has served one on this connection
	 */
	void onDraining(String reason, boolean served);

	/**
	 * The server wants this connection to end because it is old; another one is welcome.
	 * @param ends whether it takes no more calls from here on
	 */
	void onOld(boolean ends);

	/** It is closed. */
	void onClosed(String why);

	/** The server refuses a whole service. */
	void onBindRefused(ServiceBinding binding, BindRejection refusal);

	/** The server refuses some methods of a service, by their index; maybe none. */
	void onMethodsRefused(ServiceBinding binding, Map<Integer, String> refused);

}
