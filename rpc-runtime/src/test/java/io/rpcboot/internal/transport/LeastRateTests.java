package io.rpcboot.internal.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.transport.BatchingOptions;

import static org.assertj.core.api.Assertions.assertThat;

/** The watch looks at the clock of the machine, so these tests take a second or two. */
@Timeout(30)
class LeastRateTests {

	private static final int LENGTH = 100_000;

	private static final String TOO_SLOW = "memory.least-rate: a body comes with less than %d bytes in a second";

	private static final String DOES_NOT_COME = "memory.least-rate: a body that memory was asked for does not come";

	private final Connection[] connections = new Connection[1];

	private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInitializer<>() {
		@Override
		protected void initChannel(Channel channel) {
			LeastRateTests.this.connections[0] = Connection.install(channel, "test",
					new FlushPolicy(BatchingOptions.defaults()), null, 2 * LENGTH, (opened) -> new RecordingHandler());
		}
	});

	private final List<String> ends = new ArrayList<>();

	private boolean owed;

	LeastRateTests() {
		this.channel.writeInbound(Unpooled.wrappedBuffer(Wire.preface()));
	}

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	@Test
	void aBodyThatComesTooSlowlyEndsTheConnection() {
		LeastRate rate = rate(1000);
		beginBody(10);
		rate.watch();
		long start = System.nanoTime();
		runUntil(() -> !this.ends.isEmpty());
		assertThat(this.ends).containsExactly(TOO_SLOW.formatted(1000));
		assertThat(System.nanoTime() - start).as("nanoseconds; any rate will do for a second")
			.isGreaterThan(TimeUnit.SECONDS.toNanos(1));
	}

	@Test
	void aBodyThatComesInTimeGoesOn() {
		LeastRate rate = rate(1000);
		beginBody(10);
		rate.watch();
		runFor(1100, () -> more(500));
		assertThat(this.ends).isEmpty();
		runFor(400, () -> more(100));
		assertThat(this.ends).isEmpty();
	}

	@Test
	void whatIsOwedAndDoesNotBeginEndsTheConnection() {
		this.owed = true;
		rate(1000).watch();
		long start = System.nanoTime();
		runUntil(() -> !this.ends.isEmpty());
		assertThat(this.ends).containsExactly(DOES_NOT_COME);
		assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
	}

	@Test
	void whatIsOwedAndBeginsGoesOn() {
		this.owed = true;
		rate(1000).watch();
		runFor(600, () -> {
		});
		beginBody(LENGTH / 2);
		runFor(800, () -> {
		});
		assertThat(this.ends).isEmpty();
	}

	@Test
	void nothingIsWatchedOnceNothingIsOwed() {
		this.channel.freezeTime();
		this.owed = true;
		rate(1000).watch();
		assertThat(isWatching()).isTrue();
		this.owed = false;
		this.channel.advanceTimeBy(250, TimeUnit.MILLISECONDS);
		assertThat(isWatching()).isFalse();
		assertThat(this.ends).isEmpty();
	}

	/** After a pause of the machine the body may wait in the socket. */
	@Test
	void aLateLookIsNoReason() {
		LeastRate rate = rate(1000);
		beginBody(10);
		rate.watch();
		this.channel.freezeTime();
		runFor(1600, () -> {
		});
		this.channel.advanceTimeBy(250, TimeUnit.MILLISECONDS);
		this.channel.runPendingTasks();
		assertThat(this.ends).as("a second late").isEmpty();
		more(LENGTH / 2);
		this.channel.advanceTimeBy(250, TimeUnit.MILLISECONDS);
		this.channel.runPendingTasks();
		assertThat(this.ends).as("the body has gone on").isEmpty();
	}

	@Test
	void aLookInTimeAfterALateOneIs() {
		LeastRate rate = rate(1000);
		beginBody(10);
		rate.watch();
		this.channel.freezeTime();
		runFor(1600, () -> {
		});
		this.channel.advanceTimeBy(250, TimeUnit.MILLISECONDS);
		this.channel.runPendingTasks();
		this.channel.advanceTimeBy(250, TimeUnit.MILLISECONDS);
		this.channel.runPendingTasks();
		assertThat(this.ends).containsExactly(TOO_SLOW.formatted(1000));
	}

	@Test
	void zeroIsAnyRate() {
		this.owed = true;
		beginBody(10);
		rate(0).watch();
		assertThat(isWatching()).isFalse();
	}

	@Test
	void nothingIsLookedAtAfterTheEnd() {
		this.owed = true;
		LeastRate rate = rate(1000);
		rate.watch();
		rate.watch();
		assertThat(isWatching()).isTrue();
		rate.stop();
		assertThat(isWatching()).isFalse();
	}

	/** Whether a look is to come. */
	private boolean isWatching() {
		return this.channel.runScheduledPendingTasks() >= 0;
	}

	private LeastRate rate(long bytesPerSecond) {
		return new LeastRate(this.connections[0], bytesPerSecond, () -> this.owed ? 1 : 0, this.ends::add);
	}

	private void beginBody(int bytes) {
		byte[] begin = Arrays.copyOf(Wire.header(LENGTH, FrameType.REQUEST),
				Wire.header(LENGTH, FrameType.REQUEST).length + bytes);
		this.channel.writeInbound(Unpooled.wrappedBuffer(begin));
	}

	private void more(int bytes) {
		this.channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
	}

	private void runFor(long millis, Runnable each) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		long[] next = { System.nanoTime() };
		runUntil(() -> {
			if (System.nanoTime() - next[0] >= 0) {
				next[0] += TimeUnit.MILLISECONDS.toNanos(100);
				each.run();
			}
			return System.nanoTime() - end >= 0;
		});
	}

	private void runUntil(BooleanSupplier condition) {
		while (!condition.getAsBoolean()) {
			this.channel.runScheduledPendingTasks();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
		}
	}

}
