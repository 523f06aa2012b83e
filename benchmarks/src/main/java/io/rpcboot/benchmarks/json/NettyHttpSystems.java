package io.rpcboot.benchmarks.json;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * The one system of this package.
 */
public final class NettyHttpSystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		return List.of(new NettyHttpSystem());
	}

}
