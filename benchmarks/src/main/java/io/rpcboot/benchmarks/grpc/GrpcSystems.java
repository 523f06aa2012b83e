package io.rpcboot.benchmarks.grpc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * grpc-java, with its executors, without them and with a bounded one, and its clients and
 * servers beside ours.
 */
public final class GrpcSystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		List<RpcSystem> systems = new ArrayList<>();
		Arrays.stream(GrpcSystem.Executors.values()).map(GrpcSystem::new).forEach(systems::add);
		RpcSystem contract = new ContractSystem("grpc-contract", GrpcSystem.Executors.DEFAULT);
		RpcSystem direct = new ContractSystem("grpc-contract-direct", GrpcSystem.Executors.DIRECT);
		systems.addAll(List.of(contract, direct, new MixedSystem("grpc-to-ours", contract.name(), "ours-h2"),
				new MixedSystem("grpc-to-ours-loop", direct.name(), "ours-h2-loop"),
				new MixedSystem("ours-to-grpc", "ours-h2", contract.name()),
				new MixedSystem("ours-loop-to-grpc", "ours-h2-loop", direct.name())));
		return systems;
	}

}
