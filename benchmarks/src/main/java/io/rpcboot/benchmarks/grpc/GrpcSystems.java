package io.rpcboot.benchmarks.grpc;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * grpc-java, with and without its executors.
 */
public final class GrpcSystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		return List.of(new GrpcSystem(false), new GrpcSystem(true));
	}

}
