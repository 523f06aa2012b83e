package io.rpcboot.engine;

import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;

/** What tests ask about references. */
final class References {

	private References() {
	}

	static ReferenceOptions at(int... ports) {
		Endpoint[] endpoints = new Endpoint[ports.length];
		for (int i = 0; i < ports.length; i++) {
			endpoints[i] = new Endpoint("127.0.0.1", ports[i]);
		}
		return ReferenceOptions.defaults().withEndpoints(endpoints);
	}

	static ReferenceOptions at(RpcServer server) {
		return at(server.port());
	}

	/** Every instance of every reference. */
	static List<ReferenceInfo.Instance> instances(RpcClient client) {
		return client.references().stream().flatMap((reference) -> reference.instances().stream()).toList();
	}

	/** How many instances take calls. */
	static long ready(RpcClient client) {
		return instances(client).stream().filter((instance) -> instance.state() == ReferenceInfo.State.READY).count();
	}

}
