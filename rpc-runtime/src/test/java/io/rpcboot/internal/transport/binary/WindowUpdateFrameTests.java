package io.rpcboot.internal.transport.binary;

import java.nio.ByteBuffer;
import java.util.List;

import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.fixture.FlowControlledQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Never two WINDOWs wait, and the one that goes says what is true then. */
class WindowUpdateFrameTests {

	private final FlowControlledQueue side = new FlowControlledQueue();

	private final WindowUpdateFrame window = new WindowUpdateFrame(this.side.queue);

	@AfterEach
	void close() {
		this.side.close();
	}

	@Test
	void windowFrame_carriesBothTotals() {
		this.window.announce(7, 5_000_000_000L);
		assertThat(sent()).containsExactly(new Totals(7, 5_000_000_000L));
	}

	@Test
	void queuedWindowFrame_carriesLatestTotals() {
		this.window.announce(1, 10);
		this.window.announce(2, 20);
		this.window.announce(3, 30);
		assertThat(sent()).containsExactly(new Totals(3, 30));
		assertThat(sent()).isEmpty();
	}

	@Test
	void nextWindowFrame_isSent_afterPreviousIsWritten() {
		this.window.announce(1, 10);
		assertThat(sent()).containsExactly(new Totals(1, 10));
		this.window.announce(1, 11);
		assertThat(sent()).containsExactly(new Totals(1, 11));
	}

	@Test
	void windowFrame_waits_whileSocketIsFull() {
		this.side.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		this.window.announce(1, 10);
		assertThat(sent()).isEmpty();
		this.window.announce(2, 20);
		this.window.announce(2, 25);
		assertThat(sent()).isEmpty();
		this.side.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
		assertThat(sent()).containsExactly(new Totals(2, 25));
	}

	@Test
	void windowFrame_isDropped_afterClose() {
		this.side.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
		this.window.announce(1, 10);
		sent();
		this.side.channel.close();
		this.window.announce(2, 20);
		assertThat(this.side.grant.blocked.size()).isZero();
		assertThat(sent()).isEmpty();
	}

	private record Totals(long calls, long bytes) {
	}

	private List<Totals> sent() {
		return this.side.sent()
			.stream()
			.filter((frame) -> frame.type() == FrameType.WINDOW)
			.map((frame) -> new Totals(frame.callId(), ByteBuffer.wrap(frame.bodyBytes()).getLong()))
			.toList();
	}

}
