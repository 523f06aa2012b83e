package io.rpcboot.client;

import java.util.HashMap;
import java.util.Map;

import io.rpcboot.Endpoint;
import io.rpcboot.transport.BatchingOptions;

/**
 * The pools of a client, one for each endpoint and batching. Confined to the control
 * thread.
 */
final class EndpointPools {

	private final ClientRuntime client;

	private final Map<Key, EndpointPool> pools = new HashMap<>();

	EndpointPools(ClientRuntime client) {
		this.client = client;
	}

	private record Key(Endpoint endpoint, BatchingOptions batching) {
	}

	EndpointPool get(Endpoint endpoint, BatchingOptions batching) {
		return this.pools.computeIfAbsent(new Key(endpoint, batching),
				(key) -> new EndpointPool(endpoint, batching, this.client));
	}

	void leave(EndpointPool pool, EndpointPool.User user) {
		if (pool.leave(user)) {
			this.pools.remove(new Key(pool.endpoint(), pool.batching()));
		}
	}

}
