package io.rpcboot.benchmarks.raw;

import java.net.InetAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.EchoOnlyService;
import io.rpcboot.benchmarks.workload.BenchService;
import org.jspecify.annotations.Nullable;

/**
 * Calls over one connection. Callers push onto one stack of calls; whoever finds it empty
 * schedules the drain, which takes all of it, oldest first, into one buffer.
 */
final class RawNettyClient extends EchoOnlyService implements BenchClient {

	/** More than any load keeps in flight; a power of two. */
	private static final int MAX_PENDING = 8192;

	private final RawNettyTransport transport = new RawNettyTransport();

	private final AtomicReference<@Nullable RawNettyCall> queue = new AtomicReference<>();

	private final @Nullable RawNettyCall[] pending = new @Nullable RawNettyCall[MAX_PENDING];

	private final Runnable drain = this::drain;

	private final Channel channel;

	private long nextId;

	RawNettyClient(int port) throws InterruptedException {
		this.channel = new Bootstrap().group(this.transport.loop)
			.channel(RawNettyTransport.clientChannel())
			.option(ChannelOption.TCP_NODELAY, true)
			.option(ChannelOption.ALLOCATOR, RawNettyTransport.ALLOCATOR)
			.option(ChannelOption.RECVBUF_ALLOCATOR, RawNettyTransport.receiveBuffers())
			.handler(new Answers())
			.connect(InetAddress.getLoopbackAddress(), port)
			.sync()
			.channel();
	}

	@Override
	public BenchService service() {
		return this;
	}

	@Override
	public byte[] echo(byte[] body) {
		RawNettyCall call = new RawNettyCall(body, null);
		enqueue(call);
		return call.await();
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		CompletableFuture<byte[]> future = new CompletableFuture<>();
		enqueue(new RawNettyCall(body, future));
		return future;
	}

	private void enqueue(RawNettyCall call) {
		RawNettyCall top;
		do {
			top = this.queue.get();
			call.next = top;
		}
		while (!this.queue.compareAndSet(top, call));
		if (top == null) {
			this.channel.eventLoop().execute(this.drain);
		}
	}

	private void drain() {
		RawNettyCall first = null;
		RawNettyCall call = this.queue.getAndSet(null);
		int size = 0;
		while (call != null) {
			size += RawFrameDecoder.HEADER + call.body.length;
			RawNettyCall older = call.next;
			call.next = first;
			first = call;
			call = older;
		}
		if (!this.channel.isActive()) {
			failFrom(first);
			return;
		}
		ByteBuf out = RawNettyTransport.ALLOCATOR.directBuffer(size);
		for (call = first; call != null; call = call.next) {
			long id = this.nextId++;
			int slot = (int) id & (MAX_PENDING - 1);
			if (this.pending[slot] != null) {
				out.release();
				throw new IllegalStateException("pending calls: over " + MAX_PENDING);
			}
			this.pending[slot] = call;
			out.writeInt(call.body.length).writeInt(0).writeLong(id).writeBytes(call.body);
		}
		this.channel.writeAndFlush(out, this.channel.voidPromise());
	}

	private static void failFrom(@Nullable RawNettyCall first) {
		for (RawNettyCall call = first; call != null; call = call.next) {
			call.fail(new ClosedChannelException());
		}
	}

	@Override
	public void close() {
		this.channel.close();
		this.transport.close();
	}

	private final class Answers extends RawFrameDecoder {

		@Override
		void frame(ByteBuf in, int index, int length) {
			int slot = (int) in.getLong(index + 8) & (MAX_PENDING - 1);
			RawNettyCall call = RawNettyClient.this.pending[slot];
			if (call == null) {
				throw new IllegalStateException("answer to no call");
			}
			RawNettyClient.this.pending[slot] = null;
			byte[] body = new byte[length];
			in.getBytes(index + HEADER, body);
			call.complete(body);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			super.channelInactive(context);
			for (RawNettyCall call : RawNettyClient.this.pending) {
				if (call != null) {
					call.fail(new ClosedChannelException());
				}
			}
		}

	}

}
