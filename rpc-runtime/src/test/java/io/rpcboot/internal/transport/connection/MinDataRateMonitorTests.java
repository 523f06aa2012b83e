package io.rpcboot.internal.transport.connection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.memory.UnusedGrant;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.Wire;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MinDataRateMonitorTests {

	private static final int LENGTH = 100_000;

	private static final String TOO_SLOW = "memory.least-rate: a body arrives with less than %d bytes per second";

	private static final String DOES_NOT_COME = "memory.least-rate: a requested body does not arrive";

	private static final String LACKS_ITS_END = "memory.least-rate: a message lacks its end after the time that "
			+ "it takes with %d bytes per second";

	private final Connection[] connections = new Connection[1];

	private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInitializer<>() {
		@Override
		protected void initChannel(Channel channel) {
			MinDataRateMonitorTests.this.connections[0] = Connection.install(channel, "test",
					new FlushPolicy(BatchingOptions.defaults()), null,
					(opened) -> EmbeddedConnections.handler(2 * LENGTH, opened, (any) -> new RecordingListener()));
		}
	});

	private final List<String> ends = new ArrayList<>();

	private boolean owed;

	private boolean partlyPaid;

	private boolean wanted = true;

	/** Number of the oldest small body. */
	private long smallBody;

	/** Number of the oldest request without its message. */
	private long openRequest;

	/** The clock of the watch. */
	private long nanos = System.nanoTime();

	MinDataRateMonitorTests() {
		this.channel.freezeTime();
		this.channel.writeInbound(Unpooled.wrappedBuffer(Wire.preface()));
	}

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	@Test
	void slowBody_endsConnection() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(10);
		rate.watch();
		pass(1000);
		assertThat(this.ends).as("any rate will do for a second").isEmpty();
		pass(250);
		assertThat(this.ends).containsExactly(TOO_SLOW.formatted(1000));
	}

	@Test
	void timelyBody_isReceivedToItsEnd() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(10);
		rate.watch();
		for (int i = 0; i < 40; i++) {
			more(i < 10 ? 0 : 100);
			pass(100);
		}
		assertThat(this.ends).isEmpty();
	}

	/** Bytes that have arrived long ago buy no silence. */
	@Test
	void standingBody_endsConnection_whenMostOfItHasArrivedAtOnce() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(LENGTH - 1);
		rate.watch();
		pass(1000);
		assertThat(this.ends).as("a pause of a second").isEmpty();
		pass(500);
		assertThat(this.ends).containsExactly(TOO_SLOW.formatted(1000));
	}

	@Test
	void nextBody_hasItsOwnFirstSecond() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(LENGTH - 1);
		rate.watch();
		pass(1000);
		more(1);
		beginBody(LENGTH - 1);
		pass(1000);
		assertThat(this.ends).isEmpty();
	}

	@Test
	void owedBody_endsConnection_whenItDoesNotBegin() {
		this.owed = true;
		rate(1000).watch();
		pass(2250);
		assertThat(this.ends).as("a process may stand still for more than a second").isEmpty();
		pass(250);
		assertThat(this.ends).containsExactly(DOES_NOT_COME);
	}

	@Test
	void owedBody_isAccepted_whenItBeginsInTime() {
		this.owed = true;
		rate(1000).watch();
		pass(1900);
		beginBody(LENGTH / 2);
		for (int i = 0; i < 10; i++) {
			more(250);
			pass(250);
		}
		assertThat(this.ends).isEmpty();
	}

	/** A second, and two more for its 2,000 bytes at 1,000 in a second. */
	@Test
	void smallBody_endsConnection_whenItLacksItsEnd() {
		this.smallBody = 1;
		rate(1000).watch();
		pass(3250);
		assertThat(this.ends).isEmpty();
		pass(250);
		assertThat(this.ends).containsExactly(LACKS_ITS_END.formatted(1000));
	}

	@Test
	void smallBodies_areReceived_whileEachEndsInTime() {
		this.smallBody = 1;
		rate(1000).watch();
		for (int i = 0; i < 10; i++) {
			pass(3000);
			this.smallBody++;
		}
		assertThat(this.ends).isEmpty();
	}

	/** Header fields are memory, too; other bodies that come and go hide nothing. */
	@Test
	void openRequest_endsConnection_whenItsMessageDoesNotCome() {
		this.openRequest = 7;
		MinDataRateMonitor rate = rate(1000);
		rate.watch();
		for (int i = 0; i < 12; i++) {
			assertThat(this.ends).isEmpty();
			this.smallBody++;
			pass(250);
		}
		pass(500);
		assertThat(this.ends).containsExactly(LACKS_ITS_END.formatted(1000));
	}

	@Test
	void openRequest_takesItsTime_whileMemoryIsNotShort() {
		this.openRequest = 7;
		this.wanted = false;
		MinDataRateMonitor rate = rate(1000);
		rate.watch();
		pass(60_000);
		assertThat(this.ends).isEmpty();
	}

	@Test
	void openRequests_areReceived_whileEachGetsItsMessage() {
		this.openRequest = 1;
		MinDataRateMonitor rate = rate(1000);
		rate.watch();
		for (int i = 0; i < 100; i++) {
			pass(250);
			this.openRequest += 2;
		}
		assertThat(this.ends).isEmpty();
	}

	@Test
	void smallBody_takesItsTime_whileMemoryIsNotShort() {
		this.smallBody = 1;
		this.wanted = false;
		rate(1000).watch();
		pass(20_000);
		this.wanted = true;
		pass(3000);
		assertThat(this.ends).isEmpty();
		pass(500);
		assertThat(this.ends).isNotEmpty();
	}

	/** A sender that keeps to the rules gives the rest back at once. */
	@Test
	void unreturnedLease_endsConnection_afterShorterBody() {
		this.owed = true;
		MinDataRateMonitor rate = rate(1000);
		rate.watch();
		beginBody(LENGTH / 2);
		passInTime(1900);
		assertThat(this.ends).isEmpty();
		this.partlyPaid = true;
		passInTime(1900);
		assertThat(this.ends).as("the rest may be on its way").isEmpty();
		passInTime(350);
		assertThat(this.ends).containsExactly(DOES_NOT_COME);
	}

	/** Whoever has paused may go on, until somebody else is kept waiting by it. */
	@Test
	void slowBody_isTolerated_whileMemoryIsNotNeeded() {
		this.owed = true;
		this.wanted = false;
		rate(1000).watch();
		pass(60_000);
		beginBody(10);
		pass(60_000);
		assertThat(this.ends).isEmpty();
		this.wanted = true;
		pass(250);
		assertThat(this.ends).containsExactly(TOO_SLOW.formatted(1000));
	}

	@Test
	void monitor_stops_whenNothingIsOwed() {
		this.owed = true;
		rate(1000).watch();
		assertThat(isWatching()).isTrue();
		this.owed = false;
		pass(250);
		assertThat(isWatching()).isFalse();
		assertThat(this.ends).isEmpty();
	}

	/** After a pause of the machine the body may wait in the socket. */
	@Test
	void lateCheck_endsNoConnection() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(10);
		rate.watch();
		this.nanos += TimeUnit.MILLISECONDS.toNanos(1600);
		pass(250);
		assertThat(this.ends).as("a second late").isEmpty();
		more(LENGTH / 2);
		pass(250);
		assertThat(this.ends).as("the body has gone on").isEmpty();
	}

	/**
	 * Garbage collections leave the event loop a few milliseconds each, in which it reads
	 * less than has been sent.
	 */
	@Test
	void bodyInSocket_isReceived_whenEventLoopIsLateAgainAndAgain() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(10);
		rate.watch();
		for (int i = 0; i < 12; i++) {
			this.nanos += TimeUnit.MILLISECONDS.toNanos(200);
			this.channel.advanceTimeBy(200, TimeUnit.MILLISECONDS);
			more(50);
		}
		assertThat(this.ends).as("2.4 s for 610 bytes").isEmpty();
		pass(1000);
		assertThat(this.ends).as("the event loop has time").containsExactly(TOO_SLOW.formatted(1000));
	}

	@Test
	void timelyCheck_endsConnection_afterLateCheck() {
		MinDataRateMonitor rate = rate(1000);
		beginBody(10);
		rate.watch();
		this.nanos += TimeUnit.MILLISECONDS.toNanos(1600);
		pass(250);
		assertThat(this.ends).isEmpty();
		pass(250);
		assertThat(this.ends).containsExactly(TOO_SLOW.formatted(1000));
	}

	@Test
	void zeroRate_disablesMonitor() {
		this.owed = true;
		beginBody(10);
		rate(0).watch();
		assertThat(isWatching()).isFalse();
	}

	@Test
	void monitor_stops_afterClose() {
		this.owed = true;
		MinDataRateMonitor rate = rate(1000);
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

	private MinDataRateMonitor rate(long bytesPerSecond) {
		UnusedGrant lease = new UnusedGrant() {
			@Override
			public long owed() {
				return MinDataRateMonitorTests.this.owed ? 1 : 0;
			}

			@Override
			public boolean isPartlyPaid() {
				return MinDataRateMonitorTests.this.partlyPaid;
			}

			@Override
			public long smallBody() {
				return MinDataRateMonitorTests.this.smallBody;
			}

			@Override
			public long openRequest() {
				return MinDataRateMonitorTests.this.openRequest;
			}

			@Override
			public long smallBytes() {
				return 2000;
			}

			@Override
			public boolean isWanted() {
				return MinDataRateMonitorTests.this.wanted;
			}
		};
		return new MinDataRateMonitor(this.connections[0], bytesPerSecond, lease, this.ends::add, () -> this.nanos);
	}

	private void beginBody(int bytes) {
		byte[] begin = Arrays.copyOf(Wire.header(LENGTH, FrameType.REQUEST),
				Wire.header(LENGTH, FrameType.REQUEST).length + bytes);
		this.channel.writeInbound(Unpooled.wrappedBuffer(begin));
		this.nanos = System.nanoTime(); // the decoder has looked at this clock
	}

	private void more(int bytes) {
		this.channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
	}

	/** The body arrives at twice the rate meanwhile. */
	private void passInTime(int millis) {
		for (int i = 0; i < millis; i += 50) {
			more(100);
			pass(50);
		}
	}

	/** Look when it is time to. */
	private void pass(int millis) {
		for (int i = 0; i < millis; i += 50) {
			this.nanos += TimeUnit.MILLISECONDS.toNanos(50);
			this.channel.advanceTimeBy(50, TimeUnit.MILLISECONDS);
			this.channel.runScheduledPendingTasks();
		}
	}

}
