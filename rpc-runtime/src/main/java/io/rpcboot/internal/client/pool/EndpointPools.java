package io.rpcboot.internal.client.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.runtime.ClientRuntime;
import io.rpcboot.transport.BatchingOptions;

/**
 * The pools of a client, one for each endpoint and batching. Confined to the control
 * thread.
 */
public final class EndpointPools {

	private final ClientRuntime client;

	private final Map<Key, EndpointPool> pools = new HashMap<>();

	public EndpointPools(ClientRuntime client) {
		this.client = client;
	}

	/** Pools that look for instances that stand still. */
	public static EndpointPools listening(ClientRuntime client) {
		EndpointPools pools = new EndpointPools(client);
		client.control()
			.scheduleWithFixedDelay(pools::lookForSilence, Silence.LOOK_NANOS, Silence.LOOK_NANOS,
					TimeUnit.NANOSECONDS);
		return pools;
	}

	private void lookForSilence() {
		List.copyOf(this.pools.values()).forEach(EndpointPool::lookForSilence);
	}

	private record Key(Endpoint endpoint, BatchingOptions batching) {
	}

	public EndpointPool get(Endpoint endpoint, BatchingOptions batching) {
		return this.pools.computeIfAbsent(new Key(endpoint, batching),
				(key) -> new EndpointPool(endpoint, batching, this.client));
	}

	public void leave(EndpointPool pool, EndpointPool.User user) {
		if (pool.leave(user)) {
			this.pools.remove(new Key(pool.endpoint(), pool.batching()));
		}
	}

}
