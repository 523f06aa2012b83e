package io.rpcboot.benchmarks;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.RpcSystemContract;

/**
 * Tests of the systems of this module: ours, raw Netty and grpc-java.
 */
class OwnSystemsIntegrationTests extends RpcSystemContract {

	@Override
	protected List<RpcSystem> systems() {
		return RpcSystem.all();
	}

}
