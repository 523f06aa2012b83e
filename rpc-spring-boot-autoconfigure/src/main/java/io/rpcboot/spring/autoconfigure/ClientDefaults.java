package io.rpcboot.spring.autoconfigure;

import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;

import org.springframework.beans.factory.ObjectProvider;

/**
 * What a reference starts from that changes a part of it: what the client was built with.
 * Any thread.
 */
class ClientDefaults {

	private final ObjectProvider<RpcClient> client;

	/** What properties and customizers say; the defaults if the application built it. */
	private volatile ResilienceOptions resilience = ResilienceOptions.defaults();

	ClientDefaults(ObjectProvider<RpcClient> client) {
		this.client = client;
	}

	/** The client is about to be built. */
	void builtBy(RpcClientBuilder builder) {
		this.resilience = builder.resilience();
	}

	BatchingOptions batching() {
		return this.client.getObject().batching();
	}

	ResilienceOptions resilience() {
		this.client.getObject();
		return this.resilience;
	}

}
