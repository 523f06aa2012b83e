package io.rpcboot.internal.transport.connection;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrameQueue;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the counters of a connection for outgoing frames. */
class ConnectionCountsTests {

	private final AtomicInteger stalls = new AtomicInteger();

	private final EmbeddedChannel channel = new EmbeddedChannel();

	private final Connection connection = open();

	private Connection open() {
		BatchingOptions batching = BatchingOptions.defaults().withMaxMessages(128).withMaxBytes(64 * 1024);
		RecordedFlushes recorder = new RecordedFlushes() {
			@Override
			public void stalled() {
				ConnectionCountsTests.this.stalls.incrementAndGet();
			}
		};
		Connection[] result = new Connection[1];
		this.channel.pipeline().addLast(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				result[0] = Connection.install(channel, "test", new FlushPolicy(batching), recorder,
						(opened) -> EmbeddedConnections.handler(1024, opened, (any) -> new RecordingListener()));
			}
		});
		return result[0];
	}

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	private ConnectionInfo info() {
		return this.connection.describe(CallerIdentity.anonymous(), "shop", Mode.AUTO,
				new CallTotals(10, 7, 1000, 700, 3, 5, 5000));
	}

	private void send(int count) {
		IntStream.rangeClosed(1, count).forEach((id) -> this.connection.queue().enqueue(new TestFrame(id, 1)));
		this.channel.runPendingTasks();
	}

	private void writable(boolean writable) {
		this.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
	}

	@Test
	void counters_areZero_beforeFirstFlush() {
		assertThat(info().averageBatch()).isZero();
		assertThat(info().messages()).isZero();
		assertThat(info().stalls()).isZero();
		assertThat(info().flushes()).containsOnlyKeys(FlushReason.values()).allSatisfy((reason, count) -> {
			assertThat(count).isZero();
		});
	}

	@Test
	void flushes_areCountedByReason() {
		send(300);
		assertThat(info().messages()).isEqualTo(300);
		assertThat(info().flushes()).containsEntry(FlushReason.MESSAGES, 2L)
			.containsEntry(FlushReason.DRAINED, 1L)
			.containsEntry(FlushReason.BYTES, 0L);
	}

	@Test
	void averageBatch_followsFlushes() {
		send(33);
		assertThat(info().averageBatch()).isEqualTo(33);
		send(1);
		assertThat(info().averageBatch()).isEqualTo(31);
		for (int i = 0; i < 200; i++) {
			send(1);
		}
		assertThat(info().averageBatch()).isEqualTo(1);
		assertThat(info().messages()).isEqualTo(234);
	}

	@Test
	void unwritableSocket_countsAsStallAndHoldsFrames() {
		this.connection.queue().enqueue(new TestFrame(1, 1).admitted((writable) -> {
			writable(false);
			return WriteDecision.WRITE;
		}));
		this.channel.runPendingTasks();
		assertThat(info().stalls()).isOne();
		assertThat(info().flushes()).containsEntry(FlushReason.UNWRITABLE, 1L);
		send(3);
		assertThat(this.connection.queue().blocked.size()).isEqualTo(3);
		assertThat(info().stalls()).as("nothing was flushed since").isOne();
		writable(true);
		this.connection.queue().blocked.resume();
		this.channel.runPendingTasks();
		assertThat(this.connection.queue().blocked.size()).isZero();
		assertThat(info().stalls()).isOne();
		assertThat(this.stalls).hasValue(1);
	}

	@Test
	void flushAtClose_isNotCountedAsStall() {
		this.connection.queue().enqueue(new TestFrame(1, 1).admitted((writable) -> {
			this.channel.close();
			return WriteDecision.WRITE;
		}));
		this.channel.runPendingTasks();
		assertThat(info().messages()).isOne();
		assertThat(info().stalls()).isZero();
		assertThat(this.stalls).hasValue(0);
	}

	@Test
	void connectionInfo_showsNumbersOfItsSide() {
		ConnectionInfo info = info();
		assertThat(info.remote()).isEqualTo("test");
		assertThat(info.application()).isEqualTo("shop");
		assertThat(info.batching()).isEqualTo(Mode.AUTO);
		assertThat(info.grantedCalls()).isEqualTo(10);
		assertThat(info.usedCalls()).isEqualTo(7);
		assertThat(info.grantedBytes()).isEqualTo(1000);
		assertThat(info.usedBytes()).isEqualTo(700);
		assertThat(info.memoryBytes()).isEqualTo(5000);
		assertThat(info.pending()).isEqualTo(3);
		assertThat(info.held()).isEqualTo(5);
	}

	@Test
	void reads_areCountedAndActivityIsConsumedOnce() {
		assertThat(info().reads()).isZero();
		assertThat(this.connection.takeActivity()).isFalse();
		this.channel.pipeline().fireChannelReadComplete();
		this.channel.pipeline().fireChannelReadComplete();
		assertThat(info().reads()).isEqualTo(2);
		assertThat(this.connection.takeActivity()).isTrue();
		assertThat(this.connection.takeActivity()).isFalse();
		assertThat(info().reads()).as("a look changes nothing").isEqualTo(2);
	}

	@Test
	void abandonedHeldFrames_areRemoved_beforeQueueDoubles() {
		BlockedFrameQueue held = BlockedFrameQueue.create();
		for (int id = 1; id <= 64; id++) {
			TestFrame frame = new TestFrame(id, 1);
			frame.abandoned = id > 1;
			held.add(frame);
		}
		assertThat(held.size()).isEqualTo(64);
		assertThat(held.takeAbandoned()).hasSize(63);
		held.add(new TestFrame(65, 1));
		assertThat(held.size()).isEqualTo(2);
		assertThat(held.takeAbandoned()).as("the number has not doubled").isEmpty();
		held.take();
		held.take();
		assertThat(held.isEmpty()).isTrue();
		assertThat(held.size()).isZero();
	}

}
