package io.rpcboot.benchmarks.rocketmq;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * The one system of this module.
 */
public final class RocketMqSystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		return List.of(new RocketMqSystem());
	}

}
