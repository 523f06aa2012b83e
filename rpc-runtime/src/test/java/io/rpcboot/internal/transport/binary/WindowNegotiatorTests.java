package io.rpcboot.internal.transport.binary;

import java.util.ArrayList;
import java.util.List;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.Wire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WindowNegotiatorTests {

	private static final int MAX_FRAME = 100_000;

	private final MemoryBudget account = new MemoryBudget(250_000, MAX_FRAME);

	private final List<Long> announced = new ArrayList<>();

	private int admissions;

	private final ReceiveWindow grant = new ReceiveWindow(this.account, MAX_FRAME, () -> this.admissions++);

	private final Connection[] connection = new Connection[1];

	private final EmbeddedChannel channel = EmbeddedConnections.open(MAX_FRAME, (opened) -> {
		this.connection[0] = opened;
		return new RecordingListener();
	});

	private final WindowUpdateFrame window = new WindowUpdateFrame(this.connection[0].queue());

	private final WindowNegotiator answers = new WindowNegotiator(this.grant,
			new MinDataRateMonitor(this.connection[0], 0, this.grant::owed, (reason) -> {
			}), MAX_FRAME, this.window, this::announce);

	WindowNegotiatorTests() {
		this.grant.open();
		this.channel.flush();
		Wire.flushed(this.channel);
	}

	private void announce() {
		this.announced.add(this.grant.granted());
		this.window.announce(0, this.grant.granted());
	}

	/** The flags of the WINDOWs that have left. */
	private List<Integer> flags() {
		this.channel.runPendingTasks();
		return Wire.parse(Wire.flushed(this.channel))
			.stream()
			.filter((frame) -> frame.type() == FrameType.WINDOW)
			.map(Wire.Frame::flags)
			.toList();
	}

	@AfterEach
	void close() {
		this.grant.close();
		this.channel.finishAndReleaseAll();
		assertThat(this.account.used(Direction.INCOMING)).isZero();
	}

	@Test
	void longNeed_isAnswered_onceReserved() {
		long before = this.grant.granted();
		this.account.overdraw(Direction.OUTGOING, 240_000);
		this.answers.need(MAX_FRAME);
		assertThat(flags()).as("no answer").containsExactly(0);
		this.announced.clear();
		this.account.release(Direction.OUTGOING, 240_000);
		assertThat(this.admissions).isEqualTo(1);
		this.answers.admitted();
		assertThat(this.announced).containsExactly(before + MAX_FRAME);
		this.answers.admitted();
		assertThat(this.announced).as("once").hasSize(1);
		assertThat(flags()).containsExactly(FrameHeader.FLAG_ANSWERS_NEED);
		this.window.announce(0, before + MAX_FRAME);
		assertThat(flags()).as("the next is no answer").containsExactly(0);
	}

	@Test
	void shortNeed_isNotAnswered() {
		long before = this.grant.granted();
		this.grant.takes((int) before);
		this.grant.release(before);
		this.answers.need(1);
		assertThat(this.grant.granted()).isGreaterThan(before);
		assertThat(flags()).containsExactly(0);
	}

	@Test
	void need_isRejected_whenLargerThanFrame() {
		for (long size : new long[] { -1, 0, MAX_FRAME + 1, Long.MIN_VALUE, Long.MAX_VALUE }) {
			assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> this.answers.need(size))
				.withMessage("NEED: %d (expected: 1 to max-frame-size, which is %d)", size, MAX_FRAME);
		}
		assertThat(this.announced).isEmpty();
	}

	@Test
	void secondLongNeed_isRejected_untilFirstIsUsed() {
		this.account.overdraw(Direction.OUTGOING, 240_000);
		this.answers.need(10_000);
		this.answers.need(10);
		assertTwiceIsRefused();
		this.account.release(Direction.OUTGOING, 240_000);
		assertTwiceIsRefused();
		this.answers.admitted();
		assertTwiceIsRefused();
		this.grant.takes(9_999);
		assertTwiceIsRefused();
		this.answers.yield(1);
		this.answers.need(5000);
	}

	private void assertTwiceIsRefused() {
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> this.answers.need(5000))
			.withMessage("NEED: 5000, while what was asked for before has not come"
					+ " (expected: one long frame at a time)");
	}

	@Test
	void yield_isRejected_beyondUnusedGrant() {
		long granted = this.grant.granted();
		this.grant.takes(100);
		for (long bytes : new long[] { granted - 99, -1, Long.MAX_VALUE }) {
			assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> this.answers.yield(bytes))
				.withMessage("YIELD: %d (expected: at most the %d granted and not sent)", bytes, granted - 100);
		}
		assertThat(this.announced).isEmpty();
		this.answers.yield(granted - 100);
		assertThat(this.announced).hasSize(1)
			.first()
			.satisfies((total) -> assertThat(total).isGreaterThan(granted - 100));
	}

}
