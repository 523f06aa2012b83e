package io.rpcboot.benchmarks;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.RpcSystemContract;

/**
 * Tests of the systems of this module: ours, raw Netty and grpc-java.
 */
class OwnSystemsIntegrationTests extends RpcSystemContract {

	private static final boolean VIRTUAL_THREADS = Runtime.version().feature() >= 21;

	@Override
	protected List<RpcSystem> systems() {
		return RpcSystem.all()
			.stream()
			.filter((system) -> VIRTUAL_THREADS || !system.name().equals("ours-virtual"))
			.toList();
	}

}
