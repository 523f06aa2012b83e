package io.rpcboot.benchmarks.dubbo;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * Dubbo with a longer queue, and with none, which is its default.
 */
public final class DubboSystems implements SystemProvider {

	private static final int QUEUE = 65_536;

	@Override
	public List<RpcSystem> systems() {
		return List.of(new DubboSystem("dubbo", QUEUE), new DubboSystem("dubbo-default", 0));
	}

}
