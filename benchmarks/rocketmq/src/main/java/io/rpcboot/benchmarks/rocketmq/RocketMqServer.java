package io.rpcboot.benchmarks.rocketmq;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.netty.channel.ChannelHandlerContext;
import io.rpcboot.benchmarks.system.BenchServer;
import org.apache.rocketmq.remoting.netty.NettyRemotingServer;
import org.apache.rocketmq.remoting.netty.NettyRequestProcessor;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the body of the request, on a pool of as many threads as processors.
 */
final class RocketMqServer implements BenchServer {

	private final ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

	private final NettyRemotingServer server;

	RocketMqServer() {
		NettyServerConfig config = new NettyServerConfig();
		config.setBindAddress("127.0.0.1");
		config.setListenPort(0);
		config.setUseEpollNativeSelector(true);
		this.server = new NettyRemotingServer(config);
		this.server.registerProcessor(RocketMqSystem.ECHO, new Echo(), this.pool);
		this.server.start();
	}

	@Override
	public int port() {
		return this.server.localListenPort();
	}

	@Override
	public void close() {
		this.server.shutdown();
		this.pool.shutdownNow();
	}

	private static final class Echo implements NettyRequestProcessor {

		@Override
		public @Nullable RemotingCommand processRequest(ChannelHandlerContext context, RemotingCommand request) {
			RemotingCommand response = RemotingCommand.createResponseCommand(0, null);
			response.setBody(request.getBody());
			return response;
		}

		@Override
		public boolean rejectRequest() {
			return false;
		}

	}

}
