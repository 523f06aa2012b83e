package io.rpcboot.benchmarks.raw;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * Netty and nothing else.
 */
public final class RawNettySystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		return List.of(new RawNettySystem(), new RawPayloadSystem());
	}

}
