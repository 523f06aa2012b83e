package io.rpcboot.internal.server.connection.binary;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that were read after their event loop stood still. */
class GapTests {

	private static final long GAP = TimeUnit.SECONDS.toNanos(2);

	private final HandDrivenServer server = new HandDrivenServer(1 << 20, "x");

	GapTests() {
		this.server.connection.admitCalls(1 << 20, 0);
		this.server.connection.methods.put(7, this.server.invocation);
	}

	@AfterEach
	void close() {
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.runtime.inFlight.get()).isZero();
		assertThat(this.server.account.used(Direction.INCOMING)).isZero();
	}

	@Test
	void call_isSkipped_whenItMayHaveExpiredDuringLoopGap() {
		read(GAP);
		call(FrameType.REQUEST, 1, 1999);
		assertThat(this.server.fetched).hasValue(0);
		call(FrameType.REQUEST, 2, 2000);
		assertThat(this.server.fetched).as("it has just as much time").hasValueLessThanOrEqualTo(1);
		call(FrameType.REQUEST, 3, 60_000);
		assertThat(this.server.fetched).hasPositiveValue();
	}

	@Test
	void oneWayCall_isSkipped_whenItMayHaveExpiredDuringLoopGap() {
		read(GAP);
		call(FrameType.ONE_WAY, 1, 1999);
		assertThat(this.server.fetched).hasValue(0);
		call(FrameType.ONE_WAY, 2, 60_000);
		assertThat(this.server.fetched).hasValue(1);
	}

	@Test
	void call_isNotCharged_withoutLoopGap() {
		read(0);
		call(FrameType.REQUEST, 1, 60_000);
		assertThat(this.server.fetched).hasValue(1);
	}

	@Test
	void loopGap_isChargedToFirstReadOnly() {
		read(TimeUnit.MINUTES.toNanos(2));
		call(FrameType.REQUEST, 1, 60_000);
		assertThat(this.server.fetched).hasValue(0);
		read(0);
		call(FrameType.REQUEST, 2, 60_000);
		assertThat(this.server.fetched).hasValue(1);
	}

	private void read(long gapNanos) {
		this.server.connection.onRead(System.nanoTime(), gapNanos);
	}

	private void call(int type, long id, int remainingMillis) {
		byte[] body = ByteBuffer.allocate(4).putInt(remainingMillis).array();
		this.server.connection.onFrame(type, FrameHeader.FLAG_DEADLINE, 7, id, body, 0, body.length);
		this.server.connection.onReadComplete();
		this.server.channel.runPendingTasks();
	}

}
