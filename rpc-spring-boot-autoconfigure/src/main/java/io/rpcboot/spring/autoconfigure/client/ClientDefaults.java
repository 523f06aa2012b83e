package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.RpcClient;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Options that the client was built with, from which options of single references are
 * derived. Creates the client if needed. Any thread.
 */
class ClientDefaults {

	private final ObjectProvider<RpcClient> client;

	ClientDefaults(ObjectProvider<RpcClient> client) {
		this.client = client;
	}

	BatchingOptions batching() {
		return this.client.getObject().batching();
	}

	ResilienceOptions resilience() {
		return this.client.getObject().resilience();
	}

}
