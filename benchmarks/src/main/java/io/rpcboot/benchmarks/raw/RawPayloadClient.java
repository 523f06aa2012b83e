package io.rpcboot.benchmarks.raw;

import java.net.InetAddress;
import java.nio.channels.ClosedChannelException;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.EchoOnlyService;
import io.rpcboot.benchmarks.workload.BenchService;
import org.jspecify.annotations.Nullable;

/**
 * Calls over one connection: one queue of calls, one scheduled drain.
 */
final class RawPayloadClient extends EchoOnlyService implements BenchClient {

	private final RawNettyTransport transport = new RawNettyTransport();

	private final Queue<RawNettyCall> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final Answers answers = new Answers();

	private final Runnable drain = this::drain;

	private final Channel channel;

	private long nextId;

	RawPayloadClient(int port) throws InterruptedException {
		this.channel = new Bootstrap().group(this.transport.loop)
			.channel(RawNettyTransport.clientChannel())
			.option(ChannelOption.TCP_NODELAY, true)
			.option(ChannelOption.ALLOCATOR, RawNettyTransport.ALLOCATOR)
			.option(ChannelOption.RECVBUF_ALLOCATOR, RawNettyTransport.payloadBuffers())
			.option(ChannelOption.WRITE_BUFFER_WATER_MARK, RawPayloadWriter.WATER_MARK)
			.handler(this.answers)
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
		this.queue.add(call);
		if (!this.scheduled.get() && this.scheduled.compareAndSet(false, true)) {
			this.channel.eventLoop().execute(this.drain);
		}
	}

	private void drain() {
		this.scheduled.set(false); // before the queue is read: what comes later schedules
		@Nullable RawNettyCall call;
		while ((call = this.queue.poll()) != null) {
			if (!this.channel.isActive()) {
				call.fail(new ClosedChannelException());
				continue;
			}
			long id = this.nextId++;
			this.answers.pending.put(id, call);
			this.answers.writer().add(id, call.body);
		}
		if (this.channel.isActive()) {
			this.answers.writer().write();
		}
	}

	@Override
	public void close() {
		this.channel.close();
		this.transport.close();
	}

	private static final class Answers extends RawPayloadHandler {

		/** By call id, on the event loop only. */
		private final Map<Long, RawNettyCall> pending = new HashMap<>();

		@Override
		void frame(long callId, byte[] bytes) {
			RawNettyCall call = this.pending.remove(callId);
			if (call == null) {
				throw new IllegalStateException("answer to no call");
			}
			call.complete(bytes);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			this.pending.values().forEach((call) -> call.fail(new ClosedChannelException()));
			this.pending.clear();
		}

	}

}
