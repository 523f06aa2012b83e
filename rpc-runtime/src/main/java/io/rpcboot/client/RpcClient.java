package io.rpcboot.client;

import java.util.List;

/**
 * Calls services. One object serves a whole application: it holds the connections, the
 * event loops and the calls under way. Thread-safe.
 */
public final class RpcClient implements AutoCloseable {

	RpcClient(RpcClientBuilder options) {
	}

	/**
	 * Set up a client.
	 * @return a builder with defaults for everything
	 */
	public static RpcClientBuilder builder() {
		return new RpcClientBuilder();
	}

	/**
	 * Make a proxy of a service without version and group.
	 * @param type the interface
	 * @param <T> the interface
	 * @return the proxy, thread-safe
	 * @throws io.rpcboot.RpcConfigurationException if the interface or a type in it
	 * cannot be a contract
	 */
	public <T> T reference(Class<T> type) {
		return reference(type, ReferenceOptions.defaults());
	}

	/**
	 * Make a proxy of a service. Connections to its instances are opened at once, in the
	 * background.
	 * @param type the interface
	 * @param options version, group, timeout, addresses
	 * @param <T> the interface
	 * @return the proxy, thread-safe; its methods throw what the interface declares and
	 * {@link io.rpcboot.RpcException}
	 * @throws io.rpcboot.RpcConfigurationException if the interface or a type in it
	 * cannot be a contract
	 */
	public <T> T reference(Class<T> type, ReferenceOptions options) {
		throw new IllegalStateException();
	}

	/**
	 * The references made so far, as they stand now.
	 * @return a snapshot
	 */
	public List<ReferenceInfo> references() {
		return List.of();
	}

	/**
	 * Calls under way: waiting for an instance, queued, or waiting for a reply.
	 * @return the number
	 */
	public int pendingCalls() {
		return 0;
	}

	/**
	 * End every connection. Calls under way fail with
	 * {@link io.rpcboot.RpcStatus#UNAVAILABLE}. Twice does nothing.
	 */
	@Override
	public void close() {
	}

}
