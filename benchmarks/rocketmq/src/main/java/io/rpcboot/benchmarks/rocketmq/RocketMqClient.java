package io.rpcboot.benchmarks.rocketmq;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.EchoOnlyService;
import io.rpcboot.benchmarks.workload.BenchService;
import org.apache.rocketmq.remoting.InvokeCallback;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyRemotingClient;
import org.apache.rocketmq.remoting.netty.ResponseFuture;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/**
 * Calls by the blocking and the asynchronous method of its client.
 */
final class RocketMqClient extends EchoOnlyService implements BenchClient {

	private static final int TIMEOUT_MILLIS = 30_000;

	private final NettyRemotingClient client;

	private final String address;

	RocketMqClient(int port) {
		this.address = "127.0.0.1:" + port;
		this.client = new NettyRemotingClient(new NettyClientConfig());
		this.client.start();
	}

	@Override
	public BenchService service() {
		return this;
	}

	@Override
	public byte[] echo(byte[] body) {
		try {
			return this.client.invokeSync(this.address, request(body), TIMEOUT_MILLIS).getBody();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		Reply reply = new Reply();
		try {
			this.client.invokeAsync(this.address, request(body), TIMEOUT_MILLIS, reply);
		}
		catch (Exception ex) {
			reply.future.completeExceptionally(ex);
		}
		return reply.future;
	}

	private static RemotingCommand request(byte[] body) {
		RemotingCommand request = RemotingCommand.createRequestCommand(RocketMqSystem.ECHO, null);
		request.setBody(body);
		return request;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

	private static final class Reply implements InvokeCallback {

		private final CompletableFuture<byte[]> future = new CompletableFuture<>();

		@Override
		public void operationComplete(ResponseFuture ignored) {
			// said by one of the two below
		}

		@Override
		public void operationSucceed(RemotingCommand response) {
			this.future.complete(response.getBody());
		}

		@Override
		public void operationFail(Throwable cause) {
			this.future.completeExceptionally(cause);
		}

	}

}
