package io.rpcboot.internal.transport.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.internal.transport.binary.BinaryBlockedFrames;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.fixture.Wire;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many producers against one event loop. */
@Tag("rounds")
@Tag("races")
class WriteQueueConcurrencyTests {

	private static final int PRODUCERS = 4;

	private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, LocalIoHandler.newFactory());

	private final List<Wire.Frame> received = new ArrayList<>();

	private Channel server;

	@BeforeEach
	void listen() throws InterruptedException {
		this.server = new ServerBootstrap().group(this.loops)
			.channel(LocalServerChannel.class)
			.childHandler(new ChannelInitializer<>() {
				@Override
				protected void initChannel(Channel channel) {
					channel.pipeline().addLast(new Collector());
				}
			})
			.bind(LocalAddress.ANY)
			.sync()
			.channel();
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
	}

	private final class Collector extends ChannelInboundHandlerAdapter {

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf in = (ByteBuf) message;
			List<Wire.Frame> frames = Wire.parse(in);
			in.release();
			synchronized (WriteQueueConcurrencyTests.this.received) {
				WriteQueueConcurrencyTests.this.received.addAll(frames);
			}
		}

	}

	private Channel connect() throws InterruptedException {
		return new Bootstrap().group(this.loops)
			.channel(LocalChannel.class)
			.handler(new ChannelInboundHandlerAdapter())
			.connect(this.server.localAddress())
			.sync()
			.channel();
	}

	private static WriteQueue queue(Channel channel, RecordedFlushes recorder) {
		WriteQueue queue = new WriteQueue(channel, new FlushPolicy(BatchingOptions.defaults()), recorder);
		new BinaryBlockedFrames(queue);
		return queue;
	}

	private static void onThreads(IntTask task) throws InterruptedException {
		CountDownLatch go = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < PRODUCERS; i++) {
			int number = i;
			threads.add(new Thread(() -> {
				try {
					go.await();
					task.run(number);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}));
		}
		threads.forEach(Thread::start);
		go.countDown();
		for (Thread thread : threads) {
			thread.join(60_000);
			assertThat(thread.isAlive()).isFalse();
		}
	}

	private interface IntTask {

		void run(int number) throws InterruptedException;

	}

	@Test
	void frames_areWrittenOnceInOrderOfProducer() throws InterruptedException {
		int perProducer = Load.LONG ? 50_000 : 10_000;
		RecordedFlushes recorder = new RecordedFlushes();
		WriteQueue queue = queue(connect(), recorder);
		CountDownLatch outcomes = new CountDownLatch(PRODUCERS * perProducer);
		AtomicInteger refused = new AtomicInteger();
		onThreads((producer) -> {
			for (int i = 0; i < perProducer; i++) {
				TestFrame frame = new TestFrame(((long) producer << 32) + i, 4);
				frame.onEnd = outcomes::countDown;
				if (!queue.enqueue(frame)) {
					refused.incrementAndGet();
				}
			}
		});
		assertThat(outcomes.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(refused).hasValue(0);
		awaitReceived(PRODUCERS * perProducer);
		Map<Long, List<Long>> byProducer;
		synchronized (this.received) {
			assertThat(this.received).hasSize(PRODUCERS * perProducer);
			byProducer = this.received.stream()
				.map(Wire.Frame::callId)
				.collect(Collectors.groupingBy((id) -> id >>> 32));
		}
		assertThat(byProducer).hasSize(PRODUCERS);
		byProducer.values().forEach((ids) -> assertThat(ids).doesNotHaveDuplicates().isSorted());
		assertThat(recorder.flushes.stream().mapToInt(RecordedFlushes.Flush::messages).sum())
			.isEqualTo(PRODUCERS * perProducer);
	}

	private void awaitReceived(int count) {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (System.nanoTime() - end < 0) {
			synchronized (this.received) {
				if (this.received.size() >= count) {
					return;
				}
			}
			Thread.onSpinWait();
		}
	}

	/**
	 * Whatever the race: written, skipped, rejected, or refused at the door; one of it.
	 */
	@Test
	void frames_endOnce_whenQueueEndsDuringProduction() throws InterruptedException {
		int rounds = Load.LONG ? 150 : 30;
		for (int round = 0; round < rounds; round++) {
			Channel channel = connect();
			WriteQueue queue = queue(channel, new RecordedFlushes());
			List<List<TestFrame>> accepted = new ArrayList<>();
			List<List<TestFrame>> refused = new ArrayList<>();
			for (int i = 0; i < PRODUCERS; i++) {
				accepted.add(new ArrayList<>());
				refused.add(new ArrayList<>());
			}
			int endAfter = round * 450 / rounds;
			onThreads((producer) -> {
				for (int i = 0; i < 400; i++) {
					if (producer == 0 && i == endAfter) {
						channel.eventLoop().execute(queue::end);
					}
					TestFrame frame = frame(i);
					(queue.enqueue(frame) ? accepted : refused).get(producer).add(frame);
				}
			});
			channel.eventLoop().submit(queue::end).sync();
			channel.eventLoop().submit(() -> {
			}).sync();
			assertThat(accepted.stream().flatMap(List::stream)).allMatch(
					(frame) -> frame.ends() == 1 && frame.succeeded.get() + frame.failed.get() == frame.written.get());
			assertThat(refused.stream().flatMap(List::stream)).allMatch((frame) -> frame.ends() == 0);
			channel.close().sync();
		}
	}

	private static TestFrame frame(int i) {
		TestFrame frame = new TestFrame(i, 1);
		return switch (i % 3) {
			case 0 -> frame.admitted((writable) -> WriteDecision.BLOCKED_BY_SOCKET);
			case 1 -> frame.admitted((writable) -> WriteDecision.SKIP);
			default -> frame;
		};
	}

	@Test
	void producers_areRejected_afterLoopStopped() throws InterruptedException {
		Channel channel = connect();
		WriteQueue queue = queue(channel, new RecordedFlushes());
		this.loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
		TestFrame first = new TestFrame(1, 1);
		assertThat(queue.enqueue(first)).isTrue();
		assertThat(first.rejected).hasValue(1);
		TestFrame second = new TestFrame(2, 1);
		assertThat(queue.enqueue(second)).isFalse();
		assertThat(second.ends()).isZero();
	}

}
