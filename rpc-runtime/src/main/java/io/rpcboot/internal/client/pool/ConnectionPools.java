package io.rpcboot.internal.client.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.CachedCredentials;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.BatchingOptions;

/**
 * Pools of a client for one protocol, one for each key. Control thread only.
 */
public final class ConnectionPools {

	private final ClientResources client;

	private final ClientProtocol protocol;

	private final Map<PoolKey, ConnectionPool> pools = new HashMap<>();

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

	/** Replaces the connections, each after a random time. Any thread. */
	public void renew() {
		this.client.control().execute(() -> this.pools.values().forEach(ConnectionPool::renew));
	}

	/**
	 * Returns the pool of an instance. Those with different names at one address share no
	 * connection.
	 */
	public ConnectionPool get(ServiceInstance instance, BatchingOptions batching) {
		return this.pools.computeIfAbsent(key(instance, batching),
				(key) -> new ConnectionPool(key, this.client, this.protocol));
	}

	private PoolKey key(ServiceInstance instance, BatchingOptions batching) {
		TlsContext tls = this.protocol.security().tls();
		if (tls == null) {
			return new PoolKey(instance.endpoint(), instance.serverName(), "", batching);
		}
		String given = tls.options().serverName();
		return new PoolKey(instance.endpoint(), given.isEmpty() ? instance.serverName() : given,
				tls.options().verifiesApplication() ? instance.application() : "", batching);
	}

	public void leave(ConnectionPool pool, ConnectionPool.User user) {
		if (pool.leave(user)) {
			this.pools.remove(pool.key());
		}
	}

}
