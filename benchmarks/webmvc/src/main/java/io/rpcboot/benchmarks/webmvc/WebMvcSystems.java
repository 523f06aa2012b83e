package io.rpcboot.benchmarks.webmvc;

import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;

/**
 * The one system of this module.
 */
public final class WebMvcSystems implements SystemProvider {

	@Override
	public List<RpcSystem> systems() {
		return List.of(new WebMvcSystem());
	}

}
