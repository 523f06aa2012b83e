package io.rpcboot.benchmarks.raw;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;

/**
 * Hands every body to the service on its one event loop.
 */
final class RawPayloadServer implements BenchServer {

	private final RawNettyTransport transport = new RawNettyTransport();

	private final Channel channel;

	RawPayloadServer() throws InterruptedException {
		BenchService service = new DefaultBenchService();
		this.channel = new ServerBootstrap().group(this.transport.loop)
			.channel(RawNettyTransport.serverChannel())
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childOption(ChannelOption.ALLOCATOR, RawNettyTransport.ALLOCATOR)
			.childOption(ChannelOption.RECVBUF_ALLOCATOR, RawNettyTransport.payloadBuffers())
			.childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, RawPayloadWriter.WATER_MARK)
			.childHandler(new ChannelInitializer<Channel>() {
				@Override
				protected void initChannel(Channel accepted) {
					accepted.pipeline().addLast(new Requests(service));
				}
			})
			.bind(InetAddress.getLoopbackAddress(), 0)
			.sync()
			.channel();
	}

	@Override
	public int port() {
		return ((InetSocketAddress) this.channel.localAddress()).getPort();
	}

	@Override
	public void close() {
		this.channel.close();
		this.transport.close();
	}

	private static final class Requests extends RawPayloadHandler {

		private final BenchService service;

		Requests(BenchService service) {
			this.service = service;
		}

		@Override
		void frame(long callId, byte[] bytes) {
			writer().add(callId, this.service.echo(bytes));
			if (writer().isFull()) {
				writer().write();
			}
		}

		@Override
		public void channelReadComplete(ChannelHandlerContext context) {
			writer().write();
		}

	}

}
