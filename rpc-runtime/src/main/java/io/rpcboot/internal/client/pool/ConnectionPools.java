package io.rpcboot.internal.client.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.CachedCredentials;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.transport.BatchingOptions;

/**
 * Pools of a client for one protocol, one for each endpoint and flush policy. Control
 * thread only.
 */
public final class ConnectionPools {

	private final ClientResources client;

	private final ClientProtocol protocol;

	private final Map<Key, ConnectionPool> pools = new HashMap<>();

	public ConnectionPools(ClientResources client, ClientProtocol protocol) {
		this.client = client;
		this.protocol = protocol;
	}

	/** Creates pools that are checked for owed connections and frozen ones. */
	public static ConnectionPools monitored(ClientResources client, ClientProtocol protocol) {
		ConnectionPools pools = new ConnectionPools(client, protocol);
		client.control()
			.scheduleWithFixedDelay(pools::check, FrozenDetector.CHECK_NANOS, FrozenDetector.CHECK_NANOS,
					TimeUnit.NANOSECONDS);
		CachedCredentials credentials = protocol.security().credentials();
		if (credentials != null) {
			credentials.onRenewal(() -> client.control().execute(pools::renewCredentials));
		}
		return pools;
	}

	/** Returns the protocol of the connections. Any thread. */
	public ClientProtocol protocol() {
		return this.protocol;
	}

	private void check() {
		List.copyOf(this.pools.values()).forEach(ConnectionPool::check);
	}

	private void renewCredentials() {
		List.copyOf(this.pools.values()).forEach(ConnectionPool::renewCredentials);
	}

	private record Key(Endpoint endpoint, String application, BatchingOptions batching) {
	}

	/** Replaces the connections, each after a random time. Any thread. */
	public void renew() {
		this.client.control().execute(() -> this.pools.values().forEach(ConnectionPool::renew));
	}

	/**
	 * Returns the pool of an instance.
	 * @param application application of the instance; those of different ones at one
	 * address share no connection if certificates have to name them
	 */
	public ConnectionPool get(Endpoint endpoint, String application, BatchingOptions batching) {
		TlsContext tls = this.protocol.security().tls();
		String verified = (tls != null && tls.options().verifiesApplication()) ? application : "";
		return this.pools.computeIfAbsent(new Key(endpoint, verified, batching),
				(key) -> new ConnectionPool(endpoint, verified, batching, this.client, this.protocol));
	}

	public void leave(ConnectionPool pool, ConnectionPool.User user) {
		if (pool.leave(user)) {
			this.pools.remove(new Key(pool.endpoint(), pool.application(), pool.batching()));
		}
	}

}
