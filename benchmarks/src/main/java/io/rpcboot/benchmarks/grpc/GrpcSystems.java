package io.rpcboot.benchmarks.grpc;

import java.util.Arrays;
import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * grpc-java, with its executors, without them and with a bounded one.
 */
public final class GrpcSystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		return Arrays.stream(GrpcSystem.Executors.values()).<RpcSystem>map(GrpcSystem::new).toList();
	}

}
