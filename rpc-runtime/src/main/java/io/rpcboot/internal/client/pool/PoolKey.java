package io.rpcboot.internal.client.pool;

import io.rpcboot.Endpoint;
import io.rpcboot.transport.BatchingOptions;

/**
 * Properties that the connections of a pool share.
 *
 * @param endpoint address of the instance
 * @param serverName host name in its certificate, and in the authority of gRPC; empty for
 * the host of the address
 * @param application application that its certificate must name; empty for any
 * @param batching flush policy
 */
public record PoolKey(Endpoint endpoint, String serverName, String application, BatchingOptions batching) {

	/**
	 * Returns the key of an instance whose certificate is for the host of its address.
	 */
	public static PoolKey of(Endpoint endpoint, BatchingOptions batching) {
		return new PoolKey(endpoint, "", "", batching);
	}

	/** Returns host and port as the client calls them, for example in a header. */
	Endpoint authority() {
		return this.serverName.isEmpty() ? this.endpoint : new Endpoint(this.serverName, this.endpoint.port());
	}

}
