package io.rpcboot.benchmarks.json;

import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * Codecs of Netty for HTTP/1.1 and HTTP/2, and Jackson: a server without deadlines,
 * limits and metrics. Its callers speak HTTP.
 */
final class NettyHttpSystem implements RpcSystem {

	@Override
	public String name() {
		return "netty-http";
	}

	@Override
	public boolean supports(BenchCall call) {
		return false;
	}

	@Override
	public BenchServer startServer() throws InterruptedException {
		return new NettyHttpServer();
	}

}
