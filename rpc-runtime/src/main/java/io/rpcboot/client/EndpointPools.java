package io.rpcboot.client;

import java.util.HashMap;
import java.util.Map;

import io.rpcboot.Endpoint;

/** The pools of a client, one for each endpoint. Confined to the control thread. */
final class EndpointPools {

	private final ClientRuntime client;

	private final Map<Endpoint, EndpointPool> pools = new HashMap<>();

	EndpointPools(ClientRuntime client) {
		this.client = client;
	}

	EndpointPool get(Endpoint endpoint) {
		return this.pools.computeIfAbsent(endpoint, (key) -> new EndpointPool(key, this.client));
	}

	void leave(EndpointPool pool, ServiceDirectory user) {
		if (pool.leave(user)) {
			this.pools.remove(pool.endpoint());
		}
	}

}
