package io.rpcboot.benchmarks.rocketmq;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/**
 * The remoting of RocketMQ: commands with a body of bytes. It knows no objects. Its
 * headers are in its binary form and epoll is on, which is what it documents for speed.
 */
final class RocketMqSystem implements RpcSystem {

	static final int ECHO = 105;

	static {
		System.setProperty(RemotingCommand.SERIALIZE_TYPE_PROPERTY, "ROCKETMQ");
	}

	@Override
	public String name() {
		return "rocketmq";
	}

	@Override
	public boolean supports(BenchCall call) {
		return call == BenchCall.ECHO;
	}

	@Override
	public BenchServer startServer() {
		return new RocketMqServer();
	}

	@Override
	public BenchClient connect(int port) {
		return new RocketMqClient(port);
	}

}
