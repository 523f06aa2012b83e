package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.RpcClient;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;

import org.springframework.beans.factory.ObjectProvider;

/**
 * What a reference starts from that changes a part of it: what the client was built with.
 * Any thread.
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
